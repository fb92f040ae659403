//! Runs programs with the same answer in turn, as whole processes, and prints the ratios:
//!
//! ```text
//! compare [--runs N] [--any-answer] [--instructions] -- NAME COMMAND ... -- NAME COMMAND ...
//! ```
//!
//! With `--any-answer`, the programs may print other answers, or none.
//!
//! The programs take turns in each round, because the same program can run at half its speed within the hour.
//! The best of the rounds counts. The ratios are relative to the first program.
#![forbid(unsafe_code)]

use retrograde_benches::measure::{self, Run, answer, as_parent};
use retrograde_benches::textbook::Answer;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match as_parent() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Contender {
    name: String,
    command: Vec<String>,
    runs: Vec<Run>,
}

impl Contender {
    fn seconds(&self) -> f64 {
        self.runs.iter().map(|run| run.seconds).fold(f64::INFINITY, f64::min)
    }

    fn peak(&self) -> f64 {
        self.runs.iter().map(|run| run.peak_bytes).max().unwrap_or(0) as f64
    }
}

fn compare(arguments: &[String]) -> Result<(), String> {
    let mut groups = arguments.split(|word| word == "--");
    let options: Vec<&str> = groups.next().unwrap_or_default().iter().map(String::as_str).collect();
    let (mut runs, mut any_answer, mut instructions) = (3, false, false);
    let mut options = options.into_iter();
    while let Some(option) = options.next() {
        match option {
            "--runs" => {
                let number = options.next().and_then(|number| number.parse().ok());
                runs = number.ok_or("--runs needs a number")?;
            }
            "--any-answer" => any_answer = true,
            "--instructions" => instructions = true,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let mut contenders = groups
        .map(|group| match group {
            [name, command @ ..] if !command.is_empty() => {
                Ok(Contender { name: name.clone(), command: command.to_vec(), runs: vec![] })
            }
            _ => {
                Err("usage: compare [--runs N] -- NAME COMMAND ... -- NAME COMMAND ...".to_string())
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    // Forwards, then backwards. A program that runs right after another has returned a gigabyte may find that
    // memory taken away by the host. That once doubled the time of a short run.
    for _ in 0..runs {
        for contender in &mut contenders {
            contender.runs.push(measure::run(&contender.command)?);
        }
        contenders.reverse();
    }
    if runs % 2 == 1 {
        contenders.reverse();
    }
    if !any_answer {
        println!("answer: {}", agreed(&contenders)?);
    }
    print_table(&contenders);
    if instructions {
        for contender in &contenders {
            let count = measure::instructions(&contender.command)?;
            println!("{:<28} {:>8.2} billion instructions", contender.name, count as f64 / 1e9);
        }
    }
    Ok(())
}

/// The answer, which must be the same in every run of every program.
fn agreed(contenders: &[Contender]) -> Result<Answer, String> {
    let mut agreed = None;
    for contender in contenders {
        for run in &contender.runs {
            let told = answer(&run.output)
                .ok_or_else(|| format!("{} gives no answer: {}", contender.name, run.output))?;
            if *agreed.get_or_insert(told) != told {
                return Err(format!("{} says {told}, others differ", contender.name));
            }
        }
    }
    agreed.ok_or_else(|| "nothing to compare".to_string())
}

fn print_table(contenders: &[Contender]) {
    println!(
        "{:<28} {:>9} {:>9} {:>10} {:>9}",
        "best of the rounds", "seconds", "faster", "peak MB", "smaller"
    );
    let first = &contenders[0];
    for each in contenders {
        println!(
            "{:<28} {:>9.3} {:>8.1}x {:>10.1} {:>8.1}x",
            each.name,
            each.seconds(),
            first.seconds() / each.seconds(),
            each.peak() / 1e6,
            first.peak() / each.peak()
        );
    }
}
