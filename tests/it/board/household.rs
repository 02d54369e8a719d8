//! An account that lived a little: of each kind of thing that operators see it has one.

use std::collections::BTreeMap;

use lembra_agent::domain::access::{Permission, Permissions, Role};
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::alerts::{self, Place};
use lembra_agent::services::inboxes::{MetaCredentials, NewMetaInbox};
use lembra_agent::services::tokens;
use lembra_agent::store::accounts;
use lembra_agent::store::memories::Origin;
use lembra_entities::{conversation, job};
use reqwest::Method;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::{
    self, ACCESS_TOKEN, ANA, APP_SECRET, BIA, PHONE_NUMBER_ID, VERIFY_TOKEN,
};
use crate::support::fake_model::Answer;
use crate::support::operator::Operator;
use crate::support::rows::column;

/// What comes before an id in an address, and the table that it is of. Jobs are looked up apart.
const TABLES: [(&str, &str); 12] = [
    ("contacts", "contacts"),
    ("conversations", "conversations"),
    ("memories", "captain_contact_memories"),
    ("knowledge", "captain_assistant_responses"),
    ("tools", "tools"),
    ("inboxes", "inboxes"),
    ("units", "units"),
    ("operators", "operators"),
    ("tokens", "api_tokens"),
    ("alerts", "alerts"),
    ("turns", "turns"),
    ("handoffs", "handoffs"),
];

pub struct Household {
    pub account: i64,
    pub operator: Operator,
    /// Of the API: all permissions but running the instance.
    pub token: String,
    /// By what comes before an id in an address.
    pub ids: BTreeMap<&'static str, String>,
}

impl Household {
    /// A second account, whose customers' numbers, tools and lines are like the first one's. What
    /// is said in it names this word.
    pub async fn another(app: &TestApp, word: &str) -> Self {
        let account = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        let phone_number_id = "109000000000002";
        let inbox = NewMetaInbox {
            account_id: account,
            phone_number_id: phone_number_id.to_owned(),
            credentials: MetaCredentials {
                app_secret: APP_SECRET.into(),
                verify_token: VERIFY_TOKEN.into(),
                access_token: ACCESS_TOKEN.into(),
            },
            graph_url: Some(app.meta.url.clone()),
            simulated: false,
        };
        let inbox = app.runtime.inboxes.add_meta(inbox).await.expect("an inbox");
        let webhook = format!("{}/webhooks/meta/{}", app.url, inbox.inbox_key);
        Self::lived(app, account, &webhook, phone_number_id, word).await
    }

    /// The account under test.
    pub async fn first(app: &TestApp, word: &str) -> Self {
        let account = app.account().await;
        Self::lived(app, account, &app.webhook, PHONE_NUMBER_ID, word).await
    }

    async fn lived(app: &TestApp, account: i64, webhook: &str, line: &str, word: &str) -> Self {
        let operator = Operator::of(app, account, Role::Admin, false).await;
        let all = Permission::ALL.into_iter().filter(|each| *each != Permission::InstanceRun);
        let scopes = Permissions::of(&all.collect::<Vec<_>>());
        let token = tokens::add(app.db(), &app.runtime.clock, account, word, scopes).await;
        let token = token.expect("a token").1.expose_secret().to_owned();
        let mut household = Self { account, operator, token, ids: BTreeMap::new() };
        household.furnish(app, word).await;
        let talk = Talk { app, webhook, line };
        app.model.answer_next(Answer::Text(format!("Temos {word}, sim.")));
        talk.say(ANA, &format!("vocês têm {word}?")).await;
        talk.say(ANA, &format!("esse bot é uma porra, só fala de {word}")).await;
        let motive = json!({ "motivo": format!("FALHA_CONSULTA: erro interno: {word}") });
        app.model.answer_next(Answer::call("transferir_atendimento", motive));
        app.model.answer_next(Answer::Text("Vou chamar uma pessoa.".to_owned()));
        talk.say(BIA, &format!("quero comprar {word}")).await;
        let place = Place { account_id: Some(account), ..Place::default() };
        let subject = format!("{word} {account}");
        let raised =
            alerts::raise(app.db(), alerts::Kind::Channel, place, subject, word, app.now()).await;
        raised.expect("an alert");
        household.remember(app, word).await;
        household.look_up(app).await;
        household
    }

