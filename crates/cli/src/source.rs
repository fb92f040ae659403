//! The text of a board or graph, from a file or from standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use retrograde_playable::Source;

use crate::failure::Failure;

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let from_stdin = path.as_os_str() == "-";
    let name = if from_stdin { "standard input".into() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let read = if from_stdin {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    if let Err(error) = read {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => "give the path of a board or graph, or `-`",
            io::ErrorKind::IsADirectory => "give a file in it",
            _ => "give a file that can be read",
        };
        return Err(Failure::Input(format!("{name}: {error}; {advice}")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            let advice = "this is no text; boards and graphs are written in UTF-8";
            Err(Failure::Input(format!("{name}: line {line}: {advice}")))
        }
    }
}
