//! Contradictions, silence, aging, and what is removed for good.

use chrono::TimeDelta;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::jobs::memory_kinds::{
    Aging, AutoResolve, CheckContradiction, HardDeleteExpired, SilenceDetector,
};
use lembra_agent::services::memory::flags::Flag;
use lembra_agent::store::memories::Origin;

use super::{acquainted, plant};
use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::fake_model::{Answer, Asked};
use crate::support::on_both_databases;

fn questions(app: &TestApp) -> usize {
    app.model.requests_for(Asked::Contradiction).len()
}

async fn kinds_waiting(app: &TestApp, kind: &str) -> usize {
    let jobs = app.jobs().await;
    jobs.iter().filter(|job| job.kind == kind && job.state == "pending").count()
}

on_both_databases! {
    async fn what_words_contradict_is_superseded_without_a_model(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let old = plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte com hidro", app.now()).await;
        app.clock.advance(TimeDelta::minutes(1));
        let new = plant(&app, origin, MemoryKind::Preferencia, "Prefere quarto sem hidro", app.now()).await;
        assert_eq!(app.known().await, ["Prefere quarto sem hidro"]);
        let row = app.memories().await.remove(0);
        assert_eq!((row.id, row.superseded_by_id), (old, Some(new)));
        assert_eq!(row.metadata["superseded_why"], "lexical");
        assert_eq!(questions(&app), 0);
    }

    async fn what_words_leave_open_is_one_question_each_and_sim_supersedes(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let say = |content| plant(&app, origin, MemoryKind::Restricao, content, app.now());
        say("Não come carne de porco nem carne de boi").await;
        say("Não come carne de frango").await;
        assert_eq!(questions(&app), 1);
        // Related and not contradictory: both stand.
        assert_eq!(app.known().await.len(), 2);
        app.model.answer_memory(Asked::Contradiction, Answer::Text("Sim.".into()));
        app.model.answer_memory(Asked::Contradiction, Answer::Text("SIM".into()));
        say("Voltou a comer carne de porco, carne de boi e carne de frango").await;
        let known = app.known().await;
        assert!(known.len() <= 2, "{known:?}");
        assert!(known.iter().any(|content| content.starts_with("Voltou")), "{known:?}");
        let request = app.model.requests_for(Asked::Contradiction).remove(0);
        assert_eq!(request["temperature"], serde_json::json!(0.0));
    }

    async fn only_facts_of_the_same_kind_and_unit_are_compared_and_three_at_most(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let other_unit = Origin { unit_id: Some(77), ..origin };
        let content = "Reclamou do chuveiro";
        plant(&app, other_unit, MemoryKind::Reclamacao, &format!("{content} frio"), app.now()).await;
        plant(&app, origin, MemoryKind::Preferencia, &format!("{content} quente"), app.now()).await;
        let new = plant(&app, origin, MemoryKind::Reclamacao, &format!("{content} elétrico"), app.now()).await;
        assert_eq!(questions(&app), 0);
        for number in 1..=4 {
            let content = format!("{content} elétrico do andar {number}");
            plant(&app, origin, MemoryKind::Reclamacao, &content, app.now()).await;
        }
        let before = questions(&app);
        app.run_now(&CheckContradiction { memory_id: new }).await;
        assert_eq!(questions(&app) - before, 3);
    }

    async fn the_newer_fact_stands_in_whatever_order_they_are_compared(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let now = app.now();
        // The later row is the older statement.
        let newer = plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte com hidro", now).await;
        let long_ago = now - TimeDelta::days(30);
        plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte sem hidro", long_ago).await;
        assert_eq!(app.known().await, ["Prefere suíte com hidro"]);
        app.run_now(&CheckContradiction { memory_id: newer }).await;
        assert_eq!(app.known().await, ["Prefere suíte com hidro"]);
    }

    async fn facts_alike_to_the_last_letter_are_one(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let first = plant(&app, origin, MemoryKind::Preferencia, "Gosta de vista para o mar", app.now()).await;
        app.clock.advance(TimeDelta::days(1));
        plant(&app, origin, MemoryKind::Preferencia, "Gosta da vista para o mar!", app.now()).await;
        assert_eq!(app.known().await, ["Gosta de vista para o mar"]);
        let rows = app.memories().await;
        assert_eq!(rows[1].metadata["duplicate_of"], first);
        assert!(rows[0].last_verified_at > rows[0].created_at);
        // Figures tell facts apart, however alike the rest is.
        for day in ["14/02", "15/02"] {
            let content = format!("Aniversário da filha mais nova em {day}");
            plant(&app, origin, MemoryKind::DataComemorativa, &content, app.now()).await;
        }
        assert_eq!(app.known().await.len(), 3);
    }

    async fn the_silence_detector_finds_what_is_silent_and_unlearnt_and_nothing_else(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "tem vaga para hoje?").await;
        app.settle().await;
        app.clock.advance(TimeDelta::minutes(31));
        app.say(BIA, "oi, bom dia").await;
        let tx_now = app.now();
        app.drain().await;
        let detect = async || {
            let outcome = app.runtime.memories.detect_silence().await;
            assert_eq!(outcome, lembra_agent::jobs::JobOutcome::Done);
        };
        detect().await;
        assert_eq!(kinds_waiting(&app, "extract_from_conversation").await, 1);
        // Looking again asks for nothing twice.
        detect().await;
        assert_eq!(kinds_waiting(&app, "extract_from_conversation").await, 1);
        app.settle().await;
        assert_eq!(app.model.requests_for(Asked::Extraction).len(), 1);
        detect().await;
        assert_eq!(kinds_waiting(&app, "extract_from_conversation").await, 0);
        // Exactly half an hour is enough for the second.
        app.clock.set(tx_now + TimeDelta::minutes(30));
        detect().await;
        assert_eq!(kinds_waiting(&app, "extract_from_conversation").await, 1);
        app.settle().await;
        app.turn(Flag::Extraction, false).await;
        app.say(ANA, "e amanhã?").await;
        app.settle().await;
        app.clock.advance(TimeDelta::hours(1));
        detect().await;
        assert_eq!(kinds_waiting(&app, "extract_from_conversation").await, 0);
        assert!(app.conversations().await.iter().all(|row| row.state == "open"));
    }

    async fn a_day_of_silence_resolves_and_teaches(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.clock.advance(TimeDelta::hours(23));
        app.run_now(&AutoResolve {}).await;
        assert_eq!(app.conversations().await[0].state, "open");
        app.clock.advance(TimeDelta::hours(1));
        app.model.learn_next(&[("restricao", "Alérgico a amendoim", "sou alérgico a amendoim")]);
        app.run_now(&AutoResolve {}).await;
        assert_eq!(app.conversations().await[0].state, "resolved");
        assert_eq!(app.known().await, ["Alérgico a amendoim"]);
    }

    async fn aging_deletes_by_kind_and_keeps_fifty(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let ago = |days| app.now() - TimeDelta::days(days);
        for (kind, content, days) in [
            (MemoryKind::Reclamacao, "Chuveiro frio", 181),
            (MemoryKind::Reclamacao, "Internet lenta", 179),
            (MemoryKind::FeedbackPositivo, "Elogiou a piscina", 366),
            (MemoryKind::VinculoSocial, "Vem com a irmã", 731),
            (MemoryKind::VinculoSocial, "Vem com o primo", 729),
            (MemoryKind::Preferencia, "Gosta de chá", 800),
            (MemoryKind::DataComemorativa, "Aniversário em 14/02", 3_000),
            (MemoryKind::Restricao, "Alérgico a amendoim", 3_000),
            (MemoryKind::VinculoComercial, "Convênio Caixa", 400),
        ] {
            plant(&app, origin, kind, content, ago(days)).await;
        }
        let expiry = |rows: &[lembra_entities::contact_memory::Model]| {
            rows.iter().map(|row| row.expires_at).collect::<Vec<_>>()
        };
        let before = expiry(&app.memories().await);
        app.run_now(&Aging {}).await;
        assert_eq!(app.known().await, [
            "Internet lenta", "Vem com o primo", "Gosta de chá", "Aniversário em 14/02",
            "Alérgico a amendoim", "Convênio Caixa",
        ]);
        // Ends are never moved: the weight follows from them.
        assert_eq!(expiry(&app.memories().await), before);
        for number in 0..60 {
            let fact = lembra_agent::domain::memory::Fact {
                kind: MemoryKind::ContextoPessoal, content: format!("fato {number}"),
                evidence: "fato".into(), confidence: 0.9, message_id: 1,
            };
            let verified = app.now() - TimeDelta::minutes(number);
            lembra_agent::store::memories::insert(app.db(), origin, &fact, verified).await.unwrap();
        }
        app.run_now(&Aging {}).await;
        let known = app.known().await;
        assert_eq!(known.len(), 50);
        // Those verified longest ago are gone, whatever their kind.
        assert!(known.contains(&"fato 49".to_owned()) && !known.contains(&"fato 50".to_owned()));
        assert!(!known.contains(&"Alérgico a amendoim".to_owned()));
    }

    async fn only_what_was_deleted_over_30_days_ago_is_gone(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let note = serde_json::json!({});
        for (content, days) in [("há 29 dias", Some(29)), ("há 31 dias", Some(31)), ("de pé", None)] {
            let id = plant(&app, origin, MemoryKind::Preferencia, content, app.now()).await;
            if let Some(days) = days {
                let at = app.now() - TimeDelta::days(days);
                lembra_agent::store::memories::soft_delete(app.db(), id, &note, at).await.unwrap();
            }
        }
        app.run_now(&HardDeleteExpired {}).await;
        let left: Vec<String> = app.memories().await.into_iter().map(|row| row.content).collect();
        assert_eq!(left, ["há 29 dias", "de pé"]);
    }

    async fn every_schedule_of_memory_ticks(app: TestApp) {
        lembra_worker::schedule::tick(&app.runtime).await.unwrap();
        let kinds: Vec<String> = app.jobs().await.into_iter().map(|job| job.kind).collect();
        for kind in ["silence_detector", "auto_resolve", "aging", "hard_delete_expired", "reembed"] {
            assert!(kinds.iter().any(|known| known == kind), "{kind}: {kinds:?}");
        }
        app.run_now(&SilenceDetector {}).await;
    }
}
