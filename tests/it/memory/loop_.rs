//! The whole loop: say it, resolve, come back, contradict it, forget it.

use chrono::TimeDelta;
use lembra_agent::jobs::memory_kinds::HardDeleteExpired;
use lembra_agent::services::memory::edit::Owner;
use serde_json::{Value, json};

use crate::support::bodies::ANA;
use crate::support::fake_model::Asked;
use crate::support::on_both_databases;
use crate::support::processes::Installation;
use crate::support::until;

on_both_databases! {
    async fn a_guest_is_known_and_a_guest_who_asks_is_forgotten(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "prefiro suíte com hidro").await;
        app.settle().await;
        app.model.learn_next(&[("preferencia", "Prefere suíte com hidro", "prefiro suíte com hidro")]);
        app.resolve().await;
        // Six months later.
        app.clock.advance(TimeDelta::days(180));
        app.say(ANA, "oi, queria reservar uma suíte").await;
        app.settle().await;
        assert!(app.model.last_system().contains(">Prefere suíte com hidro<"));
        app.say(ANA, "agora prefiro quarto sem hidro").await;
        app.settle().await;
        app.model.learn_next(&[("preferencia", "Prefere quarto sem hidro", "agora prefiro quarto sem hidro")]);
        app.resolve().await;
        app.say(ANA, "oi, queria reservar um quarto com ou sem hidro").await;
        app.settle().await;
        let system = app.model.last_system();
        assert!(system.contains(">Prefere quarto sem hidro<"), "{system}");
        assert!(!system.contains(">Prefere suíte com hidro<"), "{system}");
        let row = app.memories().await.remove(0);
        let owner = Owner { account_id: row.account_id, contact_id: row.contact_id };
        assert_eq!(app.runtime.memories.forget_all(owner, "test").await.unwrap(), 2);
        app.say(ANA, "e agora, tem quarto sem hidro?").await;
        app.settle().await;
        assert!(!app.model.last_system().contains("memoria_cliente"));
        // What was said before proves nothing any more; what is said after does.
        app.say(ANA, "meu aniversário é 14/02").await;
        app.settle().await;
        app.model.learn_next(&[
            ("preferencia", "Prefere quarto sem hidro", "agora prefiro quarto sem hidro"),
            ("data_comemorativa", "Aniversário em 14/02", "meu aniversário é 14/02"),
        ]);
        app.resolve().await;
        assert_eq!(app.known().await, ["Aniversário em 14/02"]);
        let given = app.model.requests_for(Asked::Extraction).pop().unwrap();
        assert!(!given["messages"][1]["content"].to_string().contains("queria reservar"));
        app.clock.advance(TimeDelta::days(31));
        app.run_now(&HardDeleteExpired {}).await;
        assert_eq!(app.memories().await.len(), 1);
    }

    async fn forgetting_while_the_model_reads_leaves_nothing_learnt(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgico a amendoim").await;
        app.settle().await;
        app.model.learn_next(&[("restricao", "Alérgico a amendoim", "sou alérgico a amendoim")]);
        app.model.delay(std::time::Duration::from_millis(700));
        let conversation = app.conversations().await.remove(0);
        let owner = Owner { account_id: conversation.account_id, contact_id: conversation.contact_id };
        let forget = async {
            while app.model.requests_for(Asked::Extraction).is_empty() {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            app.runtime.memories.forget_all(owner, "test").await.unwrap();
        };
        tokio::join!(app.resolve(), forget);
        assert_eq!(app.memories().await.len(), 0);
    }
}

async fn state(installation: &Installation) -> Value {
    let (_, body) = installation.get("/simulator/state").await;
    serde_json::from_str(&body).expect("JSON")
}

async fn post(installation: &Installation, path: &str, body: Value) -> u16 {
    let client = lembra_agent::http::client(std::time::Duration::from_secs(10)).expect("a client");
    let url = format!("http://127.0.0.1:{}{path}", installation.port);
    let request = client.post(url).header("x-requested-with", "lembra").json(&body);
    request.send().await.expect("an answer").status().as_u16()
}