    /// What operators make through the API.
    async fn furnish(&self, app: &TestApp, word: &str) {
        let tool = json!({
            "name": format!("consultar_{}", word.to_lowercase()),
            "description": format!("Quanto há de {word}."),
            "parameters": { "type": "object", "properties": { "sku": { "type": "string" } } },
            "url": format!("{}/estoque?sku={{sku}}", app.api.url),
        });
        let question =
            json!({ "question": format!("Há {word}?"), "answer": format!("{word} há.") });
        for (path, body) in [
            ("/units", json!({ "name": format!("Unidade {word}") })),
            ("/tools", tool),
            ("/knowledge", question),
        ] {
            let (status, answer) = self.call(app, Method::POST, path, Some(body)).await;
            assert!(status < 300, "{path}: {status} {answer}");
        }
    }

    /// A call of this account's program to its own account; `path` is what follows the account.
    pub async fn call(
        &self,
        app: &TestApp,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, String) {
        let path = format!("/api/v1/accounts/{}{path}", self.account);
        self.call_at(app, method, &path, body).await
    }

    /// The same with the whole path.
    pub async fn call_at(
        &self,
        app: &TestApp,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, String) {
        let request = app.http.request(method, format!("{}{path}", app.url));
        let request = request.bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = request.send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.unwrap_or_default())
    }

    async fn remember(&self, app: &TestApp, word: &str) {
        let conversation = conversation::Entity::find()
            .filter(conversation::Column::AccountId.eq(self.account))
            .order_by_asc(conversation::Column::Id)
            .one(app.db());
        let conversation = conversation.await.expect("answers").expect("a conversation");
        let origin = Origin {
            account_id: self.account,
            contact_id: conversation.contact_id,
            conversation_id: conversation.id,
            inbox_id: conversation.inbox_id,
            unit_id: None,
        };
        let fact = format!("Gosta de {word}");
        crate::memory::plant(app, origin, MemoryKind::Preferencia, &fact, app.now()).await;
    }

    async fn look_up(&mut self, app: &TestApp) {
        let account = self.account;
        for (segment, table) in TABLES {
            let sql = format!(
                "SELECT CAST(min(id) AS TEXT) FROM {table} WHERE account_id = {account} HAVING count(*) > 0"
            );
            let id = column(app, &sql).await.pop();
            self.ids.insert(segment, id.unwrap_or_else(|| panic!("the household has no {table}")));
        }
        let (contact, operator) = (&self.ids["contacts"], self.operator.id);
        let preempted = format!(
            "SELECT CAST(min(id) AS TEXT) FROM messages WHERE contact_id = {contact} AND outcome = 'preempted'"
        );
        let session = format!(
            "SELECT CAST(min(id) AS TEXT) FROM operator_sessions WHERE operator_id = {operator}"
        );
        let preempted = column(app, &preempted).await.remove(0);
        self.ids.insert("curation", preempted.clone());
        self.ids.insert("messages", preempted);
        self.ids.insert("sessions", column(app, &session).await.remove(0));
        self.ids.insert("operators", operator.to_string());
        let job = job::Entity::find().filter(job::Column::AccountId.eq(account)).one(app.db());
        let job = job.await.expect("answers").expect("a job");
        self.ids.insert("jobs", job.id.to_string());
    }
}

/// Customers of one line.
struct Talk<'a> {
    app: &'a TestApp,
    webhook: &'a str,
    line: &'a str,
}

impl Talk<'_> {
    /// A customer writes, and everything that follows is done.
    async fn say(&self, from: &str, text: &str) {
        let message =
            bodies::text_message(from, &self.app.wamid(), text, self.app.now().timestamp());
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
        let body = body.replace(PHONE_NUMBER_ID, self.line);
        let signature = bodies::signature(body.as_bytes());
        let request = self.app.http.post(self.webhook).header("X-Hub-Signature-256", signature);
        let status = request.body(body).send().await.expect("an answer").status();
        assert_eq!(status, 200);
        self.app.settle().await;
    }
}
