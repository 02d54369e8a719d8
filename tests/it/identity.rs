//! One customer under several names.

use lembra_entities::{contact, contact_identity};
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA, PHONE_NUMBER_ID};
use crate::support::on_both_databases;

const USER_ID: &str = "BR.1502576394655843";

async fn contacts(app: &TestApp) -> Vec<contact::Model> {
    contact::Entity::find().order_by_asc(contact::Column::Id).all(app.db()).await.unwrap()
}

async fn names(app: &TestApp) -> Vec<(String, String)> {
    let rows = contact_identity::Entity::find().order_by_asc(contact_identity::Column::Id);
    rows.all(app.db()).await.unwrap().into_iter().map(|row| (row.kind, row.value)).collect()
}

/// A message with the user id, and the phone where there is one.
async fn say_as(app: &TestApp, phone: Option<&str>, user_id: Option<&str>, text: &str) -> String {
    let id = app.wamid();
    let mut message = bodies::text_message("", &id, text, app.now().timestamp());
    let mut contact = json!({ "profile": { "name": "Ana" } });
    message.as_object_mut().unwrap().remove("from");
    if let Some(phone) = phone {
        message["from"] = json!(phone);
        contact["wa_id"] = json!(phone);
    }
    if let Some(user_id) = user_id {
        message["from_user_id"] = json!(user_id);
        contact["user_id"] = json!(user_id);
    }
    let change =
        bodies::change(PHONE_NUMBER_ID, json!({ "contacts": [contact], "messages": [message] }));
    assert_eq!(app.deliver(vec![change]).await, 200);
    id
}

on_both_databases! {
    async fn a_customer_without_a_number_is_answered_at_their_user_id(app: TestApp) {
        say_as(&app, None, Some(USER_ID), "oi").await;
        app.settle().await;
        let send = app.meta.sends().remove(0);
        assert_eq!((send.to.as_str(), send.addressed_by), (USER_ID, "recipient"));
    }

    async fn two_contacts_that_turn_out_to_be_one_become_one_and_lose_nothing(app: TestApp) {
        say_as(&app, Some(ANA), None, "sou a Ana").await;
        say_as(&app, None, Some(USER_ID), "sou a mesma Ana").await;
        app.settle().await;
        assert_eq!(contacts(&app).await.len(), 2);
        say_as(&app, Some(ANA), Some(USER_ID), "viu?").await;
        app.settle().await;
        assert_eq!(contacts(&app).await.len(), 1);
        let contact_id = contacts(&app).await[0].id;
        let messages = app.messages().await;
        assert!(messages.iter().all(|row| row.contact_id == contact_id), "{messages:?}");
        assert!(app.outcomes().await.iter().all(|outcome| outcome.as_deref() == Some("answered")));
        let open = app.conversations().await.into_iter().filter(|row| row.state == "open").count();
        assert_eq!(open, 1);
        let last = app.model.requests().len() - 1;
        assert_eq!(app.model.said_in(last), ["sou a Ana", "sou a mesma Ana", "viu?"]);
    }

    async fn what_waits_in_both_of_two_merged_conversations_is_answered(app: TestApp) {
        say_as(&app, Some(ANA), None, "quanto custa?").await;
        say_as(&app, None, Some(USER_ID), "tem vaga?").await;
        say_as(&app, Some(ANA), Some(USER_ID), "alô?").await;
        app.settle().await;
        let outcomes = app.outcomes().await;
        assert!(
            outcomes.iter().all(|outcome| matches!(outcome.as_deref(), Some("answered" | "coalesced"))),
            "{outcomes:?}"
        );
    }

    async fn a_person_in_charge_stays_in_charge_when_contacts_are_merged(app: TestApp) {
        say_as(&app, Some(ANA), None, "oi").await;
        say_as(&app, None, Some(USER_ID), "oi").await;
        app.settle().await;
        let second = app.conversations().await[1].id;
        let clock = app.runtime.clock.clone();
        lembra_agent::services::handoff::pause(app.db(), &clock, second, None).await.unwrap();
        let before = app.meta.sends().len();
        say_as(&app, Some(ANA), Some(USER_ID), "viu?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), before);
    }

    async fn a_new_number_replaces_the_old_one(app: TestApp) {
        app.say(ANA, "oi").await;
        app.settle().await;
        let message = json!({
            "from": ANA, "id": "wamid.S", "timestamp": app.now().timestamp().to_string(), "type": "system",
            "system": { "type": "user_changed_number", "body": "mudou", "wa_id": "5511987659999" },
        });
        app.deliver(vec![bodies::messages(&[message])]).await;
        assert_eq!(names(&app).await, [("phone".to_owned(), "5511987659999".to_owned())]);
        app.say("5511987659999", "sou eu de número novo").await;
        app.settle().await;
        assert_eq!(contacts(&app).await.len(), 1);
        assert_eq!(app.meta.texts_to("5511987659999").len(), 1);
        // Whoever gets the old number is somebody else.
        app.say(ANA, "oi").await;
        assert_eq!(contacts(&app).await.len(), 2);
    }

    async fn a_customer_first_seen_by_an_echo_gets_a_name_when_they_write(app: TestApp) {
        app.person_writes(ANA, "Oi!").await;
        assert_eq!(contacts(&app).await[0].name, None);
        app.say(ANA, "oi").await;
        assert_eq!(contacts(&app).await[0].name.as_deref(), Some("Cliente"));
    }

    async fn who_wants_no_marketing_is_remembered(app: TestApp) {
        app.say(ANA, "oi").await;
        let preference = |value: &str| {
            let preference = json!({
                "wa_id": ANA, "category": "marketing_messages", "value": value,
                "timestamp": app.now().timestamp(),
            });
            let mut change = bodies::change(PHONE_NUMBER_ID, json!({ "user_preferences": [preference] }));
            change["field"] = json!("user_preferences");
            change
        };
        app.deliver(vec![preference("stop")]).await;
        assert!(contacts(&app).await[0].marketing_opt_out_at.is_some());
        app.deliver(vec![preference("resume")]).await;
        assert!(contacts(&app).await[0].marketing_opt_out_at.is_none());
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1, "answers in the chat go on");
    }
}
