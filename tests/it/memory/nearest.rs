//! The table of facts and the search in it, on both databases.

use lembra_agent::domain::memory::{DIMENSIONS, MemoryKind};
use lembra_agent::store::memories::{self, Page, Shown};
use lembra_agent::store::nearest::{self, Asked, Near};
use lembra_agent::store::{db, units};
use sea_orm::ConnectionTrait;

use super::{acquainted, plant};
use crate::support::app::TestApp;
use crate::support::on_both_databases;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / 8_388_608.0 - 1.0
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSIONS).map(|_| self.number()).collect()
    }
}

async fn ask(app: &TestApp, vector: &[f32], unit_id: Option<i64>) -> Vec<Near> {
    let origin = super::origin(app).await;
    let asked = Asked {
        account_id: origin.account_id,
        contact_id: origin.contact_id,
        unit_id,
        model: "m",
        vector,
        now: app.now(),
    };
    let mut near = nearest::of_contact(app.db(), &asked).await.expect("answers");
    near.sort_by(|left, right| right.similarity.total_cmp(&left.similarity));
    near
}

async fn set(app: &TestApp, id: i64, vector: &[f32]) {
    let row = memories::find(app.db(), id).await.unwrap().unwrap();
    assert!(nearest::set_embedding(app.db(), id, &row.content, vector, "m").await.unwrap());
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>()
    };
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

