//! What both normalisers make of bodies of our own, and of those bodies damaged.

use std::path::Path;
use std::sync::LazyLock;

use chrono::DateTime;
use proptest::prelude::*;
use proptest::sample::Index;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::evolution::auth::{Shown, is_allowed};
use super::reading::{self, Provider};
use super::{evolution, meta};
use crate::domain::message::InboundEvent;

const PROVIDERS: [(&str, Provider); 2] =
    [("meta", Provider::Meta), ("evolution", Provider::Evolution)];

/// Provider, name and body of every fixture, in the order of their names.
static FIXTURES: LazyLock<Vec<(Provider, String, Vec<u8>)>> = LazyLock::new(|| {
    let mut fixtures = Vec::new();
    for (folder, provider) in PROVIDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/channels").join(folder);
        let files = std::fs::read_dir(folder.join("fixtures")).expect("a folder").flatten();
        let mut files: Vec<_> = files.map(|file| file.path()).collect();
        files.sort();
        for file in files {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            fixtures.push((provider, name, std::fs::read(&file).expect("a body")));
        }
    }
    assert!(fixtures.len() > 100, "the fixtures are not there");
    fixtures
});

fn events(provider: Provider, body: &[u8]) -> Vec<InboundEvent> {
    let received_at = DateTime::from_timestamp(1_790_009_999, 0).expect("an instant");
    let arrival = evolution::Arrival { path_event: None, received_at };
    match provider {
        Provider::Meta => meta::normalize(body),
        Provider::Evolution => evolution::normalize(body, &arrival),
    }
}

/// One snapshot for each body: what it is normalised to.
#[test]
fn every_kind_is_read_as_in_its_snapshot() {
    for (folder, which) in PROVIDERS {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(format!("{folder}/snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            for (_, name, body) in FIXTURES.iter().filter(|(provider, ..)| *provider == which) {
                insta::assert_json_snapshot!(name.as_str(), events(which, body));
            }
        });
    }
}

#[test]
fn the_event_of_the_path_serves_where_the_body_names_none() {
    let body = json!({ "instance": "clinica", "data": { "state": "open" } }).to_string();
    let received_at = DateTime::UNIX_EPOCH;
    let arrival = evolution::Arrival { path_event: Some("connection-update"), received_at };
    let events = evolution::normalize(body.as_bytes(), &arrival);
    assert!(matches!(events.as_slice(), [InboundEvent::System(_)]), "{events:?}");
}

/// A value to put in the place of another.
fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!({})),
        Just(json!([])),
        Just(json!([[[]], null, 1, "x"])),
        Just(json!({ "low": i64::MIN, "high": i64::MAX })),
        Just(json!({ "message": { "message": { "message": {} } } })),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[0-9:_@+-]{0,24}(@lid|@g\\.us|@s\\.whatsapp\\.net)?".prop_map(Value::from),
    ]
}

/// Replaces the value at a place chosen by `at`, counted over all values of the tree.
fn replace(root: &mut Value, at: Index, new: Value) {
    fn count(value: &Value) -> usize {
        1 + match value {
            Value::Object(fields) => fields.values().map(count).sum(),
            Value::Array(items) => items.iter().map(count).sum(),
            _ => 0,
        }
    }
    fn put(value: &mut Value, left: &mut usize, new: &Value) {
        if *left == 0 {
            *value = new.clone();
            *left = usize::MAX;
            return;
        }
        *left -= 1;
        match value {
            Value::Object(fields) => fields.values_mut().for_each(|value| put(value, left, new)),
            Value::Array(items) => items.iter_mut().for_each(|value| put(value, left, new)),
            _ => {}
        }
    }
    let mut left = at.index(count(root));
    put(root, &mut left, &new);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn no_value_in_any_place_makes_a_normaliser_panic(
        which in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), odd_value()), 1..4),
    ) {
        let (provider, _, body) = which.get(&FIXTURES);
        let mut root: Value = serde_json::from_slice(body).expect("fixtures are JSON");
        for (at, new) in changes {
            replace(&mut root, at, new);
        }
        let body = root.to_string();
        // Something is always said, and it can always be told.
        prop_assert!(!events(*provider, body.as_bytes()).is_empty());
        prop_assert!(!reading::read(*provider, "a", body.as_bytes()).is_empty());
        let kept = evolution::storable(body.as_bytes());
        prop_assert!(serde_json::from_str::<Value>(&kept).is_ok());
    }

    #[test]
    fn no_damaged_bytes_make_a_normaliser_panic(
        which in any::<Index>(),
        cut in any::<Index>(),
        flips in prop::collection::vec((any::<Index>(), any::<u8>()), 0..6),
    ) {
        let (provider, _, body) = which.get(&FIXTURES);
        let mut body = body.clone();
        for (at, byte) in flips {
            let at = at.index(body.len());
            body[at] = byte;
        }
        body.truncate(cut.index(body.len()) + 1);
        prop_assert!(!events(*provider, &body).is_empty());
        evolution::storable(&body);
    }

    #[test]
    fn no_header_makes_the_authentication_panic_or_pass(
        authorization in prop::option::of("(Bearer )?[A-Za-z0-9_.=+/ -]{0,80}"),
        secret_header in prop::option::of(".{0,40}"),
        signature in prop::option::of(".{0,80}"),
        body in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let secret = SecretString::from("a secret that nobody guesses by chance");
        let shown = Shown {
            authorization: authorization.as_deref(),
            secret_header: secret_header.as_deref(),
        };
        let now = DateTime::UNIX_EPOCH;
        prop_assert!(!is_allowed(Some(&secret), None, shown, now));
        prop_assert!(!is_allowed(None, Some(&secret), shown, now));
        prop_assert!(!meta::auth::is_signed(&secret, &body, signature.as_deref()));
    }
}
