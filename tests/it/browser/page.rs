//! A person at a browser: opens pages, reads, presses what has a name, types into what has a label.
//! Everything is looked for until it is there, since pages change by themselves.

use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::driver::{Driver, Screen};

/// How long a page may take to show something.
pub const PATIENCE: Duration = Duration::from_secs(15);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What every script begins with.
const LIBRARY: &str = r"
const flat = text => (text || '').replace(/\s+/g, ' ').trim();
const seen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
};
const named = element => {
    const by = element.getAttribute('aria-labelledby');
    const names = [element.getAttribute('aria-label'),
        by && by.split(' ').map(id => document.getElementById(id)?.textContent).join(' '),
        element.innerText, element.textContent, element.value, element.title];
    return names.map(flat).filter(Boolean);
};
const within = scope => scope ? [...document.querySelectorAll(scope)].filter(seen) : [document];
const pick = (scope, kinds, test) =>
    within(scope).flatMap(root => [...root.querySelectorAll(kinds)]).filter(seen).find(test);
// Elements of a page that changes cannot be kept; a mark on them can.
const mark = element => {
    document.querySelectorAll('[data-under-test]').forEach(old => old.removeAttribute('data-under-test'));
    element?.setAttribute('data-under-test', '');
    return Boolean(element);
};
";

/// Marks a control by its name: the whole of it, or else a part.
const FIND_CONTROL: &str = r#"
const [scope, name] = arguments;
const kinds = 'a[href], button, summary, input[type=submit], input[type=checkbox], input[type=radio], label, [role=button], [role=switch], [role=tab], [role=menuitem]';
const enabled = element => !element.disabled && element.getAttribute('aria-disabled') !== 'true';
return mark(
    pick(scope, kinds, element => enabled(element) && named(element).includes(name)) ||
    pick(scope, kinds, element => enabled(element) && named(element).some(own => own.includes(name))));
"#;

/// Marks a field by its label, by its name in the form, or by what it says while it is empty.
const FIND_FIELD: &str = r#"
const [scope, name] = arguments;
const kinds = 'input:not([type=hidden]), textarea, select';
const labels = field => [...(field.labels || [])].flatMap(named).concat(named(field));
return mark(
    pick(scope, kinds, field => field.name === name || labels(field).includes(name)) ||
    pick(scope, kinds, field => labels(field).some(own => own.includes(name)) || flat(field.placeholder) === name));
"#;

const SEES: &str = r"
const [css, text] = arguments;
return [...document.querySelectorAll(css)].some(
    element => seen(element) && flat(element.innerText || element.value).includes(text));
";

/// A browser and the installation that it looks at.
pub struct Browser {
    driver: Driver,
    base: String,
    pub screen: Screen,
}

impl Browser {
    /// At an address such as `http://127.0.0.1:8080`; `None` when no browser was given.
    pub async fn at(base: &str, screen: Screen) -> Option<Self> {
        let driver = Driver::start().await?;
        driver.resize(screen, 1).await;
        driver.prefer("light").await;
        Some(Self { driver, base: base.to_owned(), screen })
    }

    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    pub fn client(&self) -> &Client {
        &self.driver.client
    }

    /// Opens a page of the installation and waits until it is loaded.
    pub async fn open(&self, path: &str) {
        let opened = self.client().goto(&format!("{}{path}", self.base)).await;
        opened.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    pub async fn reload(&self) {
        self.client().refresh().await.expect("loads again");
    }

    /// The path of the page that is shown, with what follows it.
    pub async fn path(&self) -> String {
        let url = self.client().current_url().await.expect("an address");
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{}{query}", url.path())
    }

    /// Runs a script in the page, with the words of `LIBRARY`.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.try_run(script, arguments)
            .await
            .unwrap_or_else(|error| panic!("{error}: {script:.300}"))
    }

    async fn try_run(
        &self,
        script: &str,
        arguments: Vec<Value>,
    ) -> Result<Value, fantoccini::error::CmdError> {
        self.client().execute(&format!("{LIBRARY}{script}"), arguments).await
    }

    /// Whether a visible element of this kind shows this text, or has it as its value.
    pub async fn sees(&self, css: &str, text: &str) -> bool {
        // While another page is being loaded there is none to look at.
        let seen = self.try_run(SEES, vec![css.into(), text.into()]).await;
        seen.is_ok_and(|seen| seen == Value::Bool(true))
    }

    pub async fn wait_for(&self, css: &str, text: &str) {
        self.until(&format!("{css} with “{text}”"), async || self.sees(css, text).await).await;
    }

