//! Two accounts with like things: nothing of one is seen or changed from the other.

use lembra_bot::access::routes::{Access, Kind, Listed};
use reqwest::Method;
use serde_json::{Value, json};

use super::household::Household;
use super::open_routes::table;
use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::rows::everything;

/// What is said in each of the two accounts, and nowhere else.
const OURS: &str = "Pitanga";
const THEIRS: &str = "Jabuticaba";

/// Names in addresses that are words of the program, with one of them each: they are nobody's.
const WORDS: [(&str, &str); 8] = [
    ("code", "erro_interno"),
    ("flag", "recall"),
    ("section", "people"),
    ("queue", "replies"),
    ("schedule", "watch"),
    ("channel", "meta"),
    ("action", "retry"),
    ("status", "dead"),
];

/// What forms of pages send, all in one: each takes what it knows.
const FORM: [(&str, &str); 15] = [
    ("disabled", "true"),
    ("text", "oi"),
    ("minutes", "30"),
    ("name", "Novo nome"),
    ("content", "Gosta de outra coisa"),
    ("question", "Outra pergunta?"),
    ("answer", "Outra resposta."),
    ("enabled", "false"),
    ("confirm", "ESQUECER"),
    ("key", "cor"),
    ("value", "azul"),
    ("unit_id", ""),
    ("role", "viewer"),
    ("opt_out", "true"),
    ("status", "pending"),
];

/// What the API is sent, by the end of the address; nothing otherwise.
fn body(route: &Listed) -> Option<Value> {
    let ends = |end: &str| route.path.ends_with(end);
    let body = match route.method.as_str() {
        "PATCH" if ends("/memories/{id}") => json!({ "content": "Gosta de outra coisa" }),
        "PATCH" if ends("/contacts/{contact}") => json!({ "name": "Novo nome" }),
        "PATCH" if ends("/operators/{id}") => json!({ "name": "Novo nome" }),
        "PATCH" if ends("/units/{id}") => json!({ "name": "Novo nome" }),
        "PATCH" if ends("/tools/{tool}") => json!({ "description": "Outra coisa." }),
        "PATCH" if ends("/knowledge/{id}") => json!({ "question": "Outra pergunta?" }),
        "POST" if ends("/conversations/{conversation}/messages") => json!({ "text": "oi" }),
        "POST" if ends("/pause") => json!({ "minutes": 30 }),
        "PUT" if ends("/mark") => json!({ "mark": "right" }),
        "POST" if ends("/try") => json!({ "arguments": { "sku": "1" }, "confirm": true }),
        "PATCH" | "PUT" => json!({}),
        _ => return None,
    };
    Some(body)
}

/// The segments before the ids of a path; empty where it names nothing of an account.
fn named(path: &str) -> Vec<&str> {
    let parts: Vec<&str> = path.split('/').collect();
    let ids = parts.windows(2).filter(|pair| {
        let name = pair[1].trim_matches(['{', '}']);
        pair[1].starts_with('{')
            && name != "account"
            && !WORDS.iter().any(|(word, _)| *word == name)
    });
    ids.map(|pair| pair[0]).collect()
}

/// The path with ids in it: the last of `other` is used for the last `foreign` ones, and before
/// these stand our own.
fn address(path: &str, ours: &Household, other: &Household, foreign: usize) -> String {
    let count = named(path).len();
    let (mut before, mut place) = ("", 0);
    let mut filled = Vec::new();
    for part in path.split('/') {
        let name = part.trim_matches(['{', '}']);
        let word = WORDS.iter().find(|(word, _)| *word == name);
        filled.push(match word {
            _ if !part.starts_with('{') => part.to_owned(),
            _ if name == "account" => ours.account.to_string(),
            Some((_, value)) => (*value).to_owned(),
            None => {
                place += 1;
                let whose = if place > count - foreign { other } else { ours };
                let id = whose.ids.get(before);
                id.unwrap_or_else(|| panic!("{path}: the household has no {before}")).clone()
            }
        });
        before = part;
    }
    filled.join("/")
}

/// Asks as an operator or a program of this household; answers status and text.
async fn ask(app: &TestApp, who: &Household, route: &Listed, path: &str) -> (u16, String) {
    let method: Method = route.method.as_str().parse().expect("a method");
    match route.kind {
        Kind::Api => who.call_at(app, method, path, body(route)).await,
        Kind::Page if method == Method::GET => {
            // What parts of a thread say of where they go on.
            let parts = if path.contains('?') { "" } else { "?first=1&before=1" };
            let answer = who.operator.get(&format!("{path}{parts}")).await;
            (answer.status, answer.body)
        }
        Kind::Page => {
            let answer = who.operator.send(method, path, &FORM).await;
            (answer.status, answer.body)
        }
    }
}

