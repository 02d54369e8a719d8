//! Files and voices of customers: kept, heard, and never met with silence.

use chrono::TimeDelta;
use lembra_entities::media_file;
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA};
use crate::support::fake_model::{Answer, FakeModel};
use crate::support::on_both_databases;

async fn files(app: &TestApp) -> Vec<media_file::Model> {
    let rows = media_file::Entity::find().order_by_asc(media_file::Column::Id);
    rows.all(app.db()).await.unwrap()
}

fn image(id: &str) -> serde_json::Value {
    json!({ "id": id, "mime_type": "image/jpeg", "sha256": "x" })
}

on_both_databases! {
    async fn an_album_of_six_images_at_once_is_one_conversation_and_one_answer(app: TestApp) {
        let posts = (0..6).map(|number| {
            let id = format!("foto{number}");
            app.meta.keep_file(&id, "image/jpeg", b"JPEG");
            let message =
                bodies::other_message(ANA, &format!("wamid.A{number}"), "image", &image(&id), app.now().timestamp());
            app.deliver(vec![bodies::messages(&[message])])
        });
        let statuses = futures::future::join_all(posts.collect::<Vec<_>>()).await;
        assert_eq!(statuses, [200; 6]);
        app.settle().await;
        assert_eq!(app.conversations().await.len(), 1);
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert!(app.meta.texts_to(ANA)[0].contains("Pode me contar por escrito"));
        assert_eq!(app.model.requests().len(), 0, "there was nothing to tell a model");
        let states: Vec<_> = files(&app).await.into_iter().map(|file| file.state).collect();
        assert_eq!(states, ["kept"; 6]);
    }

    async fn a_picture_with_a_caption_is_answered_by_its_caption(app: TestApp) {
        let mut holds = image("foto");
        holds["caption"] = json!("esse quarto tem hidro?");
        app.send_kind(ANA, "image", holds).await;
        app.settle().await;
        let said = app.model.said_in(0);
        assert_eq!(said, ["[imagem que não pode ser vista] esse quarto tem hidro?"]);
    }

    async fn a_voice_that_nobody_hears_is_answered_politely(app: TestApp) {
        app.send_kind(ANA, "audio", json!({ "id": "voz", "mime_type": "audio/ogg; codecs=opus", "voice": true })).await;
        app.settle().await;
        assert!(app.meta.texts_to(ANA)[0].contains("Pode me escrever"));
        assert_eq!(app.outcomes().await, [Some("answered".to_owned())]);
    }

    async fn files_are_deleted_in_time(app: TestApp) {
        app.meta.keep_file("foto", "image/jpeg", b"JPEG");
        app.send_kind(ANA, "image", image("foto")).await;
        app.settle().await;
        let file = files(&app).await.remove(0);
        assert_eq!(app.runtime.media.read(&file).await.unwrap().unwrap(), b"JPEG".as_slice());
        app.clock.advance(TimeDelta::days(91));
        lembra_worker::schedule::tick(&app.runtime).await.unwrap();
        app.drain().await;
        assert_eq!(files(&app).await[0].state, "removed");
        assert!(app.runtime.media.read(&file).await.unwrap().is_none());
    }
}

async fn hearing() -> TestApp {
    let ears = FakeModel::start();
    let mut app = TestApp::on_sqlite_with(&[("TRANSCRIPTION_BASE_URL", ears.url.as_str())]).await;
    app.model_of_audio = Some(ears);
    app
}

