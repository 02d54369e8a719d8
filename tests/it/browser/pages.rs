//! All pages there are: found by following the links of each, and held against the table of routes,
//! so that none is forgotten.

use std::collections::BTreeMap;

use lembra_bot::access::Routes;
use lembra_bot::access::routes::{Access, Kind};
use serde_json::Value;

use super::page::Browser;

/// What the table has beside pages: parts of them, streams and files.
const NO_PAGES: [&str; 16] = [
    "/nav",
    "/live",
    "/conversations/rows",
    "/conversations/{conversation}/live",
    "/conversations/{conversation}/older",
    "/conversations/{conversation}/messages/{message}/file",
    "/contacts/{contact}/memories/{id}",
    "/contacts/{contact}/memories/{id}/edit",
    "/contacts/{contact}/export",
    "/curation/export",
    "/knowledge/{id}/row",
    "/knowledge/{id}/edit",
    "/reports/csv",
    "/simulator/state",
    "/simulator/events",
    "/tools/{id}/try",
];

/// Follows links from the first page; of each kind of address it keeps the first that it meets.
const CRAWL: &str = r"
const [patterns, done] = arguments;
const kinds = patterns.map(pattern => new RegExp(`^${pattern}$`));
const found = {}, queue = ['/'];
const meet = path => {
    const kind = kinds.findIndex(pattern => pattern.test(path));
    if (kind >= 0 && !(patterns[kind] in found)) { found[patterns[kind]] = path; queue.push(path); }
};
(async () => {
    meet('/');
    for (let path; (path = queue.shift()); ) {
        const answer = await fetch(path);
        if (!answer.ok || !answer.headers.get('content-type').startsWith('text/html')) continue;
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        for (const link of page.querySelectorAll('a[href]')) {
            const to = new URL(link.getAttribute('href'), location.origin + path);
            if (to.origin === location.origin) meet(to.pathname);
        }
    }
})().then(() => done(found), error => done({ error: String(error) }));
";

/// Addresses of the pages that an operator can reach, one of each kind.
pub async fn all(browser: &Browser) -> Vec<String> {
    let mut routes = Routes::for_reading();
    lembra_bot::app::routes(&mut routes);
    let listed = routes.into_listed().into_iter().filter(|route| {
        route.kind == Kind::Page
            && route.method == "GET"
            && !matches!(route.access, Access::Open(_))
    });
    let patterns: BTreeMap<String, String> =
        listed.map(|route| (pattern(&route.path), route.path)).collect();
    // A fixed address before one with a name in the same place: `/inboxes/new` is no inbox.
    let mut ordered: Vec<&String> = patterns.keys().collect();
    ordered.sort_by_key(|pattern| pattern.matches("[^/]+").count());
    browser.open("/").await;
    let ordered = ordered.into_iter().map(|pattern| Value::from(pattern.as_str())).collect();
    let found = browser.client().execute_async(CRAWL, vec![Value::Array(ordered)]).await;
    let found = found.expect("links are followed");
    let missing: Vec<&String> = patterns
        .iter()
        .filter(|(pattern, path)| {
            found.get(pattern.as_str()).is_none() && !NO_PAGES.contains(&path.as_str())
        })
        .map(|(_, path)| path)
        .collect();
    assert!(missing.is_empty(), "no link leads to {missing:?}: {found}");
    let found = found.as_object().into_iter().flatten();
    let mut pages: Vec<String> = found
        .filter(|(pattern, _)| !NO_PAGES.contains(&patterns[pattern.as_str()].as_str()))
        .filter_map(|(_, path)| path.as_str().map(str::to_owned))
        .collect();
    pages.push("/sign-in".to_owned());
    pages
}

/// A path of the table as a regular expression: `/jobs/{job}` becomes `/jobs/[^/]+`.
fn pattern(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "[^/]+" } else { part });
    parts.collect::<Vec<_>>().join("/")
}
