//! What holds on every page: nothing that shuts people out, nothing that scrolls sideways, nothing
//! that a mouse alone can reach, and not a word of complaint in the console.

use serde_json::Value;

use super::day::Day;
use super::desk::Desk;
use super::driver::Screen;
use super::page::Browser;
use super::{axe, on_both_screens};
use crate::support::skip;

/// Parts that stick out of the window, beginning with the outermost.
const SIDEWAYS: &str = r"
const root = document.documentElement, edge = root.clientWidth;
if (root.scrollWidth <= edge) return [];
const contained = element => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') return true;
    }
    return false;
};
const out = [...document.body.querySelectorAll('*')].filter(element =>
    seen(element) && element.getBoundingClientRect().right > edge + 1 && !contained(element));
const name = element => element.cloneNode(false).outerHTML.slice(0, 160);
return [`${root.scrollWidth} px wide`].concat(out.slice(0, 5).map(name));
";

/// Before Tab is pressed: what must be reached, and a note of what is reached and how it shows.
const WATCH_FOCUS: &str = r"
// A switch is often a hidden box with a picture beside it, which then shows the focus.
const near = element => [element, element.nextElementSibling, element.parentElement, ...(element.labels || [])].filter(Boolean);
const look = element => near(element).map(getComputedStyle).map(style => [
    style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 ? style.outlineColor : '',
    style.boxShadow, style.borderColor, style.backgroundColor].join('|')).join('||');
const usable = element => !element.disabled && element.tabIndex >= 0 && !element.closest('[inert]');
const group = element => element.type === 'radio' && element.name;
// Some pages put the focus into a field: Tab begins at the top all the same.
document.body.tabIndex = -1;
document.body.focus();
document.body.removeAttribute('tabindex');
const controls = [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]')].filter(seen).filter(usable);
window.focusUnderTest = {
    expected: new Map(controls.map(control => [control, look(control)])),
    reached: new Set(), unseen: new Set(), order: [],
};
document.addEventListener('focusin', event => {
    const { expected, reached, unseen, order } = window.focusUnderTest;
    const element = event.target;
    order.push(element);
    reached.add(group(element) || element);
    const large = part => part.getBoundingClientRect().width > 4 && seen(part);
    if (!near(element).some(large) || look(element) === expected.get(element)) unseen.add(element);
});
// A date has a stop for the day, the month, the year and its calendar.
return controls.length + 3 * controls.filter(control => control.type === 'date').length;
";

const TELL_FOCUS: &str = r"
const { expected, reached, unseen, order } = window.focusUnderTest;
const name = element => element.cloneNode(false).outerHTML.slice(0, 140) + flat(element.textContent).slice(0, 40);
const group = element => element.type === 'radio' && element.name;
return {
    first: order[0] ? [order[0].getAttribute('href') || '', name(order[0])] : [],
    missed: [...expected.keys()].filter(element => element.isConnected && seen(element) &&
        !reached.has(group(element) || element)).map(name),
    unseen: [...unseen].map(name),
};
";

/// How often a page is walked around: what it shows a moment later takes presses, too.
const ROUNDS: usize = 3;

/// Faults of one page, each with what it is about.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, page: &str, kind: &str, found: impl IntoIterator<Item = String>) {
        self.0.extend(found.into_iter().map(|what| format!("{page}: {kind}: {what}")));
    }

    fn none(&self) {
        assert!(self.0.is_empty(), "{} faults:\n{}", self.0.len(), self.0.join("\n"));
    }
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

async fn open(browser: &Browser, page: &str) {
    browser.open(page).await;
    browser.wait_for("h1", "").await;
}

/// Goes through the page with Tab alone.
async fn walk(browser: &Browser, page: &str, faults: &mut Faults) {
    let controls = browser.run(WATCH_FOCUS, Vec::new()).await.as_u64().unwrap_or_default();
    let controls = usize::try_from(controls).expect("few");
    let mut told = Value::Null;
    for _ in 0..ROUNDS {
        // One press more leads to the skip link, which is seen only when it has the focus.
        browser.key('\u{e004}', controls + 3).await;
        told = browser.run(TELL_FOCUS, Vec::new()).await;
        if texts(&told["missed"]).is_empty() {
            break;
        }
    }
    let (target, first) = (&told["first"][0], &told["first"][1]);
    if target.as_str().is_none_or(|target| target.len() < 2 || !target.starts_with('#')) {
        faults.add(page, "the first thing reached is no skip link", [first.to_string()]);
    }
    faults.add(page, "not reached by the keyboard", texts(&told["missed"]));
    faults.add(page, "has the focus and does not show it", texts(&told["unseen"]));
}

/// Follows the skip link; what is reached next is in the page's main part.
async fn skip_to_the_content(browser: &Browser, page: &str, faults: &mut Faults) {
    open(browser, page).await;
    browser.run(WATCH_FOCUS, Vec::new()).await;
    browser.key('\u{e004}', 1).await;
    browser.key('\u{e007}', 1).await;
    let script =
        "return Boolean(document.activeElement?.closest('main')) && location.hash.length > 1";
    if browser.run(script, Vec::new()).await != Value::Bool(true) {
        faults.add(page, "the skip link does not lead into the main part", [String::new()]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn axe_sees_what_is_wrong() {
    let Some(browser) = Browser::at("http://127.0.0.1", Screen::Desktop).await else {
        skip("no browser");
        return;
    };
    axe::sees_faults(&browser).await;
}

on_both_screens! {
    async fn nobody_is_shut_out_of_any_page(desk: Desk) {
        let day = Day::lived(&desk).await;
        let mut faults = Faults::default();
        for page in day.pages {
            for scheme in ["light", "dark"] {
                // Chosen before the page is there: one that changes its colours is measured halfway.
                desk.browser.driver().prefer(scheme).await;
                open(&desk.browser, &page).await;
                faults.add(&page, scheme, axe::violations(&desk.browser).await);
            }
        }
        faults.none();
    }

    async fn no_page_scrolls_sideways_or_complains_in_the_console(desk: Desk) {
        let day = Day::lived(&desk).await;
        let mut faults = Faults::default();
        for page in day.pages {
            open(&desk.browser, &page).await;
            let sideways = desk.browser.run(SIDEWAYS, Vec::new()).await;
            faults.add(&page, "scrolls sideways", texts(&sideways));
            faults.add(&page, "console", desk.browser.complaints().await);
        }
        faults.none();
    }

    async fn every_page_can_be_used_with_the_keyboard_alone(desk: Desk) {
        let day = Day::lived(&desk).await;
        let mut faults = Faults::default();
        for page in day.pages {
            open(&desk.browser, &page).await;
            walk(&desk.browser, &page, &mut faults).await;
            skip_to_the_content(&desk.browser, &page, &mut faults).await;
        }
        faults.none();
    }
}
