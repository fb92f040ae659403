//! The most memory that some work takes, as the system counts it.

use std::process::Command;

/// Runs a test again in a process of its own. There it does some work, which returns numbers. Returns these, and by how many
/// bytes the peak of the process grew. Returns nothing in the new process. `test` is the name of the test.
pub fn peak_of<const N: usize>(
    test: &str,
    work: impl FnOnce() -> [u64; N],
) -> Option<([u64; N], u64)> {
    const AGAIN: &str = "RETROGRADE_PEAK_OF";
    if std::env::var(AGAIN).is_ok_and(|again| again == test) {
        // What the process took before does not count.
        std::fs::write("/proc/self/clear_refs", "5").expect("the peak begins anew");
        let before = peak();
        let numbers = work().map(|number| number.to_string()).join(" ");
        println!("\npeak {} {numbers}", peak() - before);
        return None;
    }
    let this = std::env::current_exe().expect("a test runs");
    let mut again = Command::new(this);
    again.args(["--exact", test, "--nocapture", "--test-threads", "1"]).env(AGAIN, test);
    let output = again.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = text.lines().find_map(|line| line.strip_prefix("peak "));
    let numbers = numbers.unwrap_or_else(|| panic!("{test}: {output:?}"));
    let mut numbers = numbers.split(' ').map(|number| number.parse().expect("a number"));
    let peak = numbers.next().expect("a peak");
    Some((std::array::from_fn(|_| numbers.next().expect("all numbers")), peak))
}

/// The most memory that this process has had.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}
