//! What is paid for and counts to the month: voices that are heard, searches by likeness.

use lembra_agent::services::memory::metering::Payer;
use lembra_agent::store::accounts::Changes;
use lembra_agent::store::usage::{self, NewUsage};
use lembra_entities::llm_usage;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_model::{Answer, Asked, FakeModel};
use crate::support::on_both_databases;

const TECHNICAL: &str = "Desculpe, tive um problema tecnico. Um atendente ja foi acionado.";

async fn spend(app: &TestApp, brl: f64) {
    let call = NewUsage {
        account_id: app.account().await,
        conversation_id: None,
        purpose: "reply",
        model: "fake-1".into(),
        prompt_tokens: 1,
        completion_tokens: 1,
        brl,
    };
    usage::record(app.db(), &[call], app.now()).await.expect("is written");
}

async fn hearing() -> (TestApp, FakeModel) {
    let ears = FakeModel::start();
    let prices = "whisper-1=0.60/min,fake=1/1";
    let settings = [("TRANSCRIPTION_BASE_URL", ears.url.as_str()), ("LLM_PRICES_BRL", prices)];
    let app = TestApp::on_sqlite_with(&settings).await;
    (app, ears)
}

async fn voice(app: &TestApp) {
    app.meta.keep_file("voz", "audio/ogg; codecs=opus", &[0; 20_000]);
    let holds = json!({ "id": "voz", "mime_type": "audio/ogg; codecs=opus", "voice": true });
    app.send_kind(ANA, "audio", holds).await;
}

async fn transcriptions(app: &TestApp) -> Vec<llm_usage::Model> {
    let rows = llm_usage::Entity::find().filter(llm_usage::Column::Purpose.eq("transcription"));
    rows.all(app.db()).await.expect("answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn hearing_a_voice_costs_by_the_minute_as_the_server_counts() {
    let (app, ears) = hearing().await;
    let heard = json!({ "text": "tem vaga?", "usage": { "type": "duration", "seconds": 30 } });
    ears.hear_next(Answer::Body(heard.to_string()));
    voice(&app).await;
    app.settle().await;
    let paid = transcriptions(&app).await;
    assert_eq!(paid.len(), 1);
    assert!((paid[0].brl - 0.30).abs() < 1e-9, "{paid:?}");
    assert_eq!(app.meta.texts_to(ANA), ["Resposta 1."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_counts_nothing_is_paid_by_the_length_of_the_file() {
    let (app, ears) = hearing().await;
    ears.hear_next(Answer::Text("tem vaga?".to_owned()));
    voice(&app).await;
    app.settle().await;
    // 20,000 bytes of no known format: ten seconds.
    let brl: f64 = transcriptions(&app).await.iter().map(|paid| paid.brl).sum();
    assert!((brl - 0.10).abs() < 1e-9, "{brl}");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_ceiling_no_voice_is_heard_and_a_person_is_called() {
    let (app, ears) = hearing().await;
    app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
    spend(&app, 10.0).await;
    voice(&app).await;
    app.settle().await;
    assert!(ears.audios().is_empty());
    assert_eq!(app.meta.texts_to(ANA), [TECHNICAL]);
    assert_eq!(app.handoffs().await[0].reason, "spend_ceiling");
    assert!(transcriptions(&app).await.is_empty());
}

on_both_databases! {
    async fn past_the_ceiling_knowledge_is_searched_by_words_alone(app: TestApp) {
        let account = app.account().await;
        let knowledge = &app.runtime.knowledge;
        let (asked, told) = ("Tem estacionamento?", "Sim, coberto.");
        knowledge.add(account, asked, told, None, "test").await.expect("is written");
        app.settle().await;
        app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
        let embedded = || app.model.requests_for(Asked::Embedding).len();
        let payer = Payer { account_id: account, conversation_id: None };
        let before = embedded();
        assert_eq!(knowledge.search(payer, "tem estacionamento?", 3).await.expect("answers").len(), 1);
        assert_eq!(embedded(), before + 1);
        spend(&app, 10.0).await;
        let hits = knowledge.search(payer, "tem estacionamento?", 3).await.expect("answers");
        assert_eq!((hits.len(), embedded()), (1, before + 1));
    }
}
