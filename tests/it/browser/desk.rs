//! An operator's desk: a fresh installation as a newcomer starts it, with a browser in front of it
//! and the simulator's customers behind it.

use std::time::Duration;

use serde_json::{Value, json};

use super::driver::Screen;
use super::page::Browser;
use crate::support::processes::Installation;
use crate::support::until;

pub const EMAIL: &str = "operador@lembra.local";

pub struct Desk {
    pub browser: Browser,
    pub installation: Installation,
    pub password: String,
    http: lembra_agent::http::Client,
}

impl Desk {
    /// Nobody is signed in yet. `None` outside of the test command, or without a browser.
    pub async fn empty(screen: Screen) -> Option<Self> {
        let installation = Installation::newcomer().await?;
        let base = format!("http://127.0.0.1:{}", installation.port);
        let browser = Browser::at(&base, screen).await?;
        let reset = installation.bot_json(&["operator", "reset-password", "--email", EMAIL]);
        let password = reset["password"].as_str().expect("a password").to_owned();
        let http = lembra_agent::http::client(Duration::from_secs(10)).expect("a client");
        Some(Self { browser, installation, password, http })
    }

    /// The demo's operator has signed in.
    pub async fn signed_in(screen: Screen) -> Option<Self> {
        let desk = Self::empty(screen).await?;
        desk.browser.open("/sign-in").await;
        desk.sign_in(&desk.password).await;
        desk.browser.wait_gone("input[name=password]", "").await;
        Some(desk)
    }

    pub async fn sign_in(&self, password: &str) {
        self.browser.fill("email", EMAIL).await;
        self.browser.fill("password", password).await;
        self.browser.press_in("main", "Entrar").await;
    }

    /// On a phone the menu is behind a button.
    pub async fn open_menu(&self) {
        if self.browser.screen == Screen::Phone {
            self.browser.press("Abrir menu").await;
        }
    }

    /// Looks at this customer's phone, on the simulator's page.
    pub async fn choose_in_the_simulator(&self, name: &str) {
        if self.browser.screen == Screen::Phone {
            self.browser.click("[data-open-sheet=customers]").await;
        }
        self.browser.press_in("#customers", name).await;
    }

    async fn simulator(&self, path: &str, body: Value) -> Value {
        let url = format!("http://127.0.0.1:{}/simulator/{path}", self.installation.port);
        let request = self.http.post(url).header("x-requested-with", "lembra").json(&body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        assert!(status.is_success(), "{path}: {status}");
        serde_json::from_str(&answer.text().await.expect("a body")).unwrap_or_default()
    }

    /// A customer of this name; answers the number that they write from.
    pub async fn customer(&self, name: &str) -> String {
        let added = self.simulator("customers", json!({ "name": name })).await;
        added["key"].as_str().expect("a number").to_owned()
    }

    /// The customer writes a message on their phone.
    pub async fn write(&self, customer: &str, text: &str) {
        self.simulator("messages", json!({ "customer": customer, "text": text })).await;
    }

    /// The customer's conversation is over, so it is learnt from.
    pub async fn resolve(&self, customer: &str) {
        self.simulator("resolve", json!({ "customer": customer })).await;
    }

    /// What the simulator knows of a customer.
    pub async fn phone(&self, customer: &str) -> Value {
        let path = format!("/simulator/state?customer={customer}");
        let (status, body) = self.installation.get(&path).await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// What stands on the customer's phone, oldest first: whose message, and its text.
    pub async fn messages(&self, customer: &str) -> Vec<(String, String)> {
        let state = self.phone(customer).await;
        let messages = state["messages"].as_array().cloned().unwrap_or_default();
        let word =
            |message: &Value, name: &str| message[name].as_str().unwrap_or_default().to_owned();
        messages.iter().map(|message| (word(message, "author"), word(message, "text"))).collect()
    }

    /// The customer writes, and reads the answer.
    pub async fn ask(&self, customer: &str, text: &str) {
        let before = self.messages(customer).await.len();
        self.write(customer, text).await;
        until(15, "an answer", || async {
            let messages = self.messages(customer).await;
            messages.len() > before + 1 && messages.last().is_some_and(|(_, said)| said != text)
        })
        .await;
    }

    /// The page of the contact of this name.
    pub async fn contact(&self, name: &str) -> String {
        self.browser.open("/contacts").await;
        self.browser.press_in("main", name).await;
        self.browser.wait_for("h1", name).await;
        self.browser.path().await
    }

    /// The page of the customer's latest conversation.
    pub async fn conversation(&self, customer: &str) -> String {
        format!("/conversations/{}", self.phone(customer).await["conversation"]["id"])
    }
}
