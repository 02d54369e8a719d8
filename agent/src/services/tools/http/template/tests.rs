use serde_json::json;

use super::*;

fn filled(template: &str, arguments: Value) -> Result<String, Unfit> {
    let Value::Object(arguments) = arguments else { unreachable!("an object") };
    UrlTemplate::parse(template).unwrap().fill(&arguments).map(|url| url.to_string())
}

#[test]
fn an_argument_is_written_for_its_place() {
    for (template, arguments, url) in [
        ("https://a.br/q/{id}", json!({ "id": 7 }), "https://a.br/q/7"),
        ("https://a.br/q/{id}/x", json!({ "id": "a b" }), "https://a.br/q/a%20b/x"),
        ("https://a.br/q/{id}", json!({ "id": "ação" }), "https://a.br/q/a%C3%A7%C3%A3o"),
        ("https://a.br/q/{id}", json!({ "id": "05/03" }), "https://a.br/q/05%2F03"),
        ("https://a.br/q-{a}.{b}", json!({ "a": true, "b": 1.5 }), "https://a.br/q-true.1.5"),
        ("https://a.br/?q={q}", json!({ "q": "a&b=c+d#e" }), "https://a.br/?q=a%26b%3Dc%2Bd%23e"),
        ("https://a.br?q={q}", json!({ "q": "x" }), "https://a.br/?q=x"),
        ("https://a.br/?f=1&q={q}&z=2", json!({}), "https://a.br/?f=1&z=2"),
        ("https://a.br/?q={q}", json!({ "q": null }), "https://a.br/"),
        ("https://a.br/?q={q}", json!({ "q": "" }), "https://a.br/?q="),
        ("https://a.br/?q={q}", json!({ "q": ["a", 2] }), "https://a.br/?q=a%2C2"),
        ("https://a.br/?q={q}", json!({ "q": { "a": 1 } }), "https://a.br/?q=%7B%22a%22%3A1%7D"),
        ("https://a.br/?d={de}..{ate}", json!({ "de": 1, "ate": 2 }), "https://a.br/?d=1..2"),
        (
            "https://a.br/?k=1&{*}",
            json!({ "b c": 2, "a": "x&y" }),
            "https://a.br/?k=1&a=x%26y&b%20c=2",
        ),
        ("https://a.br/{id}?{*}", json!({ "id": 1, "q": null }), "https://a.br/1"),
        ("https://a.br:8443/médicos", json!({}), "https://a.br:8443/m%C3%A9dicos"),
        ("https://a.br", json!({ "unused": 1 }), "https://a.br/"),
    ] {
        assert_eq!(filled(template, arguments).unwrap(), url, "{template}");
    }
}

#[test]
fn an_argument_does_not_leave_its_place() {
    for value in
        ["x?a=1&b=2", "x#y", "a\r\nHost: b", "@b.br", "x;y", "%2e%2e", "a/b", "//b.br", "…"]
    {
        let url = filled("https://a.br/q/{id}/fim?k={id}", json!({ "id": value })).unwrap();
        let url = Url::parse(&url).unwrap();
        assert_eq!(url.host_str(), Some("a.br"), "{value}");
        let segments: Vec<_> = url.path_segments().unwrap().collect();
        assert_eq!((segments.len(), segments[0], segments[2]), (3, "q", "fim"), "{value}");
        assert_eq!(url.fragment(), None, "{value}");
        let pairs: Vec<_> = url.query_pairs().into_owned().collect();
        assert_eq!(pairs, [("k".to_owned(), value.to_owned())]);
    }
}

#[test]
fn a_path_is_not_climbed_nor_cut_short() {
    for (template, arguments) in [
        ("https://a.br/q/{id}/x", json!({ "id": ".." })),
        ("https://a.br/q/{id}/x", json!({ "id": "." })),
        ("https://a.br/q/{id}", json!({ "id": "../../admin" })),
        ("https://a.br/q/{id}", json!({ "id": "..\\admin" })),
        ("https://a.br/q/{id}", json!({ "id": "a/../b" })),
        ("https://a.br/q/.{id}", json!({ "id": "." })),
        ("https://a.br/q/%2e{id}", json!({ "id": "." })),
        ("https://a.br/q/{a}{b}", json!({ "a": ".", "b": "." })),
        ("https://a.br/q/{id}", json!({ "id": "" })),
        ("https://a.br/q/{id}", json!({ "id": null })),
        ("https://a.br/q/{id}", json!({})),
        ("https://a.br/q/{id}", json!({ "id": [1] })),
        ("https://a.br/q/{id}", json!({ "id": { "a": 1 } })),
        ("https://a.br/?q={q}", json!({ "q": "a".repeat(9_000) })),
    ] {
        assert!(filled(template, arguments.clone()).is_err(), "{template} {arguments}");
    }
}

#[test]
fn a_template_that_is_none_is_refused() {
    for (template, part) in [
        ("a.br/x", "https://"),
        ("ftp://a.br/x", "https://"),
        ("file:///etc/passwd", "https://"),
        ("{scheme}://a.br/x", "https://"),
        ("https://{host}/x", "path and query"),
        ("https://a.br:{port}/x", "path and query"),
        ("https://a.br{x}/y", "path and query"),
        ("https://ana:senha@a.br/", "header"),
        ("https:///x", "host"),
        ("https://a.br/x#y", "fragment"),
        ("https://a.br/x y", "spaces"),
        ("https://a.br/x\r\nY: z", "spaces"),
        ("https://a.br\\@b.br/", "backslashes"),
        ("https://a.br/{x", "without its"),
        ("https://a.br/x}", "without its"),
        ("https://a.br/{}", "name"),
        ("https://a.br/{a b}", "spaces"),
        ("https://a.br/{*}", "query"),
        ("https://a.br/?x={*}", "query"),
        ("https://a.br/?{k}=1", "left of"),
        ("https://[::1/x", "host"),
    ] {
        let error = UrlTemplate::parse(template).unwrap_err();
        assert!(error.contains(part), "{template}: {error}");
    }
    assert!(UrlTemplate::parse(&format!("https://a.br/{}", "a".repeat(2_000))).is_err());
}

#[test]
fn a_template_says_what_it_names() {
    let template = UrlTemplate::parse("HTTPS://a.br/{a}/{b}?c={c}&{*}").unwrap();
    assert_eq!(template.in_path(), BTreeSet::from(["a", "b"]));
    assert_eq!(template.in_query(), BTreeSet::from(["c"]));
    assert!(template.spreads());
    assert_eq!(template.base().as_str(), "https://a.br/");
}
