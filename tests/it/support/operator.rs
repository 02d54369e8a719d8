//! An operator at a browser without a screen: signs in, keeps the cookie, and sends with what
//! changes something what our own pages send.

use std::sync::atomic::{AtomicU64, Ordering};

use lembra_agent::domain::access::Role;
use lembra_agent::http::Client;
use lembra_agent::services::operators;
use lembra_agent::store::operators::NewOperator;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::Value;

use super::app::TestApp;

/// Sign-ins are counted per address: a test has five before it must wait.
pub struct Operator {
    pub id: i64,
    pub account_id: i64,
    pub email: String,
    pub password: String,
    /// What requests that change something carry.
    pub csrf: String,
    cookie: String,
    url: String,
    http: Client,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// A page, a part of one, JSON, or nothing.
    pub body: String,
    /// Where the browser is sent, by `location` or by `hx-redirect`.
    pub location: Option<String>,
    /// What the page is told to show.
    pub notice: Option<String>,
    pub cookie: Option<String>,
}

impl Answer {
    async fn of(answer: reqwest::Response) -> Self {
        let header = |name: &str| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        let told: Option<Value> =
            header("hx-trigger").and_then(|told| serde_json::from_str(&told).ok());
        let notice = told.and_then(|told| told["notice"]["text"].as_str().map(str::to_owned));
        let cookie = header("set-cookie").and_then(|set| set.split(';').next().map(str::to_owned));
        let location = header("location").or_else(|| header("hx-redirect"));
        let status = answer.status().as_u16();
        Self { status, body: answer.text().await.expect("a body"), location, notice, cookie }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Operator {
    /// Somebody with this role in the account under test, who has signed in.
    pub async fn sign_in(app: &TestApp, role: Role) -> Self {
        Self::of(app, app.account().await, role, false).await
    }

    /// The same, who also runs the instance.
    pub async fn who_runs_the_instance(app: &TestApp) -> Self {
        Self::of(app, app.account().await, Role::Admin, true).await
    }

    /// Somebody of any account, who has signed in.
    pub async fn of(app: &TestApp, account_id: i64, role: Role, runs_instance: bool) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let email = format!("{}-{number}@teste.local", role.as_str());
        let name = String::new();
        let new = NewOperator { account_id, email: email.clone(), name, role, runs_instance };
        let added = operators::add(app.db(), &app.runtime.clock, new).await;
        let (row, password) = added.expect("an operator");
        let mut operator = Self {
            id: row.id,
            account_id,
            email,
            password: password.expose_secret().to_owned(),
            csrf: String::new(),
            cookie: String::new(),
            url: app.url.clone(),
            http: app.http.clone(),
        };
        let entered = operator.enter().await;
        assert_eq!(entered.status, 303, "{}", entered.body);
        operator
    }

    /// Signs in anew with the e-mail and the password that are noted here; what came back.
    pub async fn enter(&mut self) -> Answer {
        let form = self.get("/sign-in").await;
        self.cookie = form.cookie.clone().unwrap_or_else(|| self.cookie.clone());
        let token = between(&form.body, "name=\"csrf_token\" value=\"", "\"");
        let sent = [("email", &*self.email), ("password", &*self.password), ("csrf_token", &token)];
        let request = self.request(Method::POST, "/sign-in");
        let request = request.header("content-type", FORM).body(encoded(&sent));
        let answer = Answer::of(request.send().await.expect("an answer")).await;
        if answer.status == 303 {
            self.cookie = answer.cookie.clone().expect("a session");
            let page = self.get("/docs").await;
            assert_eq!(page.status, 200, "{}", page.body);
            self.csrf = between(&page.body.replace("&#34;", "\""), "\"x-csrf-token\":\"", "\"");
        }
        answer
    }

    /// A request of this browser, to be completed and sent.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        if self.cookie.is_empty() { request } else { request.header("cookie", &self.cookie) }
    }

    /// A whole page.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path).send().await.expect("an answer")).await
    }

    /// What a page's changing part is refreshed with.
    pub async fn live(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path).header("hx-request", "true");
        Answer::of(request.send().await.expect("an answer")).await
    }

    /// What a control of a page does.
    pub async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self
            .request(method, path)
            .header("hx-request", "true")
            .header("x-csrf-token", &self.csrf);
        let request = request.header("content-type", FORM).body(encoded(form));
        Answer::of(request.send().await.expect("an answer")).await
    }

    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, path, form).await
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

/// A form as browsers send it.
fn encoded(form: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
}

fn between(text: &str, before: &str, after: &str) -> String {
    let found = text.split(before).nth(1).and_then(|rest| rest.split(after).next());
    found.unwrap_or_else(|| panic!("no {before} in {text}")).to_owned()
}
