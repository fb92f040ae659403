//! How much memory a solve may take.

use std::fs;

/// How much memory may be taken: what is asked for, or else what there is; and never more than this process may have,
/// since beyond that nothing can be refused with a number any more.
pub fn memory_limit(asked: Option<u64>) -> Option<u64> {
    let limit = asked.or_else(memory_available);
    match address_space_left() {
        Some(left) => Some(limit.map_or(left, |limit| limit.min(left))),
        None => limit,
    }
}

/// What the machine can still give, where it says so: no more than its own free memory, and no
/// more than the control group this program runs in may take.
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

/// What the limit on this process's address space leaves (`ulimit -v` in a shell), where there is one, less what
/// allocators and threads take beside.
pub fn address_space_left() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let max = soft_limit(&limits, "Max address space")?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = max.saturating_sub(kilobytes(&status, "VmSize:")?);
    Some(left - left / 8)
}

/// How large the stack of the first thread may grow, where the system says so.
pub fn stack_limit() -> Option<u64> {
    soft_limit(&fs::read_to_string("/proc/self/limits").ok()?, "Max stack size")
}

/// A limit that is in force, in bytes; `None` where there is none.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The bytes that a line of `/proc` gives in kilobytes.
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
