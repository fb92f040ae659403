//! `--format`: how to print results. Each command fills a [`Report`], and the [`Printer`] writes all of them.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use retrograde_catalog::{Lines, quoted};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::term::failure::Failure;

/// The version of the shapes in docs/json.md. Every object begins with it.
pub(crate) const VERSION: u32 = 2;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// An object a line, in the shapes of docs/json.md.
    Json,
    /// A line of titles, and a comma-separated line for each object.
    Csv,
}

/// The choice of a format.
#[derive(Args, Clone, Copy)]
pub(crate) struct FormatArg {
    /// How to print results: as text, as JSON with one object a line (see docs/json.md), or as
    /// comma-separated values [default: text]
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    format: Option<Format>,
    /// Short for --format json
    #[arg(long)]
    json: bool,
}

impl Format {
    /// The lines of a list in this format.
    pub(crate) fn lines(self) -> Lines {
        match self {
            Format::Text => Lines::Tabs,
            Format::Csv => Lines::Csv,
            Format::Json => Lines::Json { format: VERSION },
        }
    }
}

impl FormatArg {
    /// The chosen format.
    pub(crate) fn get(self) -> Format {
        match (self.format, self.json) {
            (Some(format), _) => format,
            (None, true) => Format::Json,
            (None, false) => Format::Text,
        }
    }

    /// A printer for this format.
    pub(crate) fn printer(self, out: &mut dyn Write) -> Printer<'_> {
        Printer { out, format: self.get(), titles: Vec::new() }
    }
}

/// The result of a command. Its entries are the entries of JSON and CSV.
pub(crate) trait Report: Serialize {
    /// Writes it for a person.
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure>;
}

/// An object with the version of its shape.
#[derive(Serialize)]
pub(crate) struct Versioned<'a, T> {
    format: u32,
    #[serde(flatten)]
    report: &'a T,
}

impl<'a, T: Serialize> Versioned<'a, T> {
    /// Puts the version before the entries of an object.
    pub(crate) fn new(report: &'a T) -> Versioned<'a, T> {
        Versioned { format: VERSION, report }
    }
}

/// Writes reports in one format.
pub(crate) struct Printer<'a> {
    out: &'a mut dyn Write,
    format: Format,
    /// The last line of titles.
    titles: Vec<String>,
}

impl Printer<'_> {
    /// Writes a report.
    pub(crate) fn print(&mut self, report: &impl Report) -> Result<(), Failure> {
        self.either(|out| report.write(out), || Ok(report))
    }

    /// The same, if text and JSON need different work: does only the work that the format needs.
    pub(crate) fn either<T: Serialize>(
        &mut self,
        text: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
        object: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text => text(self.out),
            Format::Json => write_json(&object()?, self.out),
            Format::Csv => {
                let object = serde_json::to_value(object()?).map_err(unwritten)?;
                let (mut titles, mut fields) = (Vec::new(), Vec::new());
                if let Json::Object(object) = &object {
                    flatten(object, "", &mut titles, &mut fields);
                }
                if titles != self.titles {
                    writeln!(self.out, "{}", titles.join(","))?;
                    self.titles = titles;
                }
                Ok(writeln!(self.out, "{}", fields.join(","))?)
            }
        }
    }

    /// Passes the written text to the reader.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Writes text between two reports, for people only.
    pub(crate) fn between(&mut self, text: &str) -> Result<(), Failure> {
        match self.format {
            Format::Text => Ok(write!(self.out, "{text}")?),
            Format::Json | Format::Csv => Ok(()),
        }
    }
}

/// Writes an object and the end of its line.
pub(crate) fn write_json(report: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, &Versioned::new(report)).map_err(unwritten)?;
    Ok(writeln!(out)?)
}

/// Nested entries have names with dots between them. A list is one field.
fn flatten(
    object: &Map<String, Json>,
    above: &str,
    titles: &mut Vec<String>,
    fields: &mut Vec<String>,
) {
    for (name, value) in object {
        let name = format!("{above}{name}");
        match value {
            Json::Object(object) if !object.is_empty() => {
                flatten(object, &format!("{name}."), titles, fields);
            }
            value => {
                titles.push(quoted(&name));
                fields.push(quoted(&field(value)));
            }
        }
    }
}

fn field(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(items) if items.iter().all(Json::is_string) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" ")
        }
        value => value.to_string(),
    }
}

/// An error of the reader, or of a lookup.
fn unwritten(error: serde_json::Error) -> Failure {
    match error.is_io() {
        true => io::Error::from(error).into(),
        false => Failure::Input(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Nested {
        name: &'static str,
        start: Option<Start>,
        list: Vec<&'static str>,
    }

    #[derive(Serialize)]
    struct Start {
        plies: u32,
    }

    impl Report for Nested {
        fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
            Ok(writeln!(out, "{}", self.name)?)
        }
    }

    fn printed(format: Format) -> String {
        let mut out = Vec::new();
        let mut printer = Printer { out: &mut out, format, titles: Vec::new() };
        for (name, start) in
            [("a,b", Some(Start { plies: 3 })), ("\"c\"", Some(Start { plies: 4 })), ("d", None)]
        {
            printer.print(&Nested { name, start, list: vec!["x", "y"] }).expect("memory");
        }
        printer.between("end").expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn one_report_has_three_forms() {
        assert_eq!(printed(Format::Text), "a,b\n\"c\"\nd\nend");
        assert_eq!(
            printed(Format::Json),
            "{\"format\":2,\"name\":\"a,b\",\"start\":{\"plies\":3},\"list\":[\"x\",\"y\"]}\n\
             {\"format\":2,\"name\":\"\\\"c\\\"\",\"start\":{\"plies\":4},\"list\":[\"x\",\"y\"]}\n\
             {\"format\":2,\"name\":\"d\",\"start\":null,\"list\":[\"x\",\"y\"]}\n"
        );
        assert_eq!(
            printed(Format::Csv),
            "name,start.plies,list\n\"a,b\",3,x y\n\"\"\"c\"\"\",4,x y\nname,start,list\nd,,x y\n"
        );
    }
}