/// The real binary with nothing configured: the offline model does all of it.
#[tokio::test(flavor = "multi_thread")]
async fn in_the_simulator_the_offline_model_learns_recalls_and_corrects_itself() {
    let Some(mut installation) = Installation::standalone() else {
        return;
    };
    for (name, value) in
        [("LLM_BASE_URL", ""), ("LEMBRA_KEY", ""), ("DATA_DIR", "./fresh"), ("DEBOUNCE_MS", "200")]
    {
        installation.set(name, value);
    }
    installation.up().await;
    let customer = state(&installation).await["customer"]["key"].as_str().unwrap().to_owned();
    let write = async |text: &str| {
        let before = state(&installation).await["messages"].as_array().unwrap().len();
        let body = json!({ "customer": customer, "text": text });
        assert_eq!(post(&installation, "/simulator/messages", body).await, 202);
        until(10, "an answer", || async {
            state(&installation).await["messages"].as_array().unwrap().len() == before + 2
        })
        .await;
    };
    let known = || {
        let list =
            installation.bot_json(&["memory", "list", "--account", "1", "--phone", &customer]);
        let memories = list["memories"].as_array().cloned().unwrap_or_default();
        let mut contents: Vec<String> =
            memories.iter().map(|memory| memory["content"].as_str().unwrap().to_owned()).collect();
        contents.sort();
        contents
    };
    for text in [
        "sou alérgico a amendoim",
        "prefiro suíte com hidro",
        "meu aniversário é 14/02",
        "o ar-condicionado da 204 faz barulho",
    ] {
        write(text).await;
    }
    let chosen = json!({ "customer": customer });
    assert_eq!(post(&installation, "/simulator/resolve", chosen.clone()).await, 204);
    let learnt = [
        "Alérgico a amendoim",
        "Aniversário em 14/02",
        "Ar-condicionado da 204 faz barulho",
        "Prefere suíte com hidro",
    ];
    until(15, "four facts", || async { known() == learnt }).await;
    write("o que vocês sabem sobre mim?").await;
    let messages = state(&installation).await["messages"].clone();
    let answer = messages.as_array().unwrap().last().unwrap()["text"].to_string();
    assert!(answer.contains("Prefere suíte com hidro"), "{answer}");
    write("agora prefiro quarto sem hidro").await;
    assert_eq!(post(&installation, "/simulator/resolve", chosen).await, 204);
    until(15, "the old preference is superseded", || async {
        let known = known();
        known.contains(&"Prefere quarto sem hidro".to_owned())
            && !known.contains(&"Prefere suíte com hidro".to_owned())
    })
    .await;
    let forgotten =
        installation.bot_json(&["memory", "forget", "--account", "1", "--phone", &customer]);
    assert_eq!(forgotten["forgotten"], 5);
    assert_eq!(known(), Vec::<String>::new());
    // Counted under the names of seed 002, and logged without what was said.
    let (_, metrics) = installation.get("/metrics").await;
    for name in [
        "captain_memory_extraction_count",
        "captain_memory_extraction_cost_brl",
        "captain_memory_extraction_latency_seconds",
        "captain_memory_recall_hit_rate",
        "captain_memory_recall_latency_seconds",
        "captain_memory_active_facts_count",
        "captain_memory_supersedence_count",
    ] {
        assert!(metrics.contains(name), "{name}: {metrics}");
    }
    let logs = installation.logs();
    for line in ["memory extraction", "memory recall", "memory superseded"] {
        assert!(logs.contains(line), "{line}");
    }
    for word in ["amendoim", "hidro", "14/02", "barulho", &customer] {
        assert!(!logs.contains(word) && !metrics.contains(word), "{word}");
    }
}
