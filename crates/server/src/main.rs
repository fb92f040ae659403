//! The program `retrograde-server`, which `retrograde serve` starts. It serves a folder of tables over HTTP.
#![forbid(unsafe_code)]

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, ValueHint};
use retrograde_answers::Limits as Questions;
use retrograde_catalog::{Plain, plain};
use retrograde_games::whole_number;
use retrograde_server::{Limits, Options, Server};
use tokio::net::TcpListener;
use tracing::level_filters::LevelFilter;

/// Serve all tables of a folder over HTTP, and a page to click
///
/// Chess endgames answer in the shape of lichess's table server (GET /standard?fen=), other games below /tables. GET
/// /openapi.json describes all routes. The address itself opens the page. The server never writes a table, and a
/// request cannot reach a file outside the folder. After SIGTERM it finishes the current requests and stops.
#[derive(Parser)]
#[command(
    name = "retrograde serve",
    version,
    after_help = "\
Examples:
  retrograde build chess KQvKR --out endgames
  retrograde serve endgames
  # for all of a network, behind what speaks HTTPS
  retrograde serve endgames --listen 0.0.0.0:8080 --cors '*'
"
)]
struct Arguments {
    /// A folder of tables
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Where to listen: an address with a port, like 127.0.0.1:8080 or localhost:8080, or only a port on this machine;
    /// port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// An origin whose pages may use this server too, like https://example.org, or `*`
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    cors: Vec<HeaderValue>,
    /// Serve a page that needs no server, which `scripts/site` has written in this folder, below /site/
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    site: Option<PathBuf>,
    /// How many threads look states up [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = |text: &str| whole_number::<u16>(text, 1..=1024))]
    threads: Option<u16>,
    /// How many connections may be open at once
    #[arg(long, value_name = "N", default_value_t = 1024,
        value_parser = |text: &str| whole_number::<u32>(text, 1..=1_000_000))]
    connections: u32,
    /// How many seconds a request may take, with a solve in half of them, and a connection may be idle
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
        value_parser = |text: &str| whole_number::<u32>(text, 1..=3600))]
    timeout: u32,
    /// How many states one request may ask for
    #[arg(long, value_name = "N", default_value_t = 4096,
        value_parser = |text: &str| whole_number::<u32>(text, 1..=1_000_000))]
    batch: u32,
    /// About how many MiB of tables to keep in memory
    #[arg(long, value_name = "MIB", default_value_t = 256,
        value_parser = |text: &str| whole_number::<u32>(text, 1..=u32::MAX.into()))]
    cache: u32,
    /// What to log: off, error, warn, info, debug (every request)
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = level)]
    log: LevelFilter,
}

/// The exit code for a bad file, port or memory, the same as of `retrograde`.
const FILE_AT_FAULT: u8 = 3;

fn main() -> ExitCode {
    let arguments = arguments();
    tracing_subscriber::fmt()
        .with_max_level(arguments.log)
        .with_writer(|| Plain(io::stderr()))
        .with_ansi(false)
        .init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // If standard error is closed, the message is lost.
            let _ = writeln!(io::stderr(), "error: {}", plain(&message));
            ExitCode::from(FILE_AT_FAULT)
        }
    }
}

/// Reads the arguments. If the parser does not know one, it may suggest to pass it as a value, which does not help.
fn arguments() -> Arguments {
    let words: Vec<OsString> = env::args_os().collect();
    Arguments::try_parse_from(&words).unwrap_or_else(|mut error| {
        error.remove(ContextKind::Suggested);
        let wrong = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(wrong)) if error.kind() == ErrorKind::UnknownArgument => {
                wrong
            }
            _ => error.exit(),
        };
        let message = match listen_in_place_of(wrong, &words) {
            Some(tip) => format!("unexpected argument '{wrong}' found; did you mean `{tip}`?"),
            None if wrong.starts_with('-') => error.exit(),
            None => {
                format!("unexpected argument '{wrong}' found; only one folder of tables is served")
            }
        };
        Arguments::command().error(ErrorKind::UnknownArgument, message).exit()
    })
}

