//! The house rules that a compiler does not keep: arrows between rooms, the purity of the domain,
//! small files.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("a folder")
}

/// Rust files below a folder, with their text, by path from the root.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a text");
                let name = path.strip_prefix(root()).expect("below the root");
                found.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

const CRATES: [&str; 6] = ["agent", "bot", "worker", "entities", "migration", "tests"];

/// The lines of code in which a word stands, comments left out.
fn naming<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| line.contains(word)).collect()
}

#[test]
fn files_stay_under_400_lines() {
    for folder in CRATES {
        for (file, text) in sources(folder) {
            assert!(text.lines().count() < 400, "{file}: {} lines", text.lines().count());
        }
    }
}

#[test]
fn the_domain_is_pure() {
    let forbidden = [
        "async ",
        ".await",
        "std::fs",
        "std::net",
        "std::env",
        "tokio",
        "sea_orm",
        "reqwest",
        "tracing",
        "metrics::",
        "crate::store",
        "crate::services",
        "crate::jobs",
        "crate::channels",
        "crate::llm",
        "crate::config",
        "crate::clock",
        "SystemTime",
        "Instant::now",
    ];
    let rules = sources("agent/src/domain");
    for (file, text) in rules.into_iter().filter(|(file, _)| !file.contains("/tests")) {
        for word in forbidden {
            assert_eq!(naming(&text, word), Vec::<&str>::new(), "{file}: {word}");
        }
    }
}

#[test]
fn arrows_inside_agent_point_one_way() {
    let layers = [
        ("agent/src/config", vec!["store", "services", "jobs", "channels", "llm"]),
        ("agent/src/channels", vec!["store", "services", "jobs", "llm"]),
        ("agent/src/llm", vec!["store", "services", "jobs", "channels"]),
        ("agent/src/store", vec!["services", "jobs", "channels", "llm"]),
        ("agent/src/jobs", vec!["services", "channels", "llm"]),
    ];
    for (folder, forbidden) in layers {
        for (file, text) in sources(folder) {
            for module in &forbidden {
                let word = format!("crate::{module}");
                assert_eq!(naming(&text, &word), Vec::<&str>::new(), "{file}: {word}");
            }
        }
    }
}

#[test]
fn arrows_between_crates_point_one_way() {
    let allowed = [
        ("entities", vec![]),
        ("migration", vec![]),
        ("agent", vec!["lembra-entities", "lembra-migration"]),
        ("worker", vec!["lembra-agent", "lembra-migration"]),
        ("bot", vec!["lembra-agent", "lembra-entities", "lembra-migration", "lembra-worker"]),
    ];
    for (name, allowed) in allowed {
        let manifest =
            std::fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        let dependencies = manifest.split("[dependencies]").nth(1).expect("a section");
        let named = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        for dependency in named.filter(|dependency| dependency.starts_with("lembra-")) {
            assert!(allowed.contains(&dependency), "{name} → {dependency}");
        }
        if name != "worker" && name != "bot" {
            assert!(!dependencies.contains("actix"), "{name} knows an HTTP server");
        }
    }
}

#[test]
fn apalis_is_named_in_worker_and_in_one_file_of_agent() {
    for folder in ["agent", "bot", "entities", "migration"] {
        for (file, text) in sources(folder) {
            if file != "agent/src/jobs/transport.rs" {
                assert_eq!(naming(&text, "apalis"), Vec::<&str>::new(), "{file}");
            }
        }
    }
}

#[test]
fn migrations_do_not_change_with_todays_rows() {
    for (file, text) in sources("migration") {
        assert_eq!(naming(&text, "lembra_entities"), Vec::<&str>::new(), "{file}");
    }
}

#[test]
fn every_file_begins_with_what_it_holds() {
    for folder in CRATES {
        for (file, text) in sources(folder) {
            let inner = file.ends_with("/tests.rs") || file.contains("/tests/");
            if !inner || folder == "tests" {
                assert!(text.starts_with("//! ") || text.starts_with("#!["), "{file}");
            }
        }
    }
}

#[test]
fn nothing_is_left_undone() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX", "#[ignore"];
    for folder in ["agent", "bot", "worker", "entities", "migration"] {
        for (file, text) in sources(folder) {
            for mark in marks {
                assert_eq!(naming(&text, mark), Vec::<&str>::new(), "{file}");
            }
        }
    }
}

/// A test that is set aside holds nothing, unless a script of the project runs it.
#[test]
fn a_test_is_set_aside_only_for_a_script_that_runs_it() {
    let script = root().join("tests/screenshots");
    assert!(std::fs::read_to_string(script).expect("a script").contains("--ignored"));
    for (file, text) in sources("tests") {
        let mut aside = text.lines().filter(|line| line.trim_start().starts_with("#[ignore"));
        let is_run = file == "tests/it/browser/screenshots.rs";
        assert!(is_run || aside.next().is_none(), "{file}");
    }
}

/// A route that is added elsewhere has no guard.
#[test]
fn routes_are_added_through_the_table_alone() {
    let homes = ["bot/src/access/routes.rs", "bot/src/demo_agenda/routes.rs"];
    let adding = [".route(", "web::resource(", ".service(web::", "web::get()", "web::post()"];
    for (file, text) in sources("bot/src") {
        if homes.contains(&file.as_str()) {
            continue;
        }
        for word in adding {
            assert!(naming(&text, word).is_empty(), "{file}: {word}");
        }
    }
}

/// What people read in the panel stands in `templates`, in one place.
#[test]
fn pages_hold_no_portuguese() {
    let tests = |text: &str| text.find("#[cfg(test)]").unwrap_or(text.len());
    for (file, text) in sources("bot/src/pages") {
        for line in naming(&text[..tests(&text)], "\"") {
            let accented = line.chars().any(|sign| "áàâãéêíóôõúçÁÂÃÉÊÍÓÔÕÚÇ".contains(sign));
            assert!(!accented, "{file}: {line}");
        }
    }
}

/// askama renders nothing of a block that stands within a condition or a loop, when the block is
/// what is asked for.
#[test]
fn no_block_of_a_page_stands_within_a_condition() {
    let mut folders = vec![root().join("templates/pages")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            let mut open = Vec::new();
            for tag in text.split("{%").skip(1) {
                let word = tag.trim_start_matches('-').split_whitespace().next().unwrap_or("");
                match word {
                    "if" | "for" | "match" => open.push(word),
                    "endif" | "endfor" | "endmatch" | "endblock" => {
                        open.pop();
                    }
                    "block" => {
                        let within = open.iter().any(|word| *word != "block");
                        assert!(
                            !within,
                            "{}: {}",
                            path.display(),
                            tag.lines().next().unwrap_or("")
                        );
                        open.push(word);
                    }
                    _ => {}
                }
            }
        }
    }
}
