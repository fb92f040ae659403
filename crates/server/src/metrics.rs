//! The counters of the server, in the text form that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The counters.
pub(crate) struct Metrics {
    /// By route. The last entry is for requests without a route.
    routes: Vec<Route>,
    /// Connections that are open.
    pub(crate) connections: AtomicUsize,
    /// Requests that are being answered.
    pub(crate) requests: AtomicUsize,
}

struct Route {
    path: &'static str,
    /// Answers by status.
    statuses: [AtomicU64; STATUSES.len() + 1],
    /// Answers by duration. An answer counts in the first of `BUCKETS` that is not shorter; longer answers count last.
    /// ones.
    times: [AtomicU64; BUCKETS.len() + 1],
    /// Their durations added up.
    micros: AtomicU64,
}

/// The statuses of answers; any other is counted as `other`.
const STATUSES: [u16; 13] = [200, 304, 400, 404, 405, 408, 413, 415, 422, 431, 500, 503, 504];

/// The upper bounds of the buckets, in microseconds.
const BUCKETS: [u64; 10] =
    [100, 250, 500, 1_000, 2_500, 5_000, 20_000, 100_000, 1_000_000, 10_000_000];

impl Metrics {
    /// Counters for these routes.
    pub(crate) fn new(paths: impl Iterator<Item = &'static str>) -> Metrics {
        let route = |path| Route {
            path,
            statuses: Default::default(),
            times: Default::default(),
            micros: 0.into(),
        };
        let routes = paths.chain(["other"]).map(route).collect();
        Metrics { routes, connections: 0.into(), requests: 0.into() }
    }

    /// Counts an answer.
    pub(crate) fn count(&self, path: Option<&str>, status: u16, took: Duration) {
        let known = self.routes.iter().find(|route| path == Some(route.path));
        let Some(route) = known.or(self.routes.last()) else { return };
        let status = STATUSES.iter().position(|each| *each == status);
        route.statuses[status.unwrap_or(STATUSES.len())].fetch_add(1, Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.iter().position(|most| micros <= *most).unwrap_or(BUCKETS.len());
        route.times[bucket].fetch_add(1, Relaxed);
        route.micros.fetch_add(micros, Relaxed);
    }

    /// All counters as text.
    pub(crate) fn text(&self, tables: usize, waiting: usize, solves: u64) -> String {
        let mut text = String::new();
        for (name, help, value) in [
            ("retrograde_tables", "Tables in the folder.", tables),
            ("retrograde_connections", "Open connections.", self.connections.load(Relaxed)),
            ("retrograde_requests", "Requests being answered.", self.requests.load(Relaxed)),
            ("retrograde_waiting", "Requests that wait for a thread.", waiting),
        ] {
            _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        if let Some(bytes) = resident_bytes() {
            let name = "process_resident_memory_bytes";
            _ = writeln!(text, "# HELP {name} Memory in use.\n# TYPE {name} gauge\n{name} {bytes}");
        }
        let name = "retrograde_solves_total";
        let help =
            "Games solved on request. Answers about a game that was solved before do not count.";
        _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {solves}");
        self.write_answers(&mut text);
        self.write_times(&mut text);
        text
    }

    fn write_answers(&self, text: &mut String) {
        let name = "retrograde_answers_total";
        _ = writeln!(text, "# HELP {name} Answers by route and status.\n# TYPE {name} counter");
        for route in &self.routes {
            let path = route.path;
            let words = STATUSES.iter().map(u16::to_string).chain(["other".to_owned()]);
            for (status, count) in words.zip(&route.statuses) {
                let count = count.load(Relaxed);
                if count > 0 {
                    _ = writeln!(text, "{name}{{route=\"{path}\",status=\"{status}\"}} {count}");
                }
            }
        }
    }

    fn write_times(&self, text: &mut String) {
        let name = "retrograde_answer_seconds";
        _ = writeln!(text, "# HELP {name} How long answers took.\n# TYPE {name} histogram");
        for route in &self.routes {
            let path = route.path;
            let mut sum = 0;
            let counts = route.times.iter().map(|count| count.load(Relaxed));
            let counts: Vec<u64> = counts
                .map(|count| {
                    sum += count;
                    sum
                })
                .collect();
            if sum == 0 {
                continue;
            }
            let most = BUCKETS.iter().map(|micros| (*micros as f64 / 1e6).to_string());
            for (most, count) in most.chain(["+Inf".to_owned()]).zip(counts) {
                _ = writeln!(text, "{name}_bucket{{route=\"{path}\",le=\"{most}\"}} {count}");
            }
            let seconds = route.micros.load(Relaxed) as f64 / 1e6;
            _ = writeln!(text, "{name}_sum{{route=\"{path}\"}} {seconds}");
            _ = writeln!(text, "{name}_count{{route=\"{path}\"}} {sum}");
        }
    }
}

/// How much memory this process has, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
