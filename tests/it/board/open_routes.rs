//! The table of routes, walked by somebody whom nobody knows.

use actix_web::http::Method;
use lembra_bot::access::Routes;
use lembra_bot::access::routes::{Access, Kind, Listed};

use crate::support::on_both_databases;
use crate::support::processes::Installation;

/// All that there is without signing in, and no more.
const OPEN: [(&str, &str); 13] = [
    // Signed by the platform, or behind a secret address.
    ("GET", "/webhooks/meta/{inbox_key}"),
    ("POST", "/webhooks/meta/{inbox_key}"),
    ("POST", "/webhooks/evolution/{inbox_key}"),
    ("POST", "/webhooks/evolution/{inbox_key}/{event:.*}"),
    // For monitors.
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    // What signing in needs.
    ("GET", "/assets/{file:.*}"),
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
    // The demo's platform and agenda ask for tokens of their own.
    ("GET", "/simulator/graph/{phone_number_id}"),
    ("POST", "/simulator/graph/{phone_number_id}/messages"),
    ("GET", "/demo/agenda/{rest:.*}"),
];

/// The whole table.
pub fn table() -> Vec<Listed> {
    let mut routes = Routes::for_reading();
    lembra_bot::app::routes(&mut routes);
    routes.into_listed()
}

/// A path with something in the place of each name: `{account}` is the account, and every other
/// name what `fill` says.
pub fn filled(path: &str, fill: impl Fn(&str) -> String) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("a name ends");
        filled.push_str(before);
        filled.push_str(&fill(name.split(':').next().unwrap_or(name)));
        rest = after;
    }
    filled + rest
}

#[test]
fn the_open_routes_are_the_named_ones() {
    let open = |route: &Listed| matches!(route.access, Access::Open(_));
    let mut found: Vec<(String, String)> = table()
        .into_iter()
        .filter(open)
        .map(|route| (route.method.to_string(), route.path))
        .collect();
    let mut named: Vec<(String, String)> =
        OPEN.iter().map(|(method, path)| ((*method).to_owned(), (*path).to_owned())).collect();
    found.sort_unstable();
    named.sort_unstable();
    assert_eq!(found, named);
}

#[test]
fn no_route_is_in_the_table_twice() {
    let mut seen = std::collections::BTreeSet::new();
    for route in table() {
        let path = filled(&route.path, |_| "{}".to_owned());
        assert!(seen.insert((route.method.to_string(), path)), "{} {}", route.method, route.path);
    }
}

on_both_databases! {
    async fn without_credentials_no_other_route_lets_anybody_in(app: TestApp) {
        let account = app.account().await;
        let (mut pages, mut calls) = (0, 0);
        for route in table() {
            if matches!(route.access, Access::Open(_) | Access::Simulator) {
                continue;
            }
            let path = filled(&route.path, |name| match name {
                "account" => account.to_string(),
                _ => "1".to_owned(),
            });
            let (method, name) = (route.method.clone(), format!("{} {}", route.method, route.path));
            let request = || {
                let url = format!("{}{path}", app.url);
                app.http.request(method.as_str().parse().expect("a method"), url)
            };
            let answer = request().send().await.expect("an answer");
            let status = answer.status().as_u16();
            match route.kind {
                Kind::Api => {
                    calls += 1;
                    assert_eq!(status, 401, "{name}");
                    let kind = answer.headers()["content-type"].to_str().expect("text");
                    assert_eq!(kind, "application/problem+json", "{name}");
                    for header in ["Bearer lembra_nonsense", "Bearer", "Basic bGVtYnJhOg=="] {
                        let answer = request().header("authorization", header).send().await;
                        assert_eq!(answer.expect("an answer").status(), 401, "{name}: {header}");
                    }
                }
                Kind::Page => {
                    pages += 1;
                    let location = answer.headers().get("location").cloned();
                    let location = location.as_ref().and_then(|to| to.to_str().ok());
                    let sent_away = status == 303 && location.is_some_and(|to| to.starts_with("/sign-in"));
                    assert!(sent_away || status == 401, "{name}: {status}");
                }
            }
            // A cookie that nobody gave out is none.
            let forged = request().header("cookie", "lembra=bm9uc2Vuc2U%3D").send().await;
            let status = forged.expect("an answer").status().as_u16();
            assert!([303, 401].contains(&status), "{name}: a forged cookie got {status}");
        }
        assert!(pages > 20 && calls > 20, "{pages} pages and {calls} calls: the table is elsewhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_another_device_the_simulator_lets_nobody_in() {
    let Some(installation) = Installation::newcomer().await else {
        return;
    };
    let client = lembra_agent::http::client(std::time::Duration::from_secs(10)).expect("a client");
    let mut walked = 0;
    for route in table().into_iter().filter(|route| route.access == Access::Simulator) {
        let path = filled(&route.path, |_| "1".to_owned());
        let url = format!("http://127.0.0.1:{}{path}", installation.port);
        for (name, value) in [("host", "lembra.example"), ("x-forwarded-for", "203.0.113.9")] {
            let method = route.method.as_str().parse().expect("a method");
            let request = client.request(method, &url).header(name, value);
            let request = request.header("x-requested-with", "lembra");
            let status = request.send().await.expect("an answer").status().as_u16();
            let refused = status == 401 || status == 303 && route.method == Method::GET;
            assert!(refused, "{} {path} with {name}: {status}", route.method);
        }
        walked += 1;
    }
    assert!(walked > 4, "{walked} routes");
}
