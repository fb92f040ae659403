//! `--color`: whether to write in colour.

use std::sync::OnceLock;

use clap::{Args, ValueEnum};

/// When to write in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always, even if results do not go to a terminal.
    Always,
    /// Never.
    Never,
}

/// The option `--color`.
#[derive(Args)]
pub(crate) struct ColourArg {
    /// When to write in colour
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        hide_possible_values = true
    )]
    color: When,
}

/// The option; set once, before anything is written.
static WHEN: OnceLock<When> = OnceLock::new();

impl ColourArg {
    /// Sets it for the whole program.
    pub(crate) fn set(&self) {
        let _ = WHEN.set(self.color);
    }
}

/// Whether there is colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink(pub(crate) bool);

/// Whether the terminal can only write lines.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

impl Ink {
    /// Colour as `--color` says. Without the option: on a terminal, unless the user declines, see
    /// <https://no-color.org>.
    pub(crate) fn wanted(terminal: bool) -> Ink {
        match WHEN.get() {
            Some(When::Always) => Ink(true),
            Some(When::Never) => Ink(false),
            Some(When::Auto) | None => {
                let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                Ink(terminal && !declined && !is_dumb())
            }
        }
    }
}
