//! Questions on standard input, answered line by line.

use std::io::{self, BufRead, BufReader};

use retrograde_catalog::shortened;

use crate::report::format::Printer;
use crate::term::failure::Failure;
use crate::term::number::counted;
use crate::term::progress::{note, reads};

/// Answers the lines of standard input. `what` says on a terminal what they are. A caller may wait for an answer before it asks the next question. If a line
/// cannot be answered, an error names it, and the other lines still get their answers.
pub(crate) fn each_line(
    printer: &mut Printer<'_>,
    what: &str,
    mut answer: impl FnMut(&str, &mut Printer<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    reads(&io::stdin(), what);
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    let mut line = Vec::new();
    let (mut asked, mut refused) = (0u64, 0u64);
    for number in 1u64.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::Input(format!("standard input: {error}")))? == 0 {
            break;
        }
        // Removes only the end of the line: blanks count in the name of a vertex.
        let ended = |text| str::trim_end_matches(str::trim_end_matches(text, '\n'), '\r');
        let answered = match std::str::from_utf8(&line).map(ended) {
            Ok("") => continue,
            Ok(text) => answer(text, printer),
            Err(_) => Err(Failure::Input("this is not text in UTF-8".to_owned())),
        };
        asked += 1;
        match answered {
            Ok(()) => {}
            Err(Failure::Input(problem)) => {
                refused += 1;
                printer.flush()?;
                let problem = shortened(&problem);
                note(&format!("error: standard input: line {number}: {problem}"));
            }
            Err(failure) => return Err(failure),
        }
        if input.buffer().is_empty() {
            printer.flush()?;
        }
    }
    if refused == 0 {
        return Ok(());
    }
    printer.flush()?;
    Err(Failure::Input(format!("{refused} of {} could not be answered", counted(asked, "line"))))
}
