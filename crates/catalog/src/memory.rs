//! How much memory a solve may take.

use std::fs;

/// How much memory a solve may take: the requested amount, or otherwise all that is free. Never more than
/// this process may have, because an allocation beyond that fails without a useful message.
pub fn memory_limit(asked: Option<u64>) -> Option<u64> {
    let limit = asked.or_else(memory_available);
    match address_space_left() {
        Some(left) => Some(limit.map_or(left, |limit| limit.min(left))),
        None => limit,
    }
}

/// How much memory the machine can still give, if it says so: at most its free memory, and at most the limit
/// of the control group of this process.
pub fn memory_available() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let machine = kilobytes(&meminfo, "MemAvailable:")?;
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

/// What the limit on this process's address space leaves (`ulimit -v` in a shell), if there is one, minus
/// what allocators and threads use.
pub fn address_space_left() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let max = soft_limit(&limits, "Max address space")?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = max.saturating_sub(kilobytes(&status, "VmSize:")?);
    Some(left - left / 8)
}

/// The maximal stack size of the first thread, if the system says so.
pub fn stack_limit() -> Option<u64> {
    soft_limit(&fs::read_to_string("/proc/self/limits").ok()?, "Max stack size")
}

/// A limit in bytes; `None` if there is none.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The number of bytes in a line of `/proc`, which is in kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let meminfo = "MemTotal:  100 kB\nMemFree:    1 kB\nMemAvailable:   24318796 kB\n";
        assert_eq!(kilobytes(meminfo, "MemAvailable:"), Some(24_318_796 * 1024));
        assert_eq!(kilobytes("MemTotal:  100 kB\n", "MemAvailable:"), None);
    }

    #[test]
    fn limits_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         1024000000           unlimited            bytes     \n";
        assert_eq!(soft_limit(limits, "Max address space"), Some(1_024_000_000));
        assert_eq!(soft_limit(limits, "Max data size"), None);
        assert_eq!(soft_limit("", "Max data size"), None);
    }
}
