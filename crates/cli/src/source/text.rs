//! The text of a board, graph or game, from a file or from standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use retrograde_files::path_problem;
use retrograde_games::Source;

use crate::source::options::Memory;
use crate::term::failure::Failure;
use crate::term::number::Size;
use crate::term::progress::reads;

/// Reads a file, using at most half of this memory; `-` is standard input. `what` says on a terminal what is read: `the
/// board`.
pub(crate) fn read(path: &Path, what: &str, memory: Memory) -> Result<Source, Failure> {
    let from_stdin = path.as_os_str() == "-";
    let name = if from_stdin { "standard input".into() } else { path.display().to_string() };
    let limit = memory.limit().unwrap_or(u64::MAX);
    // The other half is for the game.
    let bytes_max = limit / 2;
    let mut bytes = Vec::new();
    let mut read = |from: &mut dyn Read| from.take(bytes_max + 1).read_to_end(&mut bytes);
    let read = if from_stdin {
        reads(&io::stdin(), what);
        read(&mut io::stdin().lock())
    } else {
        fs::File::open(path).and_then(|mut file| {
            reads(&file, what);
            read(&mut file)
        })
    };
    if let Err(error) = read {
        let advice = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                "give the path of a board, graph or text, or `-`"
            }
            io::ErrorKind::IsADirectory => "give a file in it",
            io::ErrorKind::OutOfMemory => "give a shorter file, or more memory",
            _ => "give a file that can be read",
        };
        let problem = path_problem(path, &error);
        return Err(Failure::Input(format!("{name}: {problem}; {advice}")));
    }
    if bytes.len() as u64 > bytes_max {
        let (whose, limit) = (memory.whose_limit(limit), Size { bytes: limit });
        return Err(Failure::Input(format!(
            "{name}: reading it takes more than half of the memory, and {whose} {limit}; give a shorter file, or --memory SIZE \
             where the command has it"
        )));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            let advice = "this is not text; boards, graphs and games are written in UTF-8";
            Err(Failure::Input(format!("{name}: line {line}: {advice}")))
        }
    }
}
