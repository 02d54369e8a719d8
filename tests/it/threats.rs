//! The threats of ARCHITECTURE.md, each with tests that exist, and documents for operators that point
//! to what is there.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All sources as one text, those of the tests first.
fn sources() -> String {
    let mut folders: Vec<PathBuf> = ["tests/it", "agent/src", "bot/src", "worker/src"]
        .iter()
        .map(|folder| root().join(folder))
        .collect();
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&std::fs::read_to_string(path).expect("a text"));
            }
        }
    }
    text
}

#[test]
fn every_threat_names_tests_that_exist() {
    let text = read("ARCHITECTURE.md");
    let section = text.split("## Threats").nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 12, "{} rows", rows.len());
    let sources = sources();
    for row in rows {
        let held_by = row.trim_end_matches(['|', ' ']).rsplit('|').next().expect("a column");
        let names: Vec<&str> = held_by.split('`').skip(1).step_by(2).collect();
        assert!(names.len() >= 2, "{row}");
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "{name} is no test: {row}");
        }
    }
}

#[test]
fn what_operators_read_points_to_files_that_exist() {
    for document in ["SECURITY.md", "docs/deploy.md", "docs/backup.md", "docs/observability.md"] {
        let text = read(document);
        let folder = root().join(document);
        let folder = folder.parent().expect("a folder");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let path = link.split('#').next().unwrap_or_default();
            assert!(folder.join(path).exists(), "{document}: {link}");
        }
        // Paths that are only named.
        for name in text.split('`').skip(1).step_by(2) {
            let ours = ["deploy/", "tests/", "docs/"].iter().any(|start| name.starts_with(start));
            if ours && !name.contains(' ') {
                assert!(root().join(name).exists(), "{document}: {name}");
            }
        }
    }
}
