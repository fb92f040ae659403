//! Solved games over HTTP.
//!
//! A folder of tables is opened, read and never written. Chess endgames are answered in the shape of lichess's table
//! server, all other games in that of `retrograde probe --json`; small games are solved on request; and a page that needs no
//! network but this asks for all of it. The routes stand in `openapi.json`, which is served too.
//!
//! ```no_run
//! use retrograde_server::{Limits, Options, Server};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::open("endgames".as_ref(), Options::default(), Limits::default())?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! server.serve(listener, std::future::pending()).await;
//! # Ok(())
//! # }
//! ```
//!
//! Requests name tables, never files: only what stood in the folder when the server started is there. What a request may
//! cost is bounded by [`Limits`].
#![forbid(unsafe_code)]

mod ask;
mod chess;
mod folder;
mod games;
mod limits;
mod line;
mod listen;
mod metrics;
mod observe;
mod page;
mod patient;
mod problem;
mod reply;
mod routes;
mod samples;
mod server;
mod solve;
mod tables;
mod view;
mod work;

pub use folder::FolderError;
pub use limits::Limits;
pub use routes::ROUTES;
pub use server::{Options, Server};
