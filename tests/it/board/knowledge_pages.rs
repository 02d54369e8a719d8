//! The pages of knowledge and tools: what is written there is what the assistant finds and calls.

use lembra_agent::domain::access::Role;
use lembra_entities::assistant_response as entry;
use reqwest::Method;
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::json;

use super::settings::{call, stranger};
use crate::support::app::TestApp;
use crate::support::fake_api::Reply;
use crate::support::on_both_databases;
use crate::support::operator::{Answer, Operator};

async fn entries(app: &TestApp) -> Vec<entry::Model> {
    let rows = entry::Entity::find().order_by_asc(entry::Column::Id);
    rows.all(app.db()).await.expect("answers")
}

async fn found(operator: &Operator, text: &str) -> String {
    let answer = operator.post("/knowledge/search", &[("text", text)]).await;
    assert_eq!(answer.status, 200);
    answer.body
}

/// A file, sent as the page's script sends it.
async fn import(operator: &Operator, name: &str, file: &str) -> (u16, String) {
    let path = format!("/knowledge/import?name={name}");
    let request = operator
        .request(Method::POST, &path)
        .header("x-csrf-token", &operator.csrf)
        .header("content-type", "application/octet-stream");
    let answer = request.body(file.to_owned()).send().await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("a body"))
}

fn id_of(answer: &Answer) -> i64 {
    let location = answer.location.as_deref().expect("a place to go");
    location.split('/').nth(2).and_then(|id| id.parse().ok()).expect("an id")
}

