//! What is found, exactly, in time, and in one's own account only.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use lembra_agent::domain::memory::DIMENSIONS;
use lembra_agent::jobs::memory_kinds::Reembed;
use lembra_agent::services::knowledge::edit::{Changes, EditError, Filter};
use lembra_agent::services::knowledge::retrieve::prompt_block;
use lembra_agent::services::memory::recall::Query;
use lembra_agent::services::query_embedding::QueryEmbedding;
use lembra_agent::store::accounts;
use lembra_agent::store::knowledge::Status;
use lembra_agent::store::nearest::entries as nearest;
use lembra_entities::llm_usage;
use sea_orm::{ConnectionTrait, EntityTrait};

use super::{add, entries, told};
use crate::memory::acquainted;
use crate::support::app::TestApp;
use crate::support::fake_model::{Answer, Asked};
use crate::support::on_both_databases;

async fn purposes(app: &TestApp) -> Vec<String> {
    let rows = llm_usage::Entity::find().all(app.db()).await.unwrap();
    let mut purposes: Vec<String> = rows.into_iter().map(|row| row.purpose).collect();
    purposes.sort();
    purposes
}

/// Numbers that look random and are the same every time.
fn vector(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut number = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32) / 8_388_608.0 - 1.0
    };
    (0..DIMENSIONS).map(|_| number()).collect()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>()
    };
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

async fn set(app: &TestApp, id: i64, vector: &[f32], model: &str) {
    let row = entries(app).await.into_iter().find(|row| row.id == id).expect("an entry");
    let texts = (row.question.as_str(), row.answer.as_str());
    assert!(nearest::set_embedding(app.db(), id, texts, vector, model).await.unwrap());
}

async fn edit(app: &TestApp, id: i64, changes: Changes<'_>) {
    let account = app.account().await;
    app.runtime.knowledge.edit(account, id, changes, "test").await.expect("is written");
}

