//! Triage through the front door: fixed answers without a model, alerts, profiles, curation.

use lembra_agent::domain::triage::locale::Locale;
use lembra_agent::domain::triage::response::{Persona, Slug};
use lembra_agent::domain::triage::router::HumanSupport;
use lembra_agent::domain::triage::scope::{Category, Profile};
use lembra_agent::services::curation::{self, Layout, Mark};
use lembra_agent::store::accounts::{self, Changes};
use lembra_agent::store::alerts;
use lembra_entities::account;
use sea_orm::EntityTrait;
use sea_orm::sea_query::Expr;

use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;

const MEL: Persona<'static> = Persona { assistant_name: "mel", helps_with: None };

/// What a customer of the test account reads.
fn text(slug: Slug, locale: Locale) -> String {
    slug.text(locale, &MEL)
}

async fn change(app: &TestApp, changes: Changes<'_>) {
    let account = accounts::list(app.db()).await.unwrap().remove(0);
    accounts::change(app.db(), account.id, &changes, app.now()).await.unwrap();
    app.runtime.inboxes.forget();
}

async fn with_profile(app: &TestApp) {
    let profile = Some(Profile::MedicationAdherence);
    change(app, Changes { scope_profile: profile, ..Changes::default() }).await;
}

async fn alerted(app: &TestApp) -> Vec<String> {
    let alerts = alerts::open(app.db()).await.unwrap();
    alerts.into_iter().map(|alert| alert.kind).collect()
}

