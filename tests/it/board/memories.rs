//! The tab Memória of a contact, and looking for memories in the whole account.

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::llm::offline::embed;
use lembra_agent::store::accounts::{self, Changes};
use lembra_agent::store::board::fact_search::FactFilter;
use lembra_agent::store::db;
use lembra_agent::store::memories::{self, Origin};
use lembra_agent::store::nearest::account::{Compared, among, by_index};
use lembra_agent::store::nearest::upkeep::{self, Build};
use lembra_agent::store::units;
use lembra_agent::store::usage::{self, NewUsage};
use serde_json::Value;

use crate::memory::{acquainted, origin, plant};
use crate::support::app::TestApp;
use crate::support::bodies::BIA;
use crate::support::fake_model::{Answer, Asked};
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// The contents of what was found.
fn contents(body: &Value) -> Vec<String> {
    let rows = body["memories"].as_array().unwrap_or_else(|| panic!("{body}"));
    rows.iter().map(|row| row["content"].as_str().unwrap().to_owned()).collect()
}

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
    usage::record(app.db(), &[call], app.now()).await.unwrap();
}

/// Bia's conversation, beside that of the contact in `origin`.
async fn second_contact(app: &TestApp) -> Origin {
    app.clock.advance(TimeDelta::seconds(5));
    app.say(BIA, "boa tarde").await;
    app.settle().await;
    origin(app).await
}

