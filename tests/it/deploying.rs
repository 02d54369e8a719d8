//! Image, compose file and releases beside each other.

use std::collections::BTreeSet;
use std::path::Path;

use lembra_agent::config::env::VARIABLES;
use lembra_agent::store::db;
use lembra_worker::runtime::Runtime;
use sea_orm::ConnectionTrait;

use crate::support::on_both_databases;
use crate::support::processes::Installation;

fn read(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_image_is_built_by_the_compiler_that_the_project_names() {
    let toolchain = read("rust-toolchain.toml");
    let channel = toolchain.split("channel = \"").nth(1).and_then(|rest| rest.split('"').next());
    let version = format!("ARG RUST_VERSION={}\n", channel.expect("a version"));
    assert!(read("Dockerfile").contains(&version), "{version}");
}

#[test]
fn compose_sets_what_is_a_setting_and_nothing_else() {
    let known: BTreeSet<&str> = VARIABLES.iter().map(|variable| variable.name).collect();
    // PostgreSQL's own, and those of the compose file itself.
    let others =
        ["POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "LEMBRA_TAG", "LEMBRA_LISTEN"];
    let is_name = |name: &str| {
        name.len() > 2 && name.chars().all(|sign| sign.is_ascii_uppercase() || sign == '_')
    };
    let compose = read("compose.yaml");
    let set = compose.lines().filter_map(|line| Some(line.split_once(": ")?.0.trim()));
    let asked = compose.split("${").skip(1);
    let asked = asked.filter_map(|rest| rest.split([':', '}']).next());
    let example = read("deploy/compose.env.example");
    let given: BTreeSet<&str> = example
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    let asked: BTreeSet<&str> = asked.collect();
    let all = set.chain(asked.iter().copied()).chain(given.iter().copied());
    let all: BTreeSet<&str> = all.filter(|name| is_name(name)).collect();
    assert!(all.contains("DATABASE_URL") && all.contains("LEMBRA_KEY"), "{all:?}");
    for name in all {
        assert!(known.contains(name) || others.contains(&name), "{name} is no setting");
    }
    for name in asked {
        assert!(given.contains(name), "deploy/compose.env.example lacks {name}");
    }
}

/// What a container's platform asks.
#[tokio::test(flavor = "multi_thread")]
async fn health_tells_a_process_that_is_ready_from_one_that_is_not_there() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let healthy = |installation: &Installation, arguments: &[&str]| {
        installation.bot(&[&["health"], arguments].concat()).status.success()
    };
    assert!(!healthy(&installation, &[]));
    installation.up().await;
    assert!(healthy(&installation, &[]));
    // Both are asked at their own ports.
    crate::support::until(20, "the worker is ready", || async {
        healthy(&installation, &["--worker"])
    })
    .await;
    installation.kill();
    assert!(!healthy(&installation, &[]));
    assert!(!healthy(&installation, &["--worker"]));
}

// While releases are exchanged, migrations come first, and the older release still starts again.
on_both_databases! {
    async fn a_release_starts_on_a_newer_schema_and_not_on_an_older_one(app: TestApp) {
        assert!(db::is_migrated(app.db()).await.unwrap());
        let newer = "INSERT INTO seaql_migrations (version, applied_at) \
                     VALUES ('m20991231_000001_of_a_later_release', 0)";
        app.db().execute_unprepared(newer).await.unwrap();
        assert!(db::is_migrated(app.db()).await.unwrap());
        assert!(Runtime::open(app.runtime.config.clone(), app.clock.clone()).await.is_ok());
        let older = "DELETE FROM seaql_migrations WHERE version LIKE 'm20261129_000003%'";
        app.db().execute_unprepared(older).await.unwrap();
        let missing = db::missing_migrations(app.db()).await.unwrap();
        assert_eq!(missing, ["m20261129_000003_jobs"]);
    }
}
