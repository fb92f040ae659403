//! Whether rules agree with themselves, and answers with the rules.

pub(crate) mod audit;
pub(crate) mod audit_words;
pub(crate) mod auditor;
mod key;
pub(crate) mod verify;
mod verify_words;
mod window;
