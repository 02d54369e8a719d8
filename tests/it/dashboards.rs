//! The dashboard, the alert rules and the list of metrics name what the code counts, under the
//! labels that it counts by.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a metric is; a histogram is read under names with a suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

#[derive(Debug)]
struct Metric {
    kind: Kind,
    labels: BTreeSet<String>,
}

type Metrics = BTreeMap<String, Metric>;

const SUFFIXES: [&str; 3] = ["_bucket", "_sum", "_count"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn sources() -> Vec<String> {
    let mut folders: Vec<PathBuf> =
        ["agent/src", "bot/src", "worker/src"].iter().map(|folder| root().join(folder)).collect();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                texts.push(std::fs::read_to_string(path).expect("a text"));
            }
        }
    }
    texts
}

/// The texts in quotation marks in what a macro is given, up to the bracket that closes it.
fn quoted(arguments: &str) -> Vec<(&str, bool)> {
    let (mut found, mut depth, mut from) = (Vec::new(), 1, None);
    for (at, sign) in arguments.char_indices() {
        match (sign, from) {
            ('"', None) => from = Some(at + 1),
            ('"', Some(begin)) => {
                let is_label = arguments[at + 1..].trim_start().starts_with("=>");
                found.push((&arguments[begin..at], is_label));
                from = None;
            }
            ('(', None) => depth += 1,
            (')', None) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Everything that the code counts.
fn counted() -> Metrics {
    let macros = [
        ("metrics::counter!(", Kind::Counter),
        ("metrics::gauge!(", Kind::Gauge),
        ("metrics::histogram!(", Kind::Histogram),
    ];
    let mut metrics = Metrics::new();
    for text in sources() {
        for (word, kind) in macros {
            for arguments in text.split(word).skip(1) {
                let texts = quoted(arguments);
                let (name, is_label) = texts.first().expect("a metric has a name");
                assert!(!is_label, "a metric begins with its name: {name}");
                let labels = texts.iter().filter(|(_, is_label)| *is_label);
                let labels = labels.map(|(label, _)| (*label).to_owned());
                let metric = metrics
                    .entry((*name).to_owned())
                    .or_insert_with(|| Metric { kind, labels: BTreeSet::new() });
                assert_eq!(metric.kind, kind, "{name} is two things");
                metric.labels.extend(labels);
            }
        }
    }
    assert!(metrics.len() > 30, "the metrics are elsewhere: {metrics:?}");
    metrics
}

fn is_part_of_a_name(sign: char) -> bool {
    sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_'
}

/// Names of ours in a text, each with what stands in the braces behind it.
fn named(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for prefix in ["lembra_", "captain_"] {
        for (at, _) in text.match_indices(prefix) {
            if text[..at].chars().next_back().is_some_and(is_part_of_a_name) {
                continue;
            }
            let rest = &text[at..];
            let end = rest.find(|sign| !is_part_of_a_name(sign)).unwrap_or(rest.len());
            let behind = rest[end..].strip_prefix('{').and_then(|rest| rest.split('}').next());
            found.push((&rest[..end], behind.unwrap_or_default()));
        }
    }
    found
}

/// The metric that a name in a query reads.
fn behind<'a>(metrics: &'a Metrics, name: &str) -> Option<&'a Metric> {
    let whole = metrics.get(name).filter(|metric| metric.kind != Kind::Histogram);
    let of_histogram = || {
        let base = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix))?;
        metrics.get(base).filter(|metric| metric.kind == Kind::Histogram)
    };
    whole.or_else(of_histogram)
}

/// Labels in a selector: `queue=~"a|b", state="dead"`.
fn selected(selector: &str) -> Vec<&str> {
    let mut labels = Vec::new();
    for (number, part) in selector.split('"').enumerate() {
        // Values stand between every other pair of marks.
        if number % 2 == 0 {
            let label = part.trim_matches(|sign: char| !is_part_of_a_name(sign));
            labels.extend((!label.is_empty()).then_some(label));
        }
    }
    labels
}

/// Labels by which a query groups: those after each `by`.
fn grouped(query: &str) -> Vec<&str> {
    let lists = query.split(" by (").skip(1).filter_map(|rest| rest.split(')').next());
    lists.flat_map(|list| list.split(',').map(str::trim)).collect()
}

fn check(metrics: &Metrics, query: &str) {
    let mut known = BTreeSet::new();
    for (name, selector) in named(query) {
        let metric = behind(metrics, name);
        let metric = metric.unwrap_or_else(|| panic!("nothing counts {name}: {query}"));
        for label in selected(selector) {
            assert!(metric.labels.contains(label), "{name} has no label {label}: {query}");
        }
        known.extend(metric.labels.iter().map(String::as_str));
    }
    for label in grouped(query) {
        assert!(label == "le" || known.contains(label), "no label {label}: {query}");
    }
}

