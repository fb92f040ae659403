//! The output of `--json` has the shapes in docs/json.schema.json.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::{results, run, write_file};

/// Checks an object against a schema. Knows the parts of the schema language that the page uses, and panics at others.
fn check(schema: &Json, all: &Json, value: &Json, at: &str) -> Result<(), String> {
    if *schema == Json::Bool(true) {
        return Ok(());
    }
    let wrong = |what: &str| Err(format!("{at}: {what}: {value}"));
    for (word, rule) in schema.as_object().unwrap_or_else(|| panic!("{at}: no schema is {schema}"))
    {
        match word.as_str() {
            "$ref" => {
                let name =
                    rule.as_str().and_then(|to| to.strip_prefix("#/$defs/")).expect("a name");
                check(&all["$defs"][name], all, value, at)?;
            }
            "const" if value != rule => return wrong(&format!("not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => return wrong("none of these"),
            "anyOf" => {
                let any = rule.as_array().unwrap();
                if any.iter().all(|one| check(one, all, value, at).is_err()) {
                    return wrong("none of several shapes");
                }
            }
            "type" => {
                let types = rule.as_array().cloned().unwrap_or(vec![rule.clone()]);
                let is = |kind: &Json| match kind.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("no type is called {other}"),
                };
                if !types.iter().any(is) {
                    return wrong(&format!("not {rule}"));
                }
            }
            "minimum" if value.as_i64().is_some_and(|number| number < rule.as_i64().unwrap()) => {
                return wrong("too small");
            }
            "minItems" | "maxItems" => {
                let bound = rule.as_u64().unwrap() as usize;
                let len = value.as_array().map_or(bound, Vec::len);
                if (word == "minItems" && len < bound) || (word == "maxItems" && len > bound) {
                    return wrong("of another length");
                }
            }
            "required" => {
                let missing = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|name| value.get(name.as_str().unwrap()).is_none());
                if let Some(missing) = missing {
                    return wrong(&format!("{missing} is missing"));
                }
            }
            "properties" | "additionalProperties" | "items" => {}
            "const" | "enum" | "minimum" | "description" => {}
            "minLength" | "maxLength" => {}
            other => panic!("this test does not know `{other}`"),
        }
    }
    // A named shape, and one of several, have their own items.
    let items = value.as_array().filter(|_| schema.get("items").is_some());
    for (place, item) in items.into_iter().flatten().enumerate() {
        check(&schema["items"], all, item, &format!("{at}[{place}]"))?;
    }
    for (name, entry) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(known), _) => check(known, all, entry, &at)?,
            (None, Json::Bool(false)) => return Err(format!("{at}: the page does not name it")),
            (None, Json::Null) => {}
            (None, other) => check(other, all, entry, &at)?,
        }
    }
    Ok(())
}