/// The command line with `--listen` in place of what another server calls it, or before a port alone.
fn listen_in_place_of(wrong: &str, words: &[OsString]) -> Option<String> {
    let place = words.iter().position(|word| word.to_string_lossy().starts_with(wrong))?;
    let (name, value) = match wrong {
        "--port" | "--host" | "--address" | "--bind" | "-p" | "-l" | "-b" => {
            (1, words.get(place + 1))
        }
        _ => (0, words.get(place)),
    };
    let value = value
        .and_then(|value| value.to_str())
        .filter(|value| value.parse::<u16>().is_ok() || address(value).is_ok());
    let value = match value {
        Some(value) => value,
        None if name == 1 => "8080",
        None => return None,
    };
    let mut better = words.to_vec();
    let end = (place + name + 1).min(better.len());
    better.splice(place..end, ["--listen", value].map(OsString::from));
    Arguments::try_parse_from(&better).ok()?;
    let better: Vec<_> = better[1..].iter().map(|word| word.to_string_lossy()).collect();
    Some(format!("retrograde serve {}", better.join(" ")))
}

fn run(arguments: Arguments) -> Result<(), String> {
    let time = Duration::from_secs(arguments.timeout.into());
    let questions = Questions { batch: arguments.batch as usize, ..Questions::default() };
    let mut limits = Limits {
        connections: arguments.connections as usize,
        questions,
        request_time: time,
        head_time: time,
        write_time: 2 * time,
        ..Limits::default()
    };
    if let Some(threads) = arguments.threads {
        limits.threads = threads.into();
    }
    let threads = limits.threads;
    if let Some(site) = arguments.site.as_ref().filter(|site| !site.join("index.html").is_file()) {
        return Err(format!(
            "{}: there is no index.html here: scripts/site writes a folder to serve",
            site.display()
        ));
    }
    let cache_bytes = u64::from(arguments.cache) << 20;
    let options = Options { cors: arguments.cors, site: arguments.site, cache_bytes };
    let server =
        Server::open(&arguments.folder, options, limits).map_err(|error| error.to_string())?;
    for problem in server.left_out() {
        tracing::warn!("{problem}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        // Threads that look states up, and threads that solve.
        .max_blocking_threads(2 * threads)
        .enable_io()
        .enable_time()
        .build();
    let runtime = runtime.map_err(|error| format!("no threads can be started: {error}"))?;
    let served = runtime.block_on(serve(server, arguments.listen));
    // The process does not wait for threads that still work.
    runtime.shutdown_background();
    served
}

async fn serve(server: Server, address: SocketAddr) -> Result<(), String> {
    let heard = |error| format!("no signals can be heard: {error}");
    let (stop, stop_now) = (asked(1).map_err(heard)?, asked(2).map_err(heard)?);
    let stop = async {
        stop.await;
        tracing::info!("stopping: what has been asked is still answered; once more stops at once");
    };
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| {
        format!("{address}: {error}; name another address with --listen, such as 127.0.0.1:0")
    })?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(tables = server.tables(), %address, "ready");
    // If standard output is closed, the log has the address.
    let _ = writeln!(io::stdout(), "http://{address}/").and_then(|()| io::stdout().flush());
    tokio::select! {
        () = server.serve(listener, stop) => {}
        () = stop_now => {}
    }
    tracing::info!("stopped");
    Ok(())
}

/// Reads an address: numbers or a name, with a port, or a port alone.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    let found = text.to_socket_addrs().ok().and_then(|mut found| found.next());
    found.ok_or_else(|| "write an address with a port, like 127.0.0.1:8080, or a port".to_owned())
}

/// Reads an origin: a scheme, a host and perhaps a port. A browser sends it so, without a path.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let is_host = |host: &str| !host.is_empty() && !host.contains('/');
    let origin = text == "*" || text.split_once("://").is_some_and(|(_, host)| is_host(host));
    let value = origin.then(|| HeaderValue::from_str(text).ok()).flatten();
    value.ok_or_else(|| {
        "write an origin without a path, like https://example.org, or `*`".to_owned()
    })
}

/// Reads a level of the log.
fn level(text: &str) -> Result<LevelFilter, String> {
    text.parse().map_err(|_| "write off, error, warn, info or debug".to_owned())
}

/// Resolves when `times` stop signals have come.
#[cfg(unix)]
fn asked(times: u32) -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        for _ in 0..times {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
    })
}

/// Resolves when Ctrl-C was pressed so many times.
#[cfg(not(unix))]
fn asked(times: u32) -> io::Result<impl Future<Output = ()>> {
    Ok(async move {
        for _ in 0..times {
            // Without signals, the program ends as any program does.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    })
}