on_both_databases! {
    async fn the_tab_shows_what_holds_and_its_history_with_why_and_by_whom(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let at = app.now();
        plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte com hidro", at).await;
        plant(&app, origin, MemoryKind::Reclamacao, "Ar da 204 barulhento", at - TimeDelta::days(200)).await;
        plant(&app, origin, MemoryKind::ContextoPessoal, "Viaja a trabalho", at - TimeDelta::days(400)).await;
        app.clock.advance(TimeDelta::minutes(1));
        plant(&app, origin, MemoryKind::Preferencia, "Prefere quarto sem hidro", app.now()).await;
        let gone = plant(&app, origin, MemoryKind::Restricao, "Alérgico a amendoim", app.now()).await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let path = format!("/contacts/{}/memories", origin.contact_id);
        let forgotten = agent.post(&format!("{path}/{gone}/forget"), &[]).await;
        assert_eq!(forgotten.status, 204);
        assert!(forgotten.notice.unwrap().contains("30 dias"));
        let active = agent.get(&path).await.body;
        for shown in ["Prefere quarto sem hidro", "Viaja a trabalho", "perdendo peso", "Preferência", "“disse isso”", "92 %"] {
            assert!(active.contains(shown), "{shown}: {active}");
        }
        assert!(active.contains(&format!("href=\"/conversations/{}\"", origin.conversation_id)));
        for hidden in ["com hidro", "amendoim", "barulhento"] {
            assert!(!active.contains(hidden), "{hidden}");
        }
        let history = agent.get(&format!("{path}?status=history")).await.body;
        for shown in ["Prefere suíte com hidro", "diz o contrário", "Hoje vale", "Alérgico a amendoim", &agent.email, "Desfazer", "Ar da 204 barulhento", "O prazo acabou"] {
            assert!(history.contains(shown), "{shown}: {history}");
        }
        assert!(!history.contains("Viaja a trabalho"));
        let filtered = agent.get(&format!("{path}?type=contexto_pessoal")).await.body;
        assert!(filtered.contains("Viaja a trabalho") && !filtered.contains("sem hidro"));
        assert_eq!(agent.post(&format!("{path}/{gone}/restore"), &[]).await.status, 204);
        assert!(agent.get(&path).await.body.contains("amendoim"));
        assert_eq!(agent.post(&format!("{path}/{gone}/restore"), &[]).await.status, 409);
        let row = app.memories().await.into_iter().find(|row| row.id == gone).unwrap();
        assert_eq!(row.metadata["changed_by_user_id"], format!("operator:{}", agent.id));
    }

    async fn an_edit_in_place_is_embedded_and_compared_again(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte sem hidro", app.now()).await;
        app.clock.advance(TimeDelta::minutes(1));
        let id = plant(&app, origin, MemoryKind::Preferencia, "Gosta de café", app.now()).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let path = format!("/contacts/{}/memories/{id}", origin.contact_id);
        assert!(!viewer.get(&path).await.body.contains("Editar"));
        assert_eq!(viewer.post(&path, &[("content", "x")]).await.status, 403);
        let editor = agent.live(&format!("{path}/edit")).await;
        assert!(editor.body.contains("<textarea") && editor.body.contains("data-hold"));
        for (typed, said) in [(" ", "Escreva o que se lembra."), (&*"a".repeat(1_001), "No máximo 1.000 caracteres.")] {
            let refused = agent.post(&path, &[("content", typed)]).await;
            assert_eq!(refused.status, 422);
            assert!(refused.body.contains(said) && refused.body.contains("<textarea"));
        }
        let saved = agent.post(&path, &[("content", " Prefere suíte\ncom hidro ")]).await;
        assert_eq!(saved.status, 200);
        assert!(saved.body.contains("Prefere suíte com hidro") && !saved.body.contains("<textarea"));
        assert!(saved.body.contains("Editada") && saved.body.contains("sendo preparada"));
        assert!(saved.notice.unwrap().contains("alterada"));
        app.settle().await;
        assert_eq!(app.known().await, ["Prefere suíte com hidro"]);
        assert!(agent.get(&path).await.body.contains(&agent.email));
    }

    async fn forgetting_everything_asks_for_its_word_and_for_the_right(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        for content in ["Gosta de chá", "Mora em Goiânia"] {
            plant(&app, origin, MemoryKind::ContextoPessoal, content, app.now()).await;
        }
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let page = format!("/contacts/{}/memories", origin.contact_id);
        let path = format!("{page}/forget-all");
        assert!(!agent.get(&page).await.body.contains("Esquecer tudo"));
        assert!(admin.get(&page).await.body.contains("data-typed=\"ESQUECER\""));
        assert_eq!(agent.post(&path, &[("confirm", "ESQUECER")]).await.status, 403);
        for typed in [vec![], vec![("confirm", "ESQUECE")]] {
            assert_eq!(admin.post(&path, &typed).await.status, 400);
        }
        assert_eq!(app.known().await.len(), 2);
        let answer = admin.post(&path, &[("confirm", "esquecer")]).await;
        assert_eq!(answer.status, 204);
        assert!(answer.notice.unwrap().starts_with("2 memórias esquecidas"));
        assert!(app.memories().await.iter().all(|row| {
            row.metadata["change"] == "forget_all"
                && row.metadata["changed_by_user_id"] == format!("operator:{}", admin.id)
        }));
        assert!(admin.get(&page).await.body.contains("Nada lembrado ainda."));
    }

    async fn a_search_by_meaning_finds_the_most_alike_of_this_account_only(app: TestApp) {
        let app = app.with_memory().await;
        let ana = acquainted(&app).await;
        for content in ["Alérgica a amendoim", "Alérgica a camarão e a amendoim torrado"] {
            plant(&app, ana, MemoryKind::Restricao, content, app.now()).await;
        }
        let bia = second_contact(&app).await;
        plant(&app, bia, MemoryKind::Preferencia, "Gosta de amendoim", app.now()).await;
        plant(&app, bia, MemoryKind::DataComemorativa, "Casou em 14/02", app.now()).await;
        let other = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/memories", viewer.account_id);
        let found = viewer.get(&format!("{api}?q=alergica a amendoim")).await.json();
        assert_eq!((&found["found_by"], &found["partial"]), (&"meaning".into(), &false.into()));
        assert_eq!(contents(&found)[0], "Alérgica a amendoim");
        let similarities: Vec<f64> = found["memories"].as_array().unwrap().iter().map(|row| row["similarity"].as_f64().unwrap()).collect();
        assert!(similarities.is_sorted_by(|one, other| one >= other), "{similarities:?}");
        assert_eq!(found["memories"][0]["contact"]["phone"], crate::support::bodies::ANA);
        // It was paid for, and named so.
        let spent = usage::since(app.db(), viewer.account_id, app.now() - TimeDelta::days(1)).await.unwrap();
        assert!(spent.iter().any(|(purpose, calls, _)| purpose == "memory_search_embedding" && *calls == 1));
        let by_kind = viewer.get(&format!("{api}?q=amendoim&type=preferencia")).await.json();
        assert_eq!(contents(&by_kind), ["Gosta de amendoim"]);
        let by_contact = viewer.get(&format!("{api}?q=amendoim&contact={}", bia.contact_id)).await.json();
        assert_eq!(contents(&by_contact)[0], "Gosta de amendoim");
        assert!(!contents(&by_contact).iter().any(|content| content.starts_with("Alérgica")));
        let page = viewer.get("/memories?q=alergica a amendoim").await.body;
        assert!(page.contains("Alérgica a camarão") && page.contains("semelhança"));
        let stranger = Operator::of(&app, other, Role::Admin, false).await;
        for query in ["?q=amendoim", "?q=amendoim&by=words", "", &format!("?contact={}", ana.contact_id)] {
            let found = stranger.get(&format!("/api/v1/accounts/{other}/memories{query}")).await.json();
            assert_eq!(contents(&found), Vec::<String>::new(), "{query}");
            assert!(!stranger.get(&format!("/memories{query}")).await.body.contains("Alérgica"));
        }
    }

    async fn at_the_ceiling_and_when_the_model_is_silent_words_are_looked_for(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Restricao, "Alérgica a amendoins", app.now()).await;
        plant(&app, origin, MemoryKind::Preferencia, "Gosta de café", app.now()).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/memories?q=alergico", viewer.account_id);
        app.model.answer_memory(Asked::Embedding, Answer::Status(500));
        let silent = viewer.get(&api).await.json();
        assert_eq!((&silent["found_by"], &silent["fallback"]), (&"words".into(), &"model".into()));
        assert_eq!(contents(&silent), ["Alérgica a amendoins"]);
        app.set(Changes { monthly_ceiling_brl: Some(Some(1.0)), ..Changes::default() }).await;
        spend(&app, 1.0).await;
        let asked = app.model.requests_for(Asked::Embedding).len();
        let dear = viewer.get(&api).await.json();
        assert_eq!((&dear["fallback"], contents(&dear)), (&"ceiling".into(), vec!["Alérgica a amendoins".to_owned()]));
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), asked);
        assert!(viewer.get("/memories?q=alergico").await.body.contains("teto de gastos"));
        let by_words = viewer.get(&format!("{api}&by=words")).await.json();
        assert_eq!(by_words["fallback"], Value::Null);
    }

    async fn filters_hold_unit_date_and_state_and_lists_go_on(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let unit = units::add(app.db(), origin.account_id, "Centro", app.now()).await.unwrap().id;
        let here = Origin { unit_id: Some(unit), ..origin };
        let old = plant(&app, here, MemoryKind::Reclamacao, "Chuveiro frio", app.now() - TimeDelta::days(10)).await;
        plant(&app, here, MemoryKind::Reclamacao, "Fila na recepção", app.now()).await;
        plant(&app, origin, MemoryKind::Reclamacao, "Toalha suja", app.now()).await;
        let gone = plant(&app, origin, MemoryKind::ContextoPessoal, "Viaja a trabalho", app.now()).await;
        let note = serde_json::json!({ "deleted_why": "over_limit" });
        assert!(memories::soft_delete(app.db(), gone, &note, app.now()).await.unwrap());
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/memories", viewer.account_id);
        let day = |days: i64| (app.now() - TimeDelta::days(days)).date_naive();
        for (query, expected) in [
            (String::new(), vec!["Toalha suja", "Fila na recepção", "Chuveiro frio"]),
            (format!("?unit={unit}"), vec!["Fila na recepção", "Chuveiro frio"]),
            ("?unit=none".to_owned(), vec!["Toalha suja"]),
            ("?status=deleted".to_owned(), vec!["Viaja a trabalho"]),
            ("?status=all&type=contexto_pessoal".to_owned(), vec!["Viaja a trabalho"]),
            (format!("?to={}", day(9)), vec!["Chuveiro frio"]),
            (format!("?from={}&by=words&q=fila", day(1)), vec!["Fila na recepção"]),
            ("?by=words&q=filas da recepcao".to_owned(), vec!["Fila na recepção"]),
            (format!("?before={old}"), vec![]),
        ] {
            let found = viewer.get(&format!("{api}{query}")).await.json();
            assert_eq!(contents(&found), expected, "{query}");
        }
        let first = viewer.get(&format!("{api}?limit=2")).await.json();
        let next = first["next"].as_i64().unwrap();
        let second = viewer.get(&format!("{api}?limit=2&before={next}")).await.json();
        assert_eq!((contents(&first).len(), contents(&second)), (2, vec!["Chuveiro frio".to_owned()]));
        assert_eq!(second["next"], Value::Null);
        for query in ["type=humor", "unit=x", "status=gone", "from=ontem", "by=sorte"] {
            assert_eq!(viewer.get(&format!("{api}?{query}")).await.status, 422, "{query}");
            let page = viewer.get(&format!("/memories?{query}")).await;
            assert!(page.status == 200 && page.body.contains("role=\"alert\""), "{query}");
        }
    }

    async fn the_index_finds_what_comparing_all_finds(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let kinds = [MemoryKind::Preferencia, MemoryKind::ContextoPessoal];
        for (number, word) in ["praia", "serra", "campo", "cidade", "rio", "lago", "ilha", "mata"].iter().enumerate() {
            let content = format!("Gosta de {word} e de {word}");
            plant(&app, origin, kinds[number % 2], &content, app.now()).await;
        }
        let vector = embed("gosta de praia");
        let model = "text-embedding-3-small";
        let compared = Compared { account_id: origin.account_id, model, vector: &vector };
        let ids: Vec<i64> = app.memories().await.iter().map(|row| row.id).collect();
        let exact = among(app.db(), compared, &ids).await.unwrap();
        assert_eq!(exact.len(), 8);
        assert_eq!(among(app.db(), Compared { account_id: origin.account_id + 1, ..compared }, &ids).await.unwrap(), []);
        assert_eq!(among(app.db(), Compared { model: "outro", ..compared }, &ids).await.unwrap(), []);
        let filter = FactFilter::default();
        if !db::is_postgres(app.db()) {
            assert_eq!(by_index(app.db(), compared, &filter, 10, app.now()).await.unwrap(), None);
            assert_eq!(upkeep::due_build(app.db()).await.unwrap(), None);
            return;
        }
        assert!(upkeep::rebuild(app.db(), Build { rows: 8, lists: 4 }).await.unwrap());
        let found = by_index(app.db(), compared, &filter, 10, app.now()).await.unwrap().unwrap();
        assert_eq!(found, exact);
        let one_kind = FactFilter { kinds: vec![MemoryKind::Preferencia], contact_id: Some(origin.contact_id), ..FactFilter::default() };
        let found = by_index(app.db(), compared, &one_kind, 10, app.now()).await.unwrap().unwrap();
        assert_eq!(found.len(), 4);
        let nobody = FactFilter { contact_id: Some(origin.contact_id + 1), ..FactFilter::default() };
        assert_eq!(by_index(app.db(), compared, &nobody, 10, app.now()).await.unwrap(), Some(vec![]));
    }
}