#[test]
fn json_has_the_shapes_that_the_page_promises() {
    let schema = include_str!("../../../../docs/json.schema.json");
    let schema: Json = serde_json::from_str(schema).expect("the schema is JSON");
    // A renaming of a word in all files once changed this address as well.
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    write_file("shapes-board.txt", "P..E\n.*..\n...T\n");
    write_file("shapes-cycle.txt", "a b\nb c\nc d\nd a\npolice a\npolice a\nthief c\n");
    write_file("shapes-round.txt", "a b\nb a\n");
    let text = include_str!("../../../../examples/games/pong-hau-ki.game");
    write_file("shapes-text.game", text);
    let mut shown = BTreeSet::new();
    for (command, shapes) in [
        ("solve pursuit shapes-board.txt --out shapes.table", &["solve"][..]),
        ("solve chase shapes-cycle.txt --police 2", &["solve"]),
        ("solve take --heaps 5 --take 1,2 --no-distance", &["solve"]),
        (
            "solve corner --piece rook --rows 3 --columns 3 --out shapes-less.table --no-distance",
            &["solve"],
        ),
        ("solve shapes-text.game --out shapes-text.table", &["solve"]),
        ("solve shapes-text.game --out shapes-disk.table --disk shapes-disk --plan", &["log_plan"]),
        ("solve shapes-text.game --out shapes-disk.table --disk shapes-disk", &["solve"]),
        (
            "solve quixo --size 3 --disk shapes-parts --memory 20M --out shapes-parts.table --plan",
            &["parts_plan"],
        ),
        ("info shapes-text.table", &["info"]),
        ("line shapes-text.table", &["line"]),
        ("rules shapes-text.game", &["rules"]),
        ("info shapes.table ", &["info"]),
        ("line pursuit shapes-board.txt", &["line"]),
        ("line chase shapes-cycle.txt --police 2", &["line"]),
        ("line take --heaps 5 --take 1,2", &["line"]),
        ("line graph shapes-round.txt --from a", &["line"]),
        ("list shapes.table", &["list"]),
        ("list shapes-less.table", &["list"]),
        ("info shapes.table", &["info"]),
        ("info shapes-less.table", &["info"]),
        ("verify shapes.table", &["verified"]),
        ("verify take --heaps 5 --take 1,2", &["verified"]),
        ("verify --rules shapes.table", &["audited"]),
        ("verify --checksums shapes.table", &["checked"]),
        ("build chess KQvK --out shapes-unmade --plan", &["plan"]),
        ("build chess KQvK KRvK --out shapes-chess", &["region", "built"]),
        ("build chess KQvK --out shapes-chess", &["built"]),
        ("build chess --out shapes-chess --repack", &["repacked"]),
        ("build chess KQvK --out shapes-chess --plan", &["plan"]),
        ("info --full shapes-chess", &["folder"]),
        ("info --full shapes.table", &["summary"]),
        ("info --full shapes-less.table", &["summary"]),
        ("info --full shapes-chess/KQvK.table", &["summary"]),
        ("verify --checksums shapes-chess", &["checked"]),
        ("verify --published shapes-chess", &["published"]),
        ("verify shapes-chess", &["verified"]),
        ("info shapes-chess/KQvK.table", &["info"]),
        ("info shapes-chess/KRvK.table --from 8/8/8/8/8/2k5/1R6/K7_w_-_-", &["info"]),
        ("list shapes-chess/KQvK.table", &["list"]),
        ("probe shapes-chess 8/8/8/8/8/2k5/1R6/K7_w_-_- 8/8/8/8/8/8/8/k1K5_w_-_-", &["position"]),
        ("line shapes-chess 8/8/8/8/8/2k5/1R6/K7_w_-_-", &["line"]),
        ("line shapes-chess 8/8/8/8/8/2k5/8/K7_w_-_-", &["line"]),
        ("build morris --men 3 --out shapes-morris", &["region", "built"]),
        ("info --full shapes-morris", &["folder"]),
        ("info --full shapes-morris/3-3.table", &["summary"]),
        ("info shapes-morris/3-3.table", &["info"]),
        ("info shapes-morris/p0-0-0.table --from start", &["info"]),
        ("probe shapes-morris start", &["probe"]),
        ("line shapes-morris start", &["line"]),
        ("games", &["games"]),
        ("games take", &["game"]),
        ("games tapatan", &["game"]),
    ] {
        let out = results(run(&format!("{command} --json")));
        assert!(!out.is_empty(), "{command}");
        let last = out.lines().count() - 1;
        for (place, line) in out.lines().enumerate() {
            let shape = shapes[if place == last { shapes.len() - 1 } else { 0 }];
            let object: Json = serde_json::from_str(line).expect("an object a line");
            let fits = check(&schema["$defs"][shape], &schema, &object, shape);
            fits.unwrap_or_else(|error| panic!("{command}: {error}"));
            assert!(line.starts_with("{\"format\":2,"), "{command}: {line}");
            shown.insert(shape);
        }
    }
    let list = results(run("list shapes.table"));
    let states = list.lines().filter_map(|line| line.split('\t').next());
    for state in states {
        let output = crate::program("probe shapes.table --json").arg(state).output();
        let out = results(crate::ran(output.expect("the program starts")));
        let object: Json = serde_json::from_str(&out).expect("one object");
        check(&schema["$defs"]["probe"], &schema, &object, "probe").expect("a probe");
        shown.insert("probe");
    }
    let output =
        crate::program("rules shapes-text.game --json --from").arg("first MM/m/.m").output();
    let out = results(crate::ran(output.expect("the program starts")));
    let object: Json = serde_json::from_str(&out).expect("one object");
    check(&schema["$defs"]["moves"], &schema, &object, "moves").expect("moves");
    assert!(out.starts_with("{\"format\":2,"), "{out}");
    shown.insert("moves");
    // Exactly the shapes with a row on the page.
    let page = include_str!("../../../../docs/json.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let mut named: BTreeSet<&str> = rows.flat_map(|row| row.split('`').step_by(2)).collect();
    // Several ranks print it, by another program.
    assert!(named.remove("ranks_plan"));
    assert_eq!(named, shown);
}