/// The queries of every panel.
fn of_dashboard() -> Vec<String> {
    let dashboard: Value =
        serde_json::from_str(&read("deploy/grafana/lembra.json")).expect("is JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    targets.map(|target| target["expr"].as_str().expect("a query").to_owned()).collect()
}

/// The queries of every rule: what follows `expr:`, over as many lines as are further indented.
fn of_rules() -> Vec<String> {
    let text = read("deploy/prometheus/alerts.yml");
    let mut queries: Vec<String> = Vec::new();
    let mut inside = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if inside.is_some_and(|at| indent > at) {
            let query = queries.last_mut().expect("a query was begun");
            query.push(' ');
            query.push_str(line.trim());
        } else if let Some(query) = line.trim_start().strip_prefix("expr:") {
            inside = Some(indent);
            queries.push(query.trim().trim_start_matches(">-").to_owned());
        } else {
            inside = None;
        }
    }
    assert_eq!(queries.len(), text.matches("- alert:").count(), "a query per alert");
    queries
}

#[test]
fn the_dashboard_and_the_alert_rules_name_only_what_is_counted() {
    let metrics = counted();
    let queries = [of_dashboard(), of_rules()].concat();
    assert!(queries.len() > 40, "the queries are elsewhere");
    for query in &queries {
        let of_prometheus = query.starts_with("up{");
        assert!(of_prometheus || !named(query).is_empty(), "names nothing of ours: {query}");
        check(&metrics, query);
    }
}

#[test]
fn the_list_of_metrics_is_complete_and_says_their_labels() {
    let metrics = counted();
    let document = read("docs/observability.md");
    let rows = document
        .lines()
        .filter(|line| line.starts_with("| `lembra_") || line.starts_with("| `captain_"));
    let mut listed = BTreeMap::new();
    for row in rows {
        let mut words = row.split('`').skip(1).step_by(2);
        let name = words.next().expect("a name");
        let labels = row.split('|').nth(2).expect("labels").split('`').skip(1).step_by(2);
        let labels: BTreeSet<String> = labels.map(str::to_owned).collect();
        assert!(listed.insert(name.to_owned(), labels).is_none(), "{name} is listed twice");
    }
    let counted: BTreeMap<String, BTreeSet<String>> =
        metrics.into_iter().map(|(name, metric)| (name, metric.labels)).collect();
    assert_eq!(listed, counted);
}

/// Seed 002 §13.
#[test]
fn the_seven_metrics_of_memory_have_the_names_kinds_and_labels_that_were_asked_for() {
    let metrics = counted();
    let seven: [(&str, Kind, &[&str]); 7] = [
        ("captain_memory_extraction_count", Kind::Counter, &["account", "type"]),
        // It only grows; the library's counters know whole numbers only.
        ("captain_memory_extraction_cost_brl", Kind::Gauge, &["account"]),
        ("captain_memory_extraction_latency_seconds", Kind::Histogram, &[]),
        ("captain_memory_recall_hit_rate", Kind::Gauge, &[]),
        ("captain_memory_recall_latency_seconds", Kind::Histogram, &[]),
        ("captain_memory_active_facts_count", Kind::Gauge, &["account"]),
        ("captain_memory_supersedence_count", Kind::Counter, &["type"]),
    ];
    for (name, kind, labels) in seven {
        let metric = metrics.get(name).unwrap_or_else(|| panic!("nothing counts {name}"));
        assert_eq!(metric.kind, kind, "{name}");
        assert_eq!(metric.labels.iter().map(String::as_str).collect::<Vec<_>>(), labels, "{name}");
    }
}

#[test]
fn the_check_notices_what_is_wrong() {
    let metrics = counted();
    let wrong = [
        "sum(rate(lembra_webhook_total[5m]))",
        "rate(lembra_turn_seconds[5m])",
        "lembra_transport_up_count",
        r#"lembra_jobs{status="dead"}"#,
        "sum by (queues) (lembra_jobs)",
    ];
    for query in wrong {
        assert!(std::panic::catch_unwind(|| check(&metrics, query)).is_err(), "{query}");
    }
    check(&metrics, r#"sum by (le) (rate(lembra_turn_seconds_bucket[5m]))"#);
    check(&metrics, r#"max by (queue) (lembra_jobs{queue=~"replies|outbound", state="dead"})"#);
}
