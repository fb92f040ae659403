//! Sizes of memory, as people write them.

/// A number of bytes, written `8GiB`, `1.5 TB`, `512k` or `1000000`. A bare letter is a power of two. The error
/// says how to write one.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; write one like 8GiB, 1.5GB, 512M or 1000000");
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    let scale: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err(wrong()),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || part.is_empty() || part.contains('.') {
        return Err(wrong());
    }
    let too_large = || format!("`{text}` is more than 2^64 bytes");
    let whole: u64 = whole.parse().map_err(|_| too_large())?;
    let part: f64 = format!("0.{part}").parse().map_err(|_| wrong())?;
    let bytes = whole.checked_mul(scale).ok_or_else(too_large)?;
    let bytes = bytes.checked_add((part * scale as f64) as u64).ok_or_else(too_large)?;
    if bytes == 0 { Err(wrong()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, bytes) in [
            ("8GiB", 8 << 30),
            ("8 gib", 8 << 30),
            ("8G", 8 << 30),
            ("1.5GB", 1_500_000_000),
            ("0.5k", 512),
            ("1000000", 1_000_000),
            ("7B", 7),
            ("2TiB", 2 << 40),
        ] {
            assert_eq!(super::bytes(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in
            ["", "GiB", "-1G", "8 bytes", "1.2.3M", "1.", ".5G", "0", "99999999999999999999"]
        {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert!(bytes("16777216TiB").is_err(), "2^64 bytes");
    }
}