on_both_databases! {
    // Both implementations must give what the definition gives, so they agree with each other.
    async fn the_similarity_is_the_cosine_and_the_order_is_its(app: TestApp) {
        let origin = acquainted(&app).await;
        let mut dice = Dice(7);
        let mut vectors = Vec::new();
        for number in 0..20 {
            let content = format!("fato {number}");
            let id = plant(&app, origin, MemoryKind::Preferencia, &content, app.now()).await;
            let vector = dice.vector();
            set(&app, id, &vector).await;
            vectors.push((id, vector));
        }
        for round in 0..10 {
            let question = dice.vector();
            let near = ask(&app, &question, None).await;
            let mut expected: Vec<(i64, f64)> =
                vectors.iter().map(|(id, vector)| (*id, cosine(vector, &question))).collect();
            expected.sort_by(|left, right| right.1.total_cmp(&left.1));
            assert_eq!(near.len(), expected.len());
            for (near, (id, similarity)) in near.iter().zip(expected) {
                assert_eq!(near.id, id, "round {round}");
                assert!((near.similarity - similarity).abs() < 1e-5, "round {round}");
            }
        }
        let (model, kept) = nearest::embedding_of(app.db(), vectors[3].0).await.unwrap().unwrap();
        assert_eq!((model.as_str(), kept), ("m", vectors[3].1.clone()));
        // A direction that is none is alike to nothing.
        set(&app, vectors[0].0, &vec![0.0; DIMENSIONS]).await;
        let near = ask(&app, &vectors[1].1, None).await;
        let zero = near.iter().find(|near| near.id == vectors[0].0).unwrap();
        assert_eq!(zero.similarity, 0.0);
    }

    async fn only_active_facts_of_this_contact_model_and_unit_are_found(app: TestApp) {
        let origin = acquainted(&app).await;
        let vector = Dice(3).vector();
        let unit = units::add(app.db(), origin.account_id, "Centro", app.now()).await.unwrap().id;
        let other_unit = units::add(app.db(), origin.account_id, "Praia", app.now()).await.unwrap().id;
        let long_ago = app.now() - chrono::TimeDelta::days(400);
        let mut ids = Vec::new();
        let in_unit = |unit_id| memories::Origin { unit_id, ..origin };
        for (origin, kind, content, verified) in [
            (origin, MemoryKind::Preferencia, "global", app.now()),
            (origin, MemoryKind::Preferencia, "expirada que pesa menos", long_ago),
            (origin, MemoryKind::Reclamacao, "reclamação expirada", long_ago),
            (in_unit(Some(unit)), MemoryKind::Reclamacao, "desta unidade", app.now()),
            (in_unit(Some(other_unit)), MemoryKind::Reclamacao, "de outra unidade", app.now()),
            (in_unit(None), MemoryKind::Reclamacao, "sem unidade", app.now()),
            (origin, MemoryKind::Preferencia, "apagada", app.now()),
            (origin, MemoryKind::Preferencia, "superada", app.now()),
            (origin, MemoryKind::Preferencia, "de outro modelo", app.now()),
            (origin, MemoryKind::Preferencia, "sem embedding", app.now()),
        ] {
            let id = plant(&app, origin, kind, content, verified).await;
            set(&app, id, &vector).await;
            ids.push(id);
        }
        let note = serde_json::json!({ "why": "test" });
        assert!(memories::soft_delete(app.db(), ids[6], &note, app.now()).await.unwrap());
        assert!(memories::supersede(app.db(), ids[7], ids[0], &note, app.now()).await.unwrap());
        assert!(nearest::set_embedding(app.db(), ids[8], "de outro modelo", &vector, "n").await.unwrap());
        nearest::clear_embedding(app.db(), ids[9]).await.unwrap();
        let contents = |near: Vec<Near>| {
            let mut contents: Vec<String> = near.into_iter().map(|near| near.content).collect();
            contents.sort();
            contents
        };
        let found = contents(ask(&app, &vector, Some(unit)).await);
        assert_eq!(found, ["desta unidade", "expirada que pesa menos", "global", "sem unidade"]);
        let found = contents(ask(&app, &vector, None).await);
        assert_eq!(found, ["expirada que pesa menos", "global", "sem unidade"]);
        let asked = Asked {
            account_id: origin.account_id, contact_id: origin.contact_id + 1, unit_id: None,
            model: "m", vector: &vector, now: app.now(),
        };
        assert_eq!(nearest::of_contact(app.db(), &asked).await.unwrap(), Vec::new());
        let asked = Asked { account_id: origin.account_id + 1, contact_id: origin.contact_id, ..asked };
        assert_eq!(nearest::of_contact(app.db(), &asked).await.unwrap(), Vec::new());
        // Lists hold what recall does not.
        let page = |shown| Page { shown, kind: None, before: None, limit: 50 };
        let list = |page| memories::list(app.db(), origin.account_id, origin.contact_id, page, app.now());
        let history: Vec<i64> =
            list(page(Shown::History)).await.unwrap().iter().map(|row| row.id).collect();
        assert_eq!(history, [ids[7], ids[6], ids[2]]);
        assert_eq!(list(page(Shown::Active)).await.unwrap().len(), 7);
        let by_type = Page { kind: Some(MemoryKind::Reclamacao), ..page(Shown::All) };
        assert_eq!(list(by_type).await.unwrap().len(), 4);
    }

    async fn the_table_refuses_what_no_fact_may_be(app: TestApp) {
        let origin = acquainted(&app).await;
        let id = plant(&app, origin, MemoryKind::Preferencia, "Prefere café", app.now()).await;
        let long = "a".repeat(1_001);
        for change in [
            "content = ' '".to_owned(),
            format!("content = '{long}'"),
            "evidence = ''".to_owned(),
            "evidence = NULL".to_owned(),
            "confidence = 1.01".to_owned(),
            "confidence = -0.01".to_owned(),
            "scope = 'planet'".to_owned(),
            "contact_id = 999999".to_owned(),
        ] {
            let sql = format!("UPDATE captain_contact_memories SET {change} WHERE id = {id}");
            assert!(app.db().execute_unprepared(&sql).await.is_err(), "{change}");
        }
        // What it came from may be gone: those columns refer to nothing.
        let sql = "UPDATE captain_contact_memories SET source_conversation_id = 999999, \
                   source_unit_id = 999999, source_inbox_id = 999999, superseded_by_id = 999999";
        app.db().execute_unprepared(sql).await.unwrap();
    }

    async fn the_five_indexes_are_the_seeds(app: TestApp) {
        let postgres = db::is_postgres(app.db());
        let sql = if postgres {
            "SELECT indexname AS name, indexdef AS sql FROM pg_indexes \
             WHERE tablename = 'captain_contact_memories' AND indexname LIKE 'idx_ccm%'"
        } else {
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' \
             AND tbl_name = 'captain_contact_memories' AND name LIKE 'idx_ccm%'"
        };
        let statement = sea_orm::Statement::from_string(app.db().get_database_backend(), sql);
        let rows = app.db().query_all_raw(statement).await.unwrap();
        let mut indexes: Vec<(String, String)> = rows
            .iter()
            .map(|row| (row.try_get("", "name").unwrap(), row.try_get("", "sql").unwrap()))
            .collect();
        indexes.sort();
        let names: Vec<&str> = indexes.iter().map(|(name, _)| name.as_str()).collect();
        let mut expected = vec!["idx_ccm_analytics"];
        if postgres {
            expected.push("idx_ccm_embedding");
        }
        expected.extend(["idx_ccm_hard_delete", "idx_ccm_recall", "idx_ccm_superseded"]);
        assert_eq!(names, expected);
        for (name, sql) in indexes {
            let partial = matches!(name.as_str(), "idx_ccm_recall" | "idx_ccm_hard_delete" | "idx_ccm_superseded");
            assert_eq!(sql.to_uppercase().contains("WHERE"), partial, "{sql}");
            if name == "idx_ccm_embedding" {
                assert!(sql.contains("ivfflat") && sql.contains("vector_cosine_ops"), "{sql}");
            }
        }
    }
}
