//! Documents that are checked against the code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lembra_agent::config::env::VARIABLES;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_readmes_table_and_env_example_name_exactly_the_settings_that_are_read() {
    let known: BTreeSet<&str> = VARIABLES.iter().map(|variable| variable.name).collect();
    let example = read(".env.example");
    let named = example.lines().filter_map(|line| {
        let line = line.strip_prefix("# ").unwrap_or(line);
        let (name, _) = line.split_once('=')?;
        name.chars().all(|c| c.is_ascii_uppercase() || c == '_').then_some(name)
    });
    assert_eq!(named.collect::<BTreeSet<_>>(), known);
    let readme = read("README.md");
    for variable in VARIABLES {
        let row = format!("| `{}` | {} | {} |", variable.name, variable.default, variable.meaning);
        assert!(readme.contains(&row), "the README lacks the row\n{row}");
    }
    let rows = readme.lines().filter(|line| line.starts_with("| `") && line.ends_with('|'));
    let rows = rows.filter_map(|line| line.split('`').nth(1));
    let rows: BTreeSet<&str> =
        rows.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')).collect();
    assert_eq!(rows, known);
}

#[test]
fn pictures_and_files_that_the_documents_point_to_exist() {
    for document in ["README.md", "ARCHITECTURE.md"] {
        let text = read(document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let path = target.split('#').next().unwrap_or_default();
            assert!(root().join(path).exists(), "{document}: {target}");
        }
    }
}

#[test]
fn every_dependency_says_what_it_is_for() {
    let manifest = read("Cargo.toml");
    let section = manifest.split("[workspace.dependencies]").nth(1).expect("a section");
    let section = section.split("\n[").next().unwrap_or_default();
    let declared = |line: &&str| line.contains(" = ") && !line.starts_with("lembra-");
    for line in section.lines().filter(declared) {
        let reason = line.rsplit(" # ").next().unwrap_or_default();
        assert!(line.contains(" # ") && reason.len() >= 7, "{line}");
    }
}

#[test]
fn every_pain_of_other_bots_names_tests_that_exist() {
    let text = read("ARCHITECTURE.md");
    let table = text.split("## What hurts other bots").nth(1).expect("the section");
    let table = table.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 25, "one row per pain");
    let mut sources = String::new();
    for entry in std::fs::read_dir(root().join("tests/it")).expect("the tests").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&std::fs::read_to_string(entry.path()).expect("can be read"));
        }
    }
    for row in rows {
        let names: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            let exists = match name.contains('/') {
                true => root().join(name).exists() || root().join("agent/src").join(name).exists(),
                false => sources.contains(&format!("fn {name}(")),
            };
            assert!(exists, "{name} is no test: {row}");
        }
    }
}
