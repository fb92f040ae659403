//! Tells `retrograde --version` which commit it was built from, for which target, and with which features.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RETROGRADE_COMMIT");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let features = if env::var_os("CARGO_FEATURE_MAN").is_some() { "man" } else { "none" };
    // A build for tests does not ask: each commit would compile the program anew.
    let commit = match variable("RETROGRADE_COMMIT") {
        commit if !commit.is_empty() => commit,
        _ if variable("PROFILE") == "release" => commit_of_sources().unwrap_or_default(),
        _ => String::new(),
    };
    let commit = if commit.is_empty() { "unknown".to_owned() } else { commit };
    println!(
        "cargo::rustc-env=RETROGRADE_BUILD=commit: {commit}, target: {target}, features: {features}"
    );
}

/// The commit that is checked out where these sources lie, if they lie in a checkout of their own.
fn commit_of_sources() -> Option<String> {
    let git = |arguments: &[&str]| {
        let said = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(said.stdout).ok()?.trim().to_owned();
        (said.status.success() && !text.is_empty()).then_some(text)
    };
    // A crate from a registry may lie below somebody else's checkout.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // HEAD moves with each checkout, and its log with each commit.
    for file in ["HEAD", "logs/HEAD"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", file])?);
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
