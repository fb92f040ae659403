//! The games that clients can solve, with their arguments, and the families whose tables can be built.

use retrograde_catalog::registry_object;

use crate::reply::{Keep, Reply};

/// `GET /games`
pub(crate) async fn list() -> Reply {
    Reply::json(&registry_object(), Keep::Asked)
}