async fn voice(app: &TestApp) -> String {
    app.meta.keep_file("voz", "audio/ogg; codecs=opus", b"OggS");
    let holds = json!({ "id": "voz", "mime_type": "audio/ogg; codecs=opus", "voice": true });
    app.send_kind(ANA, "audio", holds).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_is_heard_and_answered_like_a_text() {
    let app = hearing().await;
    let ears = app.model_of_audio.clone().unwrap();
    ears.hear_next(Answer::Text("Vocês têm vaga no sábado?".to_owned()));
    let id = voice(&app).await;
    app.settle().await;
    assert_eq!(app.message(&id).await.text, "Vocês têm vaga no sábado?");
    assert_eq!(app.model.said_in(0), ["Vocês têm vaga no sábado?"]);
    assert_eq!(app.meta.texts_to(ANA), ["Resposta 1."]);
    let form = &ears.audios()[0];
    assert!(form.contains("audio/ogg") && !form.contains("codecs"), "{form}");
    assert!(form.contains("filename=\"audio.ogg\""), "{form}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_angry_voice_is_preempted_without_a_model() {
    let app = hearing().await;
    let ears = app.model_of_audio.clone().unwrap();
    ears.hear_next(Answer::Text("esse bot é uma porra, não funciona nada".to_owned()));
    let id = voice(&app).await;
    app.settle().await;
    assert_eq!(app.message(&id).await.outcome.as_deref(), Some("preempted"));
    assert_eq!(app.model.requests().len(), 0);
    assert_eq!(app.meta.texts_to(ANA).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_that_cannot_be_heard_is_asked_for_in_writing_and_never_met_with_silence() {
    let app = hearing().await;
    for answer in [Answer::Busy(1), Answer::Status(500), Answer::Body("<html>".into())] {
        app.model_of_audio.as_ref().unwrap().hear_next(answer);
    }
    voice(&app).await;
    app.settle().await;
    assert_eq!(app.meta.texts_to(ANA).len(), 1);
    assert!(app.meta.texts_to(ANA)[0].contains("Pode me escrever"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_that_was_withdrawn_before_it_was_heard_is_not_answered() {
    let app = hearing().await;
    let ears = app.model_of_audio.clone().unwrap();
    ears.hear_next(Answer::Text("tem vaga?".to_owned()));
    let id = voice(&app).await;
    app.send_kind(ANA, "revoke", json!({ "original_message_id": id })).await;
    app.settle().await;
    assert_eq!(app.meta.sends().len(), 0);
    assert_eq!(app.message(&id).await.outcome_detail.as_deref(), Some("revoked"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_that_nobody_heard_is_kept_all_the_same() {
    let app = hearing().await;
    for _ in 0..4 {
        app.model_of_audio.as_ref().unwrap().hear_next(Answer::Status(503));
    }
    voice(&app).await;
    app.settle().await;
    assert!(app.meta.texts_to(ANA)[0].contains("Pode me escrever"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_that_is_gone_at_the_provider_is_answered_politely() {
    let app = hearing().await;
    app.send_kind(ANA, "audio", json!({ "id": "gone1", "mime_type": "audio/ogg", "voice": true }))
        .await;
    app.settle().await;
    assert!(app.meta.texts_to(ANA)[0].contains("Pode me escrever"));
    assert_eq!(files(&app).await[0].state, "failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_beside_a_voice_does_not_wait_for_it_for_ever() {
    let app = hearing().await;
    let ears = app.model_of_audio.clone().unwrap();
    ears.hear_next(Answer::Text("e quanto custa?".to_owned()));
    voice(&app).await;
    app.say(ANA, "tem vaga no sábado?").await;
    app.settle().await;
    let outcomes = app.outcomes().await;
    assert!(outcomes.iter().all(Option::is_some), "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_too_large_is_not_fetched() {
    let app = TestApp::on_sqlite_with(&[("MEDIA_MAX_MB", "1")]).await;
    app.meta.keep_file("filme", "video/mp4", &vec![0; (1 << 20) + 1]);
    app.send_kind(ANA, "video", json!({ "id": "filme", "mime_type": "video/mp4" })).await;
    app.settle().await;
    assert_eq!(app.meta.downloads(), 0);
    assert_eq!(files(&app).await[0].state, "failed");
    assert_eq!(app.meta.texts_to(ANA).len(), 1);
}
