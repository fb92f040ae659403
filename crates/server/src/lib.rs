//! Serves solved games over HTTP.
//!
//! The server opens a folder of tables, reads it and never writes. Chess endgames have the shape of lichess's
//! table server, all other games that of `retrograde probe --json`. The server solves small games on request.
//! A page uses all of this and needs no other network. `openapi.json` lists the routes, and is served too.
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
//! Requests name tables, never files: only tables that were in the folder when the server started exist.
//! [`Limits`] bounds the cost of a request.
#![forbid(unsafe_code)]

mod chess;
mod folder;
mod games;
mod limits;
mod listen;
mod metrics;
mod observe;
mod page;
mod patient;
mod problem;
mod reply;
mod routes;
#[cfg(feature = "schema")]
mod schemas;
mod server;
mod shared;
mod solve;
mod tables;
mod watched;
mod work;

pub use folder::FolderError;
pub use limits::Limits;
pub use routes::ROUTES;
#[cfg(feature = "schema")]
pub use schemas::document;
pub use server::{Options, Server};
