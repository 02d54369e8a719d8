//! Learning from conversations: what becomes a fact, what does not, and how often it is asked.

use chrono::TimeDelta;
use lembra_agent::jobs::memory_kinds::{ExtractFromConversation, SilenceDetector};
use lembra_agent::services::memory::flags::Flag;
use lembra_entities::{llm_usage, memory_extraction};
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_model::{Answer, Asked};
use crate::support::on_both_databases;

const ALLERGY: (&str, &str, &str) = ("restricao", "Alérgico a amendoim", "sou alérgico a amendoim");

async fn extractions(app: &TestApp) -> Vec<memory_extraction::Model> {
    memory_extraction::Entity::find().all(app.db()).await.expect("answers")
}

fn asked(app: &TestApp) -> usize {
    app.model.requests_for(Asked::Extraction).len()
}

on_both_databases! {
    async fn a_resolved_conversation_is_learnt_from(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "Oi! Sou ALÉRGICO a  amendoim, tá?").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        let conversation = app.resolve().await;
        let facts = app.memories().await;
        assert_eq!(facts.len(), 1);
        let fact = &facts[0];
        assert_eq!((fact.memory_type.as_str(), fact.content.as_str()), (ALLERGY.0, ALLERGY.1));
        assert_eq!((fact.evidence.as_str(), fact.confidence), (ALLERGY.2, 0.92));
        assert_eq!((fact.scope.as_str(), fact.expires_at), ("global", None));
        assert_eq!(fact.source_conversation_id, Some(conversation));
        assert!(fact.embedding_model.is_some());
        // JSON mode, temperature 0, the conversation apart from the instructions.
        let request = app.model.requests_for(Asked::Extraction).remove(0);
        assert_eq!(request["temperature"], json!(0.0));
        assert_eq!(request["response_format"], json!({ "type": "json_object" }));
        let given: Value =
            serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap();
        let authors: Vec<&str> = given["mensagens"].as_array().unwrap().iter()
            .map(|message| message["autor"].as_str().unwrap()).collect();
        assert_eq!(authors, ["cliente", "bot"]);
        // Paid, and said so.
        let usage = llm_usage::Entity::find().all(app.db()).await.unwrap();
        let purposes: Vec<&str> = usage.iter().map(|row| row.purpose.as_str()).collect();
        for purpose in ["reply", "extraction", "fact_embedding", "recall_embedding"] {
            assert!(purposes.contains(&purpose), "{purposes:?}");
        }
    }

    async fn with_extraction_off_no_model_is_called(app: TestApp) {
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        let conversation_id = app.resolve().await;
        app.clock.advance(TimeDelta::hours(1));
        app.run_now(&SilenceDetector {}).await;
        app.run_now(&ExtractFromConversation { conversation_id }).await;
        assert_eq!((asked(&app), app.memories().await.len()), (0, 0));
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), 0);
    }

    async fn turned_off_while_the_model_reads_nothing_is_written(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        app.model.delay(std::time::Duration::from_millis(700));
        let turned_off = async {
            while asked(&app) == 0 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            app.turn(Flag::Extraction, false).await;
        };
        tokio::join!(app.resolve(), turned_off);
        assert_eq!((asked(&app), app.memories().await.len()), (1, 0));
    }

    async fn only_what_a_customer_literally_said_becomes_a_fact(app: TestApp) {
        let app = app.with_memory().await;
        app.model.answer_next(Answer::Text("Anotado: você prefere o quarto 12!".into()));
        app.say(ANA, "oi, sou alérgico a amendoim").await;
        app.settle().await;
        app.say(ANA, "meu aniversário está chegando").await;
        app.settle().await;
        let fact = |kind: &str, content: &str, evidence: &str, confidence: Value| {
            json!({ "memory_type": kind, "content": content, "evidence": evidence, "confidence": confidence })
        };
        let long = "a".repeat(1_001);
        let facts = [
            // Paraphrased, spliced from two messages, said by the bot.
            fact("restricao", "Alérgico a amendoim", "tem alergia a amendoim", json!(0.9)),
            fact("restricao", "Alérgico", "amendoim meu aniversário", json!(0.9)),
            fact("preferencia", "Prefere o quarto 12", "você prefere o quarto 12", json!(0.9)),
            // A word that does not hold the figure, too uncertain, a tenth kind, too long, empty.
            fact("data_comemorativa", "Aniversário em 14/02", "aniversário", json!(0.9)),
            fact("restricao", "Alérgico a amendoim", "sou alérgico a amendoim", json!(0.49)),
            fact("humor", "Alérgico a amendoim", "sou alérgico a amendoim", json!(0.9)),
            fact("restricao", &long, "sou alérgico a amendoim", json!(0.9)),
            fact("restricao", "Alérgico a amendoim", "", json!(0.9)),
            fact("restricao", "Alérgico a amendoim", "sou alérgico a amendoim", json!("muito")),
            json!("um fato"),
        ];
        app.model.answer_memory(Asked::Extraction, Answer::Text(json!({ "facts": facts }).to_string()));
        app.resolve().await;
        assert_eq!(app.memories().await.len(), 0);
        let row = extractions(&app).await.remove(0);
        assert_eq!(row.discarded, json!({
            "evidence_not_literal": 3, "claim_not_in_evidence": 1, "confidence_too_low": 1,
            "unknown_type": 1, "content_too_long": 1, "evidence_missing": 1,
            "confidence_out_of_range": 1, "malformed": 1,
        }));
        assert_eq!((row.messages, row.facts, row.outcome.as_str()), (2, 0, "learnt"));
    }

    async fn an_operators_words_prove_nothing(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "oi, bom dia").await;
        app.settle().await;
        let mut echo = crate::support::bodies::text_message(ANA, "wamid.ECHO", "ela é vegetariana", app.now().timestamp());
        echo["to"] = json!(ANA);
        let change = json!({ "field": "smb_message_echoes", "value": {
            "messaging_product": "whatsapp",
            "metadata": { "display_phone_number": "551140000000", "phone_number_id": crate::support::bodies::PHONE_NUMBER_ID },
            "message_echoes": [echo],
        }});
        assert_eq!(app.deliver(vec![change]).await, 200);
        app.settle().await;
        app.model.learn_next(&[("restricao", "Vegetariana", "ela é vegetariana")]);
        app.resolve().await;
        assert_eq!(app.memories().await.len(), 0);
        let given = app.model.requests_for(Asked::Extraction)[0]["messages"][1]["content"].to_string();
        assert!(given.contains("atendente") && given.contains("vegetariana"), "{given}");
    }

    async fn a_sixth_fact_is_one_too_many(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "gosto de chá, de café, de suco, de vinho, de leite e de mate").await;
        app.settle().await;
        let drinks = ["chá", "café", "suco", "vinho", "leite", "mate"];
        let facts: Vec<(&str, String, &str)> =
            drinks.iter().map(|drink| ("preferencia", format!("Gosta de {drink}"), *drink)).collect();
        let facts: Vec<(&str, &str, &str)> =
            facts.iter().map(|(kind, content, drink)| (*kind, content.as_str(), *drink)).collect();
        app.model.learn_next(&facts);
        app.resolve().await;
        assert_eq!(app.memories().await.len(), 5);
        assert_eq!(extractions(&app).await[0].discarded, json!({ "over_limit": 1 }));
    }

    async fn a_broken_answer_is_mended_or_given_up_without_asking_again(app: TestApp) {
        let app = app.with_memory().await;
        let fact = r#"{"memory_type":"restricao","content":"Alérgico a amendoim","evidence":"sou alérgico a amendoim","confidence":0.9}"#;
        for (answer, facts) in [
            (format!("<think>o cliente…</think>```json\n{{\"facts\":[{fact},]}}\n```"), 1),
            (format!("{{'facts':[{}", fact.replace('"', "'")), 1),
            ("Desculpe, não encontrei nada.".to_owned(), 0),
            ("[".repeat(3_000), 0),
        ] {
            let before = (asked(&app), app.memories().await.len());
            app.say(ANA, "sou alérgico a amendoim").await;
            app.settle().await;
            app.model.answer_memory(Asked::Extraction, Answer::Text(answer.clone()));
            app.resolve().await;
            assert_eq!(asked(&app), before.0 + 1, "{answer}");
            let known = usize::from(before.1 > 0);
            assert_eq!(app.memories().await.len(), before.1 + facts - known * facts, "{answer}");
        }
        let outcomes: Vec<String> = extractions(&app).await.into_iter().map(|row| row.outcome).collect();
        assert_eq!(outcomes, ["learnt", "learnt", "unreadable", "unreadable"]);
    }

    async fn a_model_that_fails_is_asked_three_times_and_then_left_alone(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        for _ in 0..4 {
            app.model.answer_memory(Asked::Extraction, Answer::Status(503));
        }
        app.resolve().await;
        assert_eq!((asked(&app), app.memories().await.len()), (3, 0));
        app.clock.advance(TimeDelta::hours(2));
        app.run_now(&SilenceDetector {}).await;
        assert_eq!(asked(&app), 3);
    }

    async fn a_server_without_json_mode_is_asked_plainly(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.answer_memory(Asked::Extraction, Answer::Status(400));
        app.model.learn_next(&[ALLERGY]);
        app.resolve().await;
        assert_eq!(app.known().await, ["Alérgico a amendoim"]);
        assert_eq!(app.model.requests_for(Asked::Extraction)[1].get("response_format"), None);
    }

    async fn running_it_twice_asks_once_and_doubles_nothing(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        let conversation_id = app.resolve().await;
        for _ in 0..2 {
            app.run_now(&ExtractFromConversation { conversation_id }).await;
        }
        assert_eq!((asked(&app), app.memories().await.len()), (1, 1));
    }

    async fn a_conversation_without_facts_is_paid_for_once(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        for _ in 0..3 {
            app.clock.advance(TimeDelta::minutes(31));
            app.run_now(&SilenceDetector {}).await;
        }
        assert_eq!(asked(&app), 1);
    }

    async fn what_is_said_after_a_first_extraction_is_learnt_and_at_most_five_in_all(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "gosto de chá, de café, de suco").await;
        app.settle().await;
        app.clock.advance(TimeDelta::minutes(31));
        app.model.learn_next(&[
            ("preferencia", "Gosta de chá", "gosto de chá"),
            ("preferencia", "Gosta de café", "de café"),
            ("preferencia", "Gosta de suco", "de suco"),
        ]);
        app.run_now(&SilenceDetector {}).await;
        assert_eq!(app.memories().await.len(), 3);
        // One of them is forgotten in between; old messages do not teach it again.
        let forgotten = app.memories().await[0].clone();
        let owner = lembra_agent::services::memory::edit::Owner {
            account_id: forgotten.account_id, contact_id: forgotten.contact_id,
        };
        app.runtime.memories.delete(owner, forgotten.id, "test").await.unwrap();
        app.say(ANA, "ah, e de vinho, de mate, de leite").await;
        app.settle().await;
        app.model.learn_next(&[
            ("preferencia", "Gosta de chá", "gosto de chá"),
            ("preferencia", "Gosta de vinho", "de vinho"),
            ("preferencia", "Gosta de mate", "de mate"),
            ("preferencia", "Gosta de leite", "de leite"),
        ]);
        app.resolve().await;
        let contents: Vec<String> = app.memories().await.into_iter().map(|row| row.content).collect();
        assert_eq!(contents, ["Gosta de chá", "Gosta de café", "Gosta de suco", "Gosta de vinho", "Gosta de mate"]);
        assert_eq!(app.known().await.len(), 4);
        let second = &extractions(&app).await[1];
        assert_eq!(second.discarded, json!({ "evidence_not_literal": 1, "over_limit": 1 }));
        assert_eq!((second.messages, second.facts), (1, 2));
    }

    async fn a_known_fact_is_verified_again_and_not_doubled(app: TestApp) {
        let app = app.with_memory().await;
        for _ in 0..2 {
            app.say(ANA, "prefiro suíte com hidro").await;
            app.settle().await;
            app.model.learn_next(&[("preferencia", "Prefere suíte com hidro", "prefiro suíte com hidro")]);
            app.resolve().await;
            app.clock.advance(TimeDelta::days(10));
        }
        // In other words that say the same.
        app.say(ANA, "eu prefiro mesmo a suíte com hidro").await;
        app.settle().await;
        app.model.learn_next(&[("preferencia", "Prefere a suíte com hidro", "prefiro mesmo a suíte com hidro")]);
        app.resolve().await;
        let known = app.memories().await;
        assert_eq!(app.known().await, ["Prefere suíte com hidro"]);
        assert!(known[0].last_verified_at > known[0].created_at + TimeDelta::days(15));
        assert_eq!(known[0].expires_at, Some(known[0].last_verified_at + TimeDelta::days(365)));
    }

    async fn a_kind_that_the_account_switched_off_is_not_learnt(app: TestApp) {
        let app = app.with_memory().await;
        app.turn(Flag::parse("restricao").unwrap(), false).await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        app.resolve().await;
        assert_eq!(app.memories().await.len(), 0);
        assert_eq!(extractions(&app).await[0].discarded, json!({ "type_switched_off": 1 }));
    }

    async fn an_embedding_that_fails_three_times_leaves_the_fact_unseen(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        let before = app.model.requests_for(Asked::Embedding).len();
        app.model.learn_next(&[ALLERGY]);
        for _ in 0..3 {
            app.model.answer_memory(Asked::Embedding, Answer::Status(500));
        }
        app.resolve().await;
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), before + 3);
        assert_eq!(app.memories().await[0].embedding_model, None);
        app.say(ANA, "tem amendoim no café?").await;
        app.settle().await;
        assert!(!app.model.last_system().contains("memoria_cliente"));
        // The next night heals it.
        app.clock.advance(TimeDelta::hours(13));
        app.run_now(&lembra_agent::jobs::memory_kinds::Reembed {}).await;
        assert!(app.memories().await[0].embedding_model.is_some());
    }

    async fn two_workers_at_once_learn_once(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        app.model.learn_next(&[ALLERGY]);
        app.model.delay(std::time::Duration::from_millis(200));
        let (clock, open) = (&app.runtime.clock, app.open_conversation().await.id);
        assert!(lembra_agent::services::conversations::resolve(app.db(), clock, open).await.unwrap());
        let job = app.jobs().await.into_iter().find(|job| job.kind == "extract_from_conversation").unwrap();
        let other = lembra_worker::runner::Runner::new(app.runtime.clone());
        let (one, another) = tokio::join!(app.run_job(job.id), other.run(job.id));
        let ended = [one, another.unwrap()].into_iter()
            .filter(|ran| matches!(ran, lembra_worker::runner::Ran::Ended(_))).count();
        assert_eq!(ended, 1);
        app.settle().await;
        assert_eq!((asked(&app), app.memories().await.len()), (1, 1));
    }

    async fn a_worker_that_dies_between_the_call_and_the_commit_costs_one_more_call(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[ALLERGY]);
        app.model.learn_next(&[ALLERGY]);
        app.model.delay(std::time::Duration::from_millis(300));
        let (clock, open) = (&app.runtime.clock, app.open_conversation().await.id);
        assert!(lembra_agent::services::conversations::resolve(app.db(), clock, open).await.unwrap());
        let job = app.jobs().await.into_iter().find(|job| job.kind == "extract_from_conversation").unwrap();
        {
            // It is dropped while the model answers, as a killed process drops it.
            let dying = app.run_job(job.id);
            assert!(tokio::time::timeout(std::time::Duration::from_millis(150), dying).await.is_err());
        }
        app.model.delay(std::time::Duration::ZERO);
        app.clock.advance(TimeDelta::seconds(16));
        lembra_agent::jobs::reap::reap(app.db(), &app.runtime.journal, app.now()).await.unwrap();
        app.settle().await;
        assert_eq!((asked(&app), app.memories().await.len()), (2, 1));
    }

    async fn a_conversation_of_2000_messages_is_read_in_parts(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "oi").await;
        app.settle().await;
        let first = app.messages().await.remove(0);
        let rows = (0..2_000).map(|number| {
            let text = match number {
                3 => "meu aniversário é 14/02".to_owned(),
                1_990 => "sou alérgico a amendoim".to_owned(),
                _ => format!("mensagem número {number} com um texto de algum tamanho, {}", "bla ".repeat(10)),
            };
            use sea_orm::ActiveValue::Set;
            lembra_entities::message::ActiveModel {
                id: sea_orm::ActiveValue::NotSet,
                text: Set(text),
                provider_message_id: Set(Some(format!("wamid.LONG{number}"))),
                ..first.clone().into()
            }
        });
        let rows: Vec<_> = rows.map(|mut row| {
            // The model's fields are unchanged; an insert needs them set.
            use sea_orm::ActiveModelTrait;
            row = row.reset_all();
            row.id = sea_orm::ActiveValue::NotSet;
            row
        }).collect();
        for chunk in rows.chunks(200) {
            lembra_entities::message::Entity::insert_many(chunk.to_vec())
                .exec_without_returning(app.db()).await.unwrap();
        }
        app.model.learn_next(&[("data_comemorativa", "Aniversário em 14/02", "meu aniversário é 14/02")]);
        // Claimed for every other part, and proved by the last alone.
        for _ in 0..4 {
            app.model.learn_next(&[ALLERGY]);
        }
        app.resolve().await;
        assert_eq!(app.known().await, ["Aniversário em 14/02", "Alérgico a amendoim"]);
        let read: i64 = extractions(&app).await.iter().map(|row| row.messages).sum();
        assert_eq!(read, 2_001);
        assert!(asked(&app) <= 5, "{}", asked(&app));
        for request in app.model.requests_for(Asked::Extraction) {
            assert!(request["messages"][1]["content"].as_str().unwrap().len() < 200_000);
        }
        assert!(app.messages().await.iter().filter(|row| row.direction == "in").all(|row| row.extraction_id.is_some()));
    }
}
