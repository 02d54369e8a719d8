//! What axe-core finds wrong with a page for those who do not see it or use no mouse.

use std::path::Path;

use super::page::Browser;

/// Runs in the page: every violation with its elements, in a form that a person reads.
const RUN: &str = r"
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ['violations'] }).then(
    found => done(found.violations.map(violation => ({
        impact: violation.impact,
        text: `${violation.impact}: ${violation.id}: ${violation.help}\n` + violation.nodes.map(node =>
            `    ${node.target.flat().join(' ')}\n        ${node.html.slice(0, 240)}\n        ` +
            node.failureSummary.replace(/\s*\n\s*/g, ' ')).join('\n'),
    }))),
    error => done([{ impact: 'critical', text: String(error) }]),
);
";

/// The violations of the page as it is now that keep people out: those of serious and critical
/// impact, one text each.
pub async fn violations(browser: &Browser) -> Vec<String> {
    if browser.run("return typeof axe", Vec::new()).await != "undefined" {
        return told(browser).await;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/axe/axe.min.js");
    let axe = std::fs::read_to_string(file).expect("axe-core is in the repository");
    browser.run(&axe, Vec::new()).await;
    told(browser).await
}

async fn told(browser: &Browser) -> Vec<String> {
    let found = browser.client().execute_async(RUN, Vec::new()).await.expect("axe runs");
    let found = found.as_array().cloned().expect("a list");
    let grave = found
        .iter()
        .filter(|violation| matches!(violation["impact"].as_str(), Some("serious" | "critical")));
    grave.filter_map(|violation| violation["text"].as_str()).map(str::to_owned).collect()
}

/// Proves that axe-core finds what it is there to find, on a page with a fault of each kind.
pub async fn sees_faults(browser: &Browser) {
    let broken = "data:text/html,<html><body><input><img src=x><p style='color:%23eee'>oi</p>";
    browser.client().goto(broken).await.expect("a page");
    let found = violations(browser).await.join("\n");
    for rule in ["label", "image-alt", "color-contrast", "html-has-lang"] {
        assert!(found.contains(rule), "axe-core does not see {rule}: {found}");
    }
}