/// Routes that ask for somebody of an account; not those for whoever runs the instance.
fn guarded() -> Vec<Listed> {
    use lembra_agent::domain::access::Permission::InstanceRun;
    let guarded = table().into_iter().filter(|route| match route.access {
        Access::Needs(permission) => permission != InstanceRun,
        // A program has no sessions, whatever it asks for; the page's route is asked as well.
        Access::Signed => !route.path.ends_with("/me/sessions/{session}"),
        Access::Open(_) | Access::Simulator => false,
    });
    guarded.collect()
}

/// A stream has no end.
fn is_stream(route: &Listed) -> bool {
    route.path == "/live"
}

on_both_databases! {
    async fn what_another_account_has_is_not_found_and_stays_as_it_is(app: TestApp) {
        let ours = Household::first(&app, OURS).await;
        let theirs = Household::another(&app, THEIRS).await;
        let mark = |rows: Vec<(String, String)>| {
            let mut rows: Vec<_> = rows
                .into_iter()
                .filter(|(_, row)| row.contains(&format!("\"account_id\":{}", theirs.account)))
                .collect();
            rows.sort_unstable();
            rows
        };
        let before = mark(everything(&app).await);
        assert!(before.len() > 20, "{before:?}");
        let (mut asked, mut wrong) = (0, Vec::new());
        for route in guarded() {
            let ids = named(&route.path).len();
            for foreign in 1..=ids {
                let path = address(&route.path, &ours, &theirs, foreign);
                let (status, _) = ask(&app, &ours, &route, &path).await;
                asked += 1;
                if status != 404 {
                    wrong.push(format!("{} {} ({path}): {status}", route.method, route.path));
                }
            }
            if route.kind == Kind::Api && route.path.contains("{account}") {
                // All of it in the other account, asked with our token.
                let path = address(&route.path, &theirs, &theirs, ids);
                let (status, _) = ask(&app, &ours, &route, &path).await;
                asked += 1;
                if status != 404 {
                    wrong.push(format!("{} {} of the other account: {status}", route.method, path));
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(asked > 150, "{asked}: the table is elsewhere");
        assert_eq!(mark(everything(&app).await), before);
    }

    async fn the_same_addresses_with_ones_own_ids_are_found(app: TestApp) {
        let ours = Household::first(&app, OURS).await;
        let mut wrong = Vec::new();
        for route in guarded().into_iter().filter(|route| route.method == "GET") {
            // No message of the household has a file.
            if named(&route.path).is_empty() || route.path.ends_with("/file") {
                continue;
            }
            let path = address(&route.path, &ours, &ours, 0);
            let path = match route.path.rsplit('/').next() {
                Some("live") => format!("{path}?first=1"),
                Some("older") => format!("{path}?before=999999"),
                _ => path,
            };
            let (status, _) = ask(&app, &ours, &route, &path).await;
            if status != 200 {
                wrong.push(format!("{} ({path}): {status}", route.path));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    async fn no_list_page_or_search_shows_a_word_of_another_account(app: TestApp) {
        let ours = Household::first(&app, OURS).await;
        let theirs = Household::another(&app, THEIRS).await;
        let inbox = &theirs.ids["inboxes"];
        let (unit, account) = (&theirs.ids["units"], theirs.account);
        // What is looked for stands in the page that shows what was looked for: so by a part.
        let mut queries = vec![String::new()];
        queries.extend(["q", "search"].map(|name| format!("?{name}=abuticab")));
        queries.push(format!("?unit={unit}&line={inbox}&inbox={inbox}&account_id={account}"));
        let (mut seen, mut own) = (0, 0);
        for route in guarded() {
            if route.method != "GET" || !named(&route.path).is_empty() || is_stream(&route) {
                continue;
            }
            let path = address(&route.path, &ours, &ours, 0);
            for query in &queries {
                let (status, text) = ask(&app, &ours, &route, &format!("{path}{query}")).await;
                assert!(status < 500, "{path}{query}: {status}");
                assert!(!text.contains(THEIRS), "{path}{query} shows {THEIRS}: {text}");
                seen += 1;
                own += usize::from(text.contains(OURS));
            }
        }
        assert!(seen > 60 && own > 20, "{own} of {seen} show what is our own");
    }
}