on_both_databases! {
    async fn what_is_written_is_found_changed_kept_back_and_removed(app: TestApp) {
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let form = [("question", "Tem estacionamento?"), ("answer", "Sim, <b>coberto</b>."), ("category", "Geral > Carro")];
        assert_eq!(agent.post("/knowledge", &form).await.status, 200);
        let row = entries(&app).await.remove(0);
        assert_eq!((row.source.clone(), row.category.as_deref()), (format!("operator:{}", agent.id), Some("Geral > Carro")));
        assert!(found(&agent, "tem estacionamento?").await.contains("&#60;b&#62;coberto"));
        let list = agent.get("/knowledge").await.body;
        assert!(list.contains("Tem estacionamento?") && list.contains(&agent.email));

        let path = format!("/knowledge/{}", row.id);
        let editor = agent.get(&format!("{path}/edit")).await.body;
        assert!(editor.contains("data-hold") && editor.contains("Tem estacionamento?"));
        let same = [("question", "tem ESTACIONAMENTO"), ("answer", "Não."), ("category", "")];
        let twice = agent.post("/knowledge", &same).await;
        assert!(twice.status == 422 && twice.body.contains("question-error"), "{}", twice.body);
        let saved = agent.post(&path, &[("question", "Tem garagem?"), ("answer", "Sim."), ("category", "")]).await;
        assert!(saved.status == 200 && saved.body.contains("Tem garagem?") && !saved.body.contains("<form"));
        let empty = agent.post(&path, &[("question", "Tem garagem?"), ("answer", " "), ("category", "")]).await;
        assert!(empty.status == 422 && empty.body.contains("answer-error"));

        let status = |enabled: &'static str| [("enabled", enabled)];
        assert_eq!(agent.post(&format!("{path}/status"), &status("false")).await.status, 204);
        assert!(found(&agent, "tem garagem?").await.contains("não encontraria nada"));
        assert!(agent.get("/knowledge?status=enabled").await.body.contains("Nada com esse filtro"));
        assert_eq!(agent.post(&format!("{path}/status"), &status("true")).await.status, 204);
        assert!(found(&agent, "tem garagem?").await.contains("Tem garagem?"));

        let other = stranger(&app).await;
        for (path, form) in [
            (path.clone(), &[("question", "x"), ("answer", "y"), ("category", "")][..]),
            (format!("{path}/status"), &[("enabled", "false")]),
            (format!("{path}/remove"), &[]),
        ] {
            assert_eq!(other.post(&path, form).await.status, 404, "{path}");
        }
        assert_eq!(other.get(&format!("{path}/edit")).await.status, 404);
        assert!(found(&other, "tem garagem?").await.contains("não encontraria nada"));
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        assert_eq!(viewer.post(&format!("{path}/remove"), &[]).await.status, 403);
        assert_eq!(agent.post(&format!("{path}/remove"), &[]).await.status, 204);
        assert!(entries(&app).await.is_empty());
    }

    async fn a_file_is_imported_with_a_report_of_what_happened(app: TestApp) {
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let file = "pergunta;resposta\nTem wifi?;Sim\nAceita pet?;\nTem piscina?;Não\n";
        let (status, report) = import(&agent, "faq.csv", file).await;
        assert_eq!(status, 200, "{report}");
        assert!(report.contains("2 novas") && report.contains("1 recusadas"), "{report}");
        assert!(report.contains("Falta a resposta."), "{report}");
        let (_, report) = import(&agent, "faq.csv", &file.replace("Não", "Aquecida")).await;
        assert!(report.contains("0 novas, 1 atualizadas, 1 iguais"), "{report}");
        assert!(agent.get("/knowledge").await.body.contains("arquivo faq.csv"));
        let (status, refused) = import(&agent, "nada.csv", "uma coisa, outra\n").await;
        assert!(status == 422 && refused.contains("nome às colunas"), "{refused}");
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        assert_eq!(import(&viewer, "faq.csv", file).await.0, 403);
        assert_eq!(entries(&app).await.len(), 2);
    }

    async fn a_long_list_is_read_page_by_page_and_narrowed(app: TestApp) {
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let rows: String = (0..70).map(|n| format!("Pergunta número {n}?;R{n};Tema {}\n", n % 2)).collect();
        import(&agent, "faq.csv", &format!("pergunta;resposta;categoria\n{rows}")).await;
        let (mut path, mut seen) = ("/knowledge?category=Tema+0".to_owned(), Vec::new());
        loop {
            let page = agent.get(&path).await.body;
            seen.extend((0..70).filter(|n| page.contains(&format!(">Pergunta número {n}?<"))));
            match page.split("class=\"button\" href=\"").nth(1).and_then(|rest| rest.split('"').next()) {
                Some(next) => path = next.replace("&#38;", "&").replace("&amp;", "&"),
                None => break,
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..70).filter(|n| n % 2 == 0).collect::<Vec<_>>());
        let (_, listed) = call(&agent, Method::GET, "/knowledge/categories", None).await;
        assert_eq!(listed["categories"], json!(["Tema 0", "Tema 1"]));
    }

    async fn a_tool_is_declared_in_the_page_with_errors_beside_their_fields(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let schema = r#"{"type":"object","properties":{"sku":{"type":"string"},"n":{"type":"integer"}},"required":["sku"]}"#;
        let url = format!("{}/baixa/{{sku}}", app.api.url);
        let fields = |parameters: &str, url: &str, headers: &str| {
            [("name", "baixar"), ("description", "Baixa do estoque."), ("method", "POST"), ("timeout_ms", "2000"),
             ("result_path", ""), ("effect", ""), ("enabled", "on"),
             ("parameters", parameters), ("url", url), ("headers", headers)]
            .map(|(name, value)| (name, value.to_owned()))
        };
        let send = async |path: &str, fields: [(&str, String); 10]| {
            let form: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            admin.post(path, &form).await
        };
        for (parameters, url, headers, field) in [
            ("{\n  oi", &*url, "", "parameters-error"),
            (r#"{"type":"string"}"#, &url, "", "parameters-error"),
            (schema, "https://a.br/{outro}", "", "url-error"),
            (schema, "a.br", "", "url-error"),
            (schema, &url, "sem dois pontos", "headers-error"),
            (schema, &url, "Host: x", "headers-error"),
        ] {
            let refused = send("/tools", fields(parameters, url, headers)).await;
            assert!(refused.status == 422 && refused.body.contains(field), "{field}: {}", refused.body);
            assert!(!refused.body.contains("sem dois pontos"), "what headers hold does not come back");
        }
        let added = send("/tools", fields(schema, &url, "Authorization: Bearer jabuticaba")).await;
        assert_eq!(added.status, 204, "{}", added.body);
        let id = id_of(&added);
        for path in ["/tools".to_owned(), format!("/tools/{id}"), format!("/tools/{id}/try")] {
            let page = admin.get(&path).await;
            assert!(page.status == 200 && page.body.contains("baixar"), "{path}");
            assert!(!page.body.contains("jabuticaba"), "{path}");
        }
        // The form of the trial is made of the schema, and a call that changes something is confirmed.
        let form = admin.get(&format!("/tools/{id}/try")).await.body;
        assert!(form.contains("name=\"arg.sku\"") && form.contains("name=\"arg.n\""));
        let path = format!("/tools/{id}/try");
        assert_eq!(admin.post(&path, &[("arg.sku", "7")]).await.status, 409);
        assert!(app.api.take().is_empty());
        let wrong = admin.post(&path, &[("arg.sku", "7"), ("arg.n", "dois"), ("confirm", "yes")]).await;
        assert!(wrong.status == 422 && wrong.body.contains("arg.n-error"), "{}", wrong.body);
        app.api.reply([Reply::json(r#"{"ok":true}"#)]);
        let tried = admin.post(&path, &[("arg.sku", "7"), ("arg.n", "2"), ("confirm", "yes")]).await;
        assert!(tried.status == 200 && tried.body.contains("Deu certo"), "{}", tried.body);
        let asked = app.api.take().remove(0);
        assert_eq!((asked.target.as_str(), asked.body.as_str()), ("/baixa/7", r#"{"n":2}"#));
        assert_eq!(asked.header("authorization"), Some("Bearer jabuticaba"));

        let other = stranger(&app).await;
        for end in ["", "/try", "/enabled", "/remove"] {
            let form = [("enabled", "false"), ("parameters", "{}"), ("timeout_ms", "800")];
            assert_eq!(other.post(&format!("/tools/{id}{end}"), &form).await.status, 404, "{end}");
        }
        assert_eq!(admin.post(&format!("/tools/{id}/enabled"), &[("enabled", "false")]).await.status, 204);
        assert!(admin.get("/tools").await.body.contains("aria-checked=\"false\""));
        let mut dropped: Vec<(&str, String)> = fields(schema, &url, "").into();
        dropped.push(("dropped", "authorization".to_owned()));
        let form: Vec<_> = dropped.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(admin.post(&format!("/tools/{id}"), &form).await.status, 204);
        let (_, shown) = call(&admin, Method::GET, "/tools/baixar", None).await;
        assert_eq!((&shown["headers"], &shown["enabled"]), (&json!([]), &json!(true)));
        assert_eq!(admin.post(&format!("/tools/{id}/remove"), &[]).await.status, 204);
        assert!(admin.get("/tools").await.body.contains("Nenhuma ferramenta própria"));
    }
}