on_both_databases! {
    async fn an_entry_is_found_by_its_words_at_once_and_embedded_by_its_job(app: TestApp) {
        let account = app.account().await;
        let knowledge = &app.runtime.knowledge;
        let row = knowledge
            .add(account, "Quais convênios aceitam?", "Unimed e Amil.", Some("Convênios"), "test")
            .await
            .unwrap();
        assert_eq!(row.embedding_model, None);
        assert_eq!(told(&app, "vcs atendem unimed?").await, [row.id]);
        app.settle().await;
        assert_eq!(entries(&app).await[0].embedding_model.as_deref(), Some("text-embedding-3-small"));
        assert_eq!(told(&app, "aceita convenio?").await, [row.id]);
        assert_eq!(told(&app, "que calor hoje").await, Vec::<i64>::new());
        let hits = knowledge.retrieve(account, "aceita amil?", 3).await;
        assert_eq!(
            prompt_block(&hits),
            "<conhecimento>\n  <entrada pergunta=\"Quais convênios aceitam?\" \
             categoria=\"Convênios\">Unimed e Amil.</entrada>\n</conhecimento>"
        );
        let purposes = purposes(&app).await;
        assert_eq!(purposes.iter().filter(|name| *name == "knowledge_embedding").count(), 1);
        assert_eq!(purposes.iter().filter(|name| *name == "knowledge_query_embedding").count(), 4);
    }

    async fn similarities_are_those_of_the_definition(app: TestApp) {
        let account = app.account().await;
        let mut vectors = Vec::new();
        for number in 0..20 {
            let id = add(&app, &format!("Pergunta {number}?"), "Sim.", None).await;
            set(&app, id, &vector(number + 1), "m").await;
            vectors.push((id, vector(number + 1)));
        }
        for round in 0..5 {
            let question = vector(1_000 + round);
            let mut near = nearest::of_account(app.db(), account, "m", &question).await.unwrap();
            near.sort_by(|left, right| right.1.total_cmp(&left.1));
            let mut expected: Vec<(i64, f64)> =
                vectors.iter().map(|(id, vector)| (*id, cosine(vector, &question))).collect();
            expected.sort_by(|left, right| right.1.total_cmp(&left.1));
            assert_eq!(near.len(), expected.len());
            for (near, expected) in near.iter().zip(expected) {
                assert_eq!(near.0, expected.0, "round {round}");
                assert!((near.1 - expected.1).abs() < 1e-5, "round {round}");
            }
        }
        let kept = nearest::embedding_of(app.db(), vectors[3].0).await.unwrap();
        assert_eq!(kept, Some(("m".to_owned(), vectors[3].1.clone())));
        // A direction that is none is alike to nothing; another model's, and one that is not told,
        // are not compared.
        set(&app, vectors[0].0, &vec![0.0; DIMENSIONS], "m").await;
        set(&app, vectors[1].0, &vectors[1].1, "n").await;
        edit(&app, vectors[2].0, Changes { status: Some(Status::Disabled), ..Changes::default() }).await;
        let near = nearest::of_account(app.db(), account, "m", &vectors[3].1).await.unwrap();
        assert_eq!(near.len(), 18);
        assert!(near.contains(&(vectors[0].0, 0.0)));
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let near = nearest::of_account(app.db(), stranger, "m", &vectors[3].1).await.unwrap();
        assert_eq!(near, Vec::new());
    }

    async fn after_three_failures_words_must_do_and_the_nightly_pass_asks_again(app: TestApp) {
        for _ in 0..3 {
            app.model.answer_memory(Asked::Embedding, Answer::Status(500));
        }
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        let jobs = app.jobs().await;
        let job = jobs.iter().find(|job| job.kind == "update_knowledge_embedding").unwrap();
        assert_eq!((job.state.as_str(), job.attempts), ("dead", 3));
        assert_eq!(entries(&app).await[0].embedding_model, None);
        assert_eq!(told(&app, "onde estaciono? tem estacionamento").await, [id]);
        app.run_now(&Reembed {}).await;
        assert_eq!(entries(&app).await[0].embedding_model, None);
        app.clock.advance(TimeDelta::hours(13));
        app.run_now(&Reembed {}).await;
        assert!(entries(&app).await[0].embedding_model.is_some());
    }

    async fn while_the_embedder_is_down_or_slow_words_answer_in_time(app: TestApp) {
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        for answer in [
            Answer::Status(500),
            Answer::Busy(60),
            Answer::Body("<html>bad gateway</html>".to_owned()),
            Answer::Body(r#"{"data":[{"embedding":[0.5]}]}"#.to_owned()),
        ] {
            app.model.answer_memory(Asked::Embedding, answer.clone());
            assert_eq!(told(&app, "tem estacionamento?").await, [id], "{answer:?}");
        }
        app.model.delay_embeddings(Duration::from_secs(20));
        let began = Instant::now();
        assert_eq!(told(&app, "tem estacionamento?").await, [id]);
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }

    async fn without_its_table_nothing_is_found_and_nothing_fails(app: TestApp) {
        add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        let rename = "ALTER TABLE captain_assistant_responses RENAME TO elsewhere";
        app.db().execute_unprepared(rename).await.unwrap();
        assert_eq!(told(&app, "tem estacionamento?").await, Vec::<i64>::new());
    }

    async fn another_models_embedding_is_not_compared_until_it_is_made_again(app: TestApp) {
        let account = app.account().await;
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        let (model, vector) = nearest::embedding_of(app.db(), id).await.unwrap().unwrap();
        set(&app, id, &vector, "old-model").await;
        let compared = nearest::of_account(app.db(), account, &model, &vector).await.unwrap();
        assert_eq!(compared, Vec::new());
        assert_eq!(told(&app, "tem estacionamento?").await, [id]);
        app.run_now(&Reembed {}).await;
        assert_eq!(entries(&app).await[0].embedding_model.as_deref(), Some(model.as_str()));
        let compared = nearest::of_account(app.db(), account, &model, &vector).await.unwrap();
        assert_eq!(compared.len(), 1);
    }

    async fn other_texts_are_embedded_again_and_another_category_is_not(app: TestApp) {
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        let embedded = app.model.requests_for(Asked::Embedding).len();
        edit(&app, id, Changes { category: Some(Some("Estrutura")), ..Changes::default() }).await;
        app.settle().await;
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded);
        edit(&app, id, Changes { answer: Some("Não, só na rua."), ..Changes::default() }).await;
        assert_eq!(entries(&app).await[0].embedding_model, None);
        app.settle().await;
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded + 1);
        let row = entries(&app).await.remove(0);
        assert!(row.embedding_model.is_some());
        assert_eq!(row.category.as_deref(), Some("Estrutura"));
        // A text that is late for a row that was rewritten is not written.
        let texts = ("Tem estacionamento?", "Sim, coberto.");
        assert!(!nearest::set_embedding(app.db(), id, texts, &vector(1), "m").await.unwrap());
    }

    async fn a_disabled_entry_is_kept_and_not_told(app: TestApp) {
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        edit(&app, id, Changes { status: Some(Status::Disabled), ..Changes::default() }).await;
        assert_eq!(told(&app, "tem estacionamento?").await, Vec::<i64>::new());
        edit(&app, id, Changes { status: Some(Status::Enabled), ..Changes::default() }).await;
        assert_eq!(told(&app, "tem estacionamento?").await, [id]);
        let account = app.account().await;
        app.runtime.knowledge.remove(account, id).await.unwrap();
        assert_eq!(told(&app, "tem estacionamento?").await, Vec::<i64>::new());
        assert!(entries(&app).await.is_empty());
    }

    async fn no_account_sees_or_touches_anothers_entries(app: TestApp) {
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", Some("Estrutura")).await;
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let knowledge = &app.runtime.knowledge;
        assert!(knowledge.retrieve(stranger, "tem estacionamento?", 3).await.is_empty());
        assert_eq!(knowledge.find(stranger, id).await.unwrap(), None);
        let changes = Changes { answer: Some("Não."), ..Changes::default() };
        let edited = knowledge.edit(stranger, id, changes, "test").await;
        assert!(matches!(edited, Err(EditError::NotFound)));
        assert!(matches!(knowledge.remove(stranger, id).await, Err(EditError::NotFound)));
        let all = Filter { status: None, category: None, search: None, before: None, limit: 50 };
        assert!(knowledge.list(stranger, &all).await.unwrap().is_empty());
        // The same question is another entry there, and each finds its own.
        let own = knowledge.add(stranger, "Tem estacionamento?", "Não.", None, "test").await.unwrap();
        let hits = knowledge.retrieve(stranger, "tem estacionamento?", 3).await;
        assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [own.id]);
        assert_eq!(told(&app, "tem estacionamento?").await, [id]);
        let nobody = knowledge.add(999_999, "Tem wifi?", "Sim.", None, "test").await;
        assert!(matches!(nobody, Err(EditError::NoAccount)));
    }

    async fn two_entries_never_ask_the_same(app: TestApp) {
        let account = app.account().await;
        let first = add(&app, "Aceitam cartão?", "Sim.", None).await;
        let second = add(&app, "Aceitam pix?", "Sim.", None).await;
        let knowledge = &app.runtime.knowledge;
        let again = knowledge.add(account, "ACEITAM  CARTAO", "Não.", None, "test").await;
        assert!(matches!(again, Err(EditError::Taken { id }) if id == first));
        let changes = Changes { question: Some("aceitam cartão"), ..Changes::default() };
        let edited = knowledge.edit(account, second, changes, "test").await;
        assert!(matches!(edited, Err(EditError::Taken { id }) if id == first));
        // An entry may be spelt anew.
        edit(&app, first, Changes { question: Some("Aceitam CARTÃO?"), ..Changes::default() }).await;
        assert_eq!(entries(&app).await.len(), 2);
    }

    async fn memory_and_knowledge_share_one_embedding(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let id = add(&app, "Tem estacionamento?", "Sim, coberto.", None).await;
        let embedded = app.model.requests_for(Asked::Embedding).len();
        let text = "tem estacionamento?";
        let query = Query {
            account_id: origin.account_id,
            contact_id: origin.contact_id,
            conversation_id: origin.conversation_id,
            text,
        };
        let embedding = QueryEmbedding::of(&app.runtime.knowledge.embedder, text);
        let (recalled, hits) = tokio::join!(
            app.runtime.memories.recall_with(&query, &embedding),
            app.runtime.knowledge.retrieve_with(origin.account_id, &embedding, 3)
        );
        assert_eq!(recalled.prompt, "");
        assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [id]);
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded + 1);
    }

    async fn an_account_that_knows_nothing_pays_for_no_embedding(app: TestApp) {
        let embedded = app.model.requests_for(Asked::Embedding).len();
        assert_eq!(told(&app, "tem estacionamento?").await, Vec::<i64>::new());
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded);
    }
}
