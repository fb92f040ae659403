//! The words that say a state, wherever they stand among the arguments.

use crate::term::failure::Failure;

/// The words of one state: what `--from` says, or else what follows a table; and the rest of it if it was not quoted.
/// `is_whole` tells whether nothing can follow what `--from` says.
pub(crate) fn state_words(
    from: Option<String>,
    state: Option<String>,
    rest: Vec<String>,
    is_whole: impl FnOnce(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    let beside: Vec<String> = state.into_iter().chain(rest).collect();
    if let (Some(from), Some(extra)) = (&from, beside.first())
        && is_whole(from)
    {
        return Err(Failure::Usage(format!(
            "`{extra}` stands beside --from `{from}`: name one state"
        )));
    }
    Ok(from.into_iter().chain(beside).collect())
}
