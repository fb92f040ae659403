//! How much memory a solve may take where nobody says.

use std::fs;

/// What the machine can still give, where it says so: no more than its own free memory, and no
/// more than the control group this program runs in may take.
pub fn memory_available() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let machine = available(&meminfo)?;
    let number = |name| {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let group = number("memory.max").map(|max| {
        let taken = number("memory.current").unwrap_or(0);
        max.saturating_sub(taken)
    });
    Some(group.map_or(machine, |group| machine.min(group)))
}

/// The bytes that `/proc/meminfo` calls available.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let meminfo = "MemTotal:  100 kB\nMemFree:    1 kB\nMemAvailable:   24318796 kB\n";
        assert_eq!(available(meminfo), Some(24_318_796 * 1024));
        assert_eq!(available("MemTotal:  100 kB\n"), None);
    }
}