on_both_databases! {
    async fn each_verdict_is_answered_with_its_fixed_text_and_without_the_model(app: TestApp) {
        with_profile(&app).await;
        let cases = [
            ("não quero mais viver", "crisis", text(Slug::Crisis, Locale::PtBr)),
            ("I want to kill myself", "crisis", text(Slug::Crisis, Locale::En)),
            ("esse robô é um inútil", "frustrated", text(Slug::Frustrated, Locale::PtBr)),
            ("este bot es una basura", "frustrated", text(Slug::Frustrated, Locale::Es419)),
            ("quero falar com um atendente", "human-request", text(Slug::HumanRequest, Locale::PtBr)),
            (
                "qual a dose máxima de ibuprofeno?",
                "scope-rejection",
                text(Slug::Rejection(Category::Dosage), Locale::PtBr),
            ),
            (
                "¿será que tengo asma?",
                "scope-rejection",
                text(Slug::Rejection(Category::Diagnosis), Locale::Es419),
            ),
            (
                "what does a creatinine of 2.1 mean?",
                "scope-rejection",
                text(Slug::Rejection(Category::Interpretation), Locale::En),
            ),
            ("me conta uma piada", "out-of-domain", text(Slug::OutOfDomain, Locale::PtBr)),
            ("a bombinha acabou de novo", "out-of-domain", text(Slug::OutOfDomain, Locale::PtBr)),
        ];
        for (said, verdict, answer) in cases {
            let id = app.say(ANA, said).await;
            app.settle().await;
            let message = app.message(&id).await;
            assert_eq!(message.verdict.as_deref(), Some(verdict), "{said}");
            assert_eq!(message.outcome.as_deref(), Some("preempted"), "{said}");
            assert!(message.rule.is_some(), "{said}");
            assert_eq!(app.meta.texts_to(ANA).pop(), Some(answer), "{said}");
        }
        assert_eq!(app.model.requests().len(), 0);
        assert!(app.turns().await.iter().all(|turn| turn.prompt_tokens.is_none()));
    }

    async fn a_question_asked_a_third_time_in_vain_gets_the_answer_to_loops(app: TestApp) {
        for said in ["qual o saldo?", "saldo?"] {
            app.say(ANA, said).await;
            app.settle().await;
        }
        let asked = app.model.requests().len();
        let id = app.say(ANA, "saldo mesmo?").await;
        app.settle().await;
        assert_eq!(app.message(&id).await.verdict.as_deref(), Some("loop"));
        assert_eq!(app.meta.texts_to(ANA).pop(), Some(text(Slug::Loop, Locale::PtBr)));
        assert_eq!(app.model.requests().len(), asked);
    }

    async fn without_a_profile_the_same_messages_go_to_the_model(app: TestApp) {
        for said in ["qual a dose máxima de ibuprofeno?", "me conta uma piada"] {
            let id = app.say(ANA, said).await;
            app.settle().await;
            let message = app.message(&id).await;
            assert_eq!(message.verdict.as_deref(), Some("proceed"), "{said}");
            assert_eq!(message.outcome.as_deref(), Some("answered"), "{said}");
        }
        assert_eq!(app.model.requests().len(), 2);
    }

    async fn a_calm_message_in_scope_goes_to_the_model_with_a_profile(app: TestApp) {
        with_profile(&app).await;
        let id = app.say(ANA, "bom dia, tudo bem?").await;
        app.settle().await;
        assert_eq!(app.message(&id).await.outcome.as_deref(), Some("answered"));
        assert_eq!(app.model.requests().len(), 1);
    }

    async fn a_crisis_is_answered_and_operators_are_alerted(app: TestApp) {
        app.say(ANA, "penso em me matar").await;
        app.say(BIA, "morrendo de rir aqui").await;
        app.settle().await;
        assert_eq!(alerted(&app).await, ["crisis"]);
        assert_eq!(app.meta.texts_to(ANA), [text(Slug::Crisis, Locale::PtBr)]);
        assert_eq!(app.conversations().await[0].handler, "bot");
        let alert = alerts::open(app.db()).await.unwrap().remove(0);
        assert!(alerts::resolve(app.db(), alert.id, app.now()).await.unwrap());
        assert!(!alerts::resolve(app.db(), alert.id, app.now()).await.unwrap());
        assert!(alerted(&app).await.is_empty());
    }

    async fn a_crisis_while_the_bot_is_paused_is_not_answered_and_alerts_all_the_same(app: TestApp) {
        account::Entity::update_many()
            .col_expr(account::Column::BotPaused, Expr::value(true))
            .exec(app.db())
            .await
            .unwrap();
        app.runtime.inboxes.forget();
        let crisis = app.say(ANA, "quero morrer").await;
        app.say(BIA, "que porcaria de atendimento").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        let crisis = app.message(&crisis).await;
        assert_eq!(crisis.verdict.as_deref(), Some("crisis"));
        assert_eq!(crisis.outcome_detail.as_deref(), Some("bot_paused"));
        assert_eq!(alerted(&app).await, ["crisis"]);
    }

    async fn a_redelivered_crisis_alerts_once(app: TestApp) {
        let id = app.wamid();
        let at = app.now().timestamp();
        let message = crate::support::bodies::text_message(ANA, &id, "quero me matar", at);
        let change = crate::support::bodies::messages(&[message]);
        for _ in 0..2 {
            assert_eq!(app.deliver(vec![change.clone()]).await, 200);
        }
        app.settle().await;
        assert_eq!(alerted(&app).await, ["crisis"]);
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
    }

    async fn a_request_for_a_person_is_noted_where_nobody_is_available(app: TestApp) {
        app.say(ANA, "quero falar com um atendente").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [text(Slug::HumanRequest, Locale::PtBr)]);
        assert_eq!(alerted(&app).await, ["human_request"]);
        assert_eq!(app.conversations().await[0].handler, "bot");
    }

    async fn a_request_for_a_person_is_handed_over_where_people_are_available(app: TestApp) {
        let support = Some(HumanSupport::Available);
        change(&app, Changes { human_support: support, ..Changes::default() }).await;
        app.say(ANA, "quero falar com um atendente").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [text(Slug::HumanRequestAvailable, Locale::PtBr)]);
        let conversation = &app.conversations().await[0];
        assert_eq!(conversation.handler, "human");
        assert_eq!(conversation.handler_reason.as_deref(), Some("human_request"));
        let next = app.say(ANA, "oi?").await;
        app.settle().await;
        let next = app.message(&next).await;
        assert_eq!(next.outcome_detail.as_deref(), Some("human_in_charge"));
        assert_eq!(app.model.requests().len(), 0);
    }

    async fn an_account_gives_its_assistant_a_name_and_subjects(app: TestApp) {
        let (name, words) = (Some("Bia"), Some("reservas ou café da manhã"));
        change(&app, Changes { assistant_name: name, helps_with: words, ..Changes::default() }).await;
        app.say(ANA, "chama um humano").await;
        app.settle().await;
        let answer = app.meta.texts_to(ANA).remove(0);
        assert!(answer.starts_with("Por enquanto só eu (Bia) por aqui"), "{answer}");
        assert!(answer.ends_with("posso te ajudar com reservas ou café da manhã?"), "{answer}");
    }

    async fn fixed_answers_are_listed_with_what_came_next_and_wrong_ones_exported(app: TestApp) {
        let angry = app.say(ANA, "que lixo").await;
        app.settle().await;
        app.say(ANA, "quis dizer: que luxo").await;
        app.settle().await;
        let week = curation::parse_age("7d").unwrap();
        let list = curation::list(app.db(), None, app.now() - week).await.unwrap();
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].next.as_deref(), Some("quis dizer: que luxo"));
        assert_eq!((list[0].verdict.as_str(), list[0].mark.as_deref()), ("frustrated", None));
        let none = curation::list(app.db(), Some(99), app.now() - week).await.unwrap();
        assert!(none.is_empty());

        let id = app.message(&angry).await.id;
        let clock = &app.runtime.clock;
        let wrong = Mark::Wrong { expected: "none".to_owned() };
        assert!(curation::mark(app.db(), clock, id, &Mark::Right).await.unwrap());
        assert!(curation::mark(app.db(), clock, id, &wrong).await.unwrap());
        assert!(!curation::mark(app.db(), clock, id + 1, &wrong).await.unwrap());
        let list = curation::list(app.db(), None, app.now() - week).await.unwrap();
        assert_eq!(list[0].mark.as_deref(), Some("wrong"));
        let rows = curation::export(app.db(), Layout::Guard).await.unwrap();
        assert_eq!(rows[1..], [format!("m{id}\tpt-BR\tque lixo\tnone\tcuration")]);
        let judged = lembra_agent::domain::triage::eval::run(&rows.join("\n")).unwrap();
        assert_eq!((judged.len(), judged[0].is_right()), (1, false));
        assert_eq!(curation::export(app.db(), Layout::Scope).await.unwrap().len(), 1);
    }

    async fn a_loop_that_was_none_is_exported_with_its_three_messages(app: TestApp) {
        for said in ["limite?", "qual o limite?", "limite mesmo?"] {
            app.say(ANA, said).await;
            app.settle().await;
        }
        let last = app.messages().await.into_iter().rfind(|row| row.direction == "in").unwrap();
        let wrong = Mark::Wrong { expected: "none".to_owned() };
        assert!(curation::mark(app.db(), &app.runtime.clock, last.id, &wrong).await.unwrap());
        let rows = curation::export(app.db(), Layout::Loop).await.unwrap();
        let row = format!("m{}\tlimite?\tqual o limite?\tlimite mesmo?\t2\tnone\tcuration", last.id);
        assert_eq!(rows[1..], [row]);
    }
}
