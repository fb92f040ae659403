//! Checks whether the methods of a game agree with each other, and solutions with the rules.

pub(crate) mod audit;
pub(crate) mod audit_words;
pub(crate) mod auditor;
mod key;
pub(crate) mod positions;
mod sums;
pub(crate) mod verify;
pub(crate) mod verify_words;
mod window;

pub use audit::{AuditError, Auditable, Audited, audit_forwards};
pub use auditor::Auditor;
pub use verify::{Verifiable, Verified, Verifier, VerifyError};
