//! Checks whether the methods of a game agree with each other, and solutions with the rules.

pub(crate) mod audit;
mod audit_error;
pub(crate) mod audit_words;
pub(crate) mod auditor;
mod key;
pub(crate) mod positions;
mod singly;
mod sums;
pub(crate) mod verify;
pub(crate) mod verify_words;
mod window;

pub use audit::{Auditable, audit_forwards};
pub use audit_error::{AuditError, Audited};
pub use auditor::Auditor;
pub use verify::{Verifiable, Verified, Verifier, VerifyError};