    pub async fn wait_gone(&self, css: &str, text: &str) {
        self.until(&format!("no {css} with “{text}”"), async || !self.sees(css, text).await).await;
    }

    /// Waits until the address begins with this path.
    pub async fn wait_at(&self, path: &str) {
        self.until(path, async || self.path().await.starts_with(path)).await;
    }

    /// Waits until a condition holds, and otherwise shows what there was in its place.
    pub async fn until(&self, what: &str, condition: impl AsyncFn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !condition().await {
            if Instant::now() > deadline {
                let page = self.try_run("return document.body.innerText", Vec::new()).await;
                let page = page.ok().and_then(|page| page.as_str().map(str::to_owned));
                let (screen, path) = (self.screen, self.path().await);
                panic!("never seen: {what}\nat {path} ({screen:?}):\n{}", page.unwrap_or_default());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The text of the first visible element of this kind.
    pub async fn text(&self, css: &str) -> String {
        self.until(css, async || self.sees(css, "").await).await;
        let script =
            "return flat([...document.querySelectorAll(arguments[0])].find(seen)?.innerText)";
        let text = self.run(script, vec![css.into()]).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    async fn marked(&self, find: &str, scope: &str, name: &str) -> Option<Element> {
        let marked = self.try_run(find, vec![scope.into(), name.into()]).await;
        if marked.ok()? != Value::Bool(true) {
            return None;
        }
        self.client().find(Locator::Css("[data-under-test]")).await.ok()
    }

    /// Presses the link, button or switch of this name.
    pub async fn press(&self, name: &str) {
        self.press_in("", name).await;
    }

    /// The same, where several have the name: the one in the first visible `scope` that has it.
    pub async fn press_in(&self, scope: &str, name: &str) {
        let pressed = async || match self.marked(FIND_CONTROL, scope, name).await {
            // Something may lie over it, or it was exchanged in the meantime.
            Some(control) => control.click().await.is_ok(),
            None => false,
        };
        self.until(&format!("a control “{name}” in “{scope}” that can be pressed"), pressed).await;
    }

    /// Presses the first visible element of this kind, where names do not tell which.
    pub async fn click(&self, css: &str) {
        let find = "return mark([...document.querySelectorAll(arguments[1])].find(seen))";
        let pressed = async || match self.marked(find, "", css).await {
            Some(element) => element.click().await.is_ok(),
            None => false,
        };
        self.until(&format!("{css} that can be pressed"), pressed).await;
    }

    /// Types into the field of this label, in place of what is in it.
    pub async fn fill(&self, label: &str, text: &str) {
        self.fill_in("", label, text).await;
    }

    pub async fn fill_in(&self, scope: &str, label: &str, text: &str) {
        let filled = async || match self.marked(FIND_FIELD, scope, label).await {
            Some(field) => {
                let cleared = field.clear().await.is_ok();
                cleared && field.send_keys(text).await.is_ok()
            }
            None => false,
        };
        self.until(&format!("a field “{label}” in “{scope}”"), filled).await;
    }

    /// Whether a control of this name can be pressed now.
    pub async fn offers(&self, scope: &str, name: &str) -> bool {
        self.marked(FIND_CONTROL, scope, name).await.is_some()
    }

    /// Presses a key of the keyboard some times over.
    pub async fn key(&self, key: char, times: usize) {
        let mut keys = KeyActions::new("keyboard".to_owned());
        for _ in 0..times {
            keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        }
        self.client().perform_actions(keys).await.expect("keys are pressed");
    }

    /// Leaves a note in the page that is gone when it is loaded anew.
    pub async fn remember_this_page(&self) {
        self.run("window.underTest = true", Vec::new()).await;
    }

    /// Whether the page is still the one of [`Self::remember_this_page`].
    pub async fn is_same_page(&self) -> bool {
        self.run("return window.underTest === true", Vec::new()).await == json!(true)
    }

    /// Lines of the console that tell of something forbidden or broken; each is told once.
    pub async fn complaints(&self) -> Vec<String> {
        let lines = self.driver.console().await.into_iter();
        // A refresh that a newer one or another page ended is no fault; htmx reports it all the same.
        let ended = ["htmx:sendAbort", "htmx:afterRequest"];
        let grave = lines.filter(|(level, source, text)| {
            (level == "SEVERE" && source != "network" || source == "security")
                && !ended.iter().any(|event| text.contains(event))
        });
        grave.map(|(_, source, text)| format!("{source}: {text}")).collect()
    }
}
