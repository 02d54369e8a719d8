//! Calls, as the agent makes them and as an operator tries them, against a real server.

use std::time::Duration;

use lembra_agent::domain::tool_failure::ToolFailure;
use lembra_agent::services::tools::{Caller, Invocation, ToolError};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::{Api, SECRET, of_account};
use crate::support::app::TestApp;
use crate::support::fake_api::{FakeApi, Reply};

const JSON: &str = "application/json";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_carries_arguments_and_headers_to_their_places() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    api.declare(json!({})).await;
    app.api.reply([Reply::json(r#"{"unidades":3}"#)]);
    let tried =
        api.try_out("consultar_estoque", json!({ "sku": "água 5/10", "loja": "a&b" })).await;
    assert_eq!((&tried["ok"], &tried["result"]), (&json!(true), &json!(r#"{"unidades":3}"#)));
    assert_eq!((&tried["status"], &tried["attempts"]), (&json!(200), &json!(1)));
    assert!(tried["took_ms"].is_u64());
    let asked = app.api.take();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].target, "/estoque/%C3%A1gua%205%2F10?loja=a%26b");
    assert_eq!(asked[0].header("authorization"), Some(SECRET));
    assert!(asked[0].header("accept").unwrap().starts_with("application/json"));
    assert_eq!(asked[0].header("idempotency-key"), None);

    let url = format!("{}/baixa/{{sku}}", app.api.url);
    api.declare(json!({ "name": "baixar", "method": "POST", "url": url })).await;
    api.try_out("baixar", json!({ "sku": "7", "loja": "centro", "extra": 1 })).await;
    let asked = app.api.take();
    assert_eq!((asked[0].method.as_str(), asked[0].target.as_str()), ("POST", "/baixa/7"));
    assert_eq!(asked[0].body, r#"{"extra":1,"loja":"centro"}"#);
    assert_eq!(asked[0].header("content-type"), Some(JSON));
    assert!(asked[0].header("idempotency-key").unwrap().starts_with("try-"));

    let url = format!("{}/lista?{{*}}", app.api.url);
    api.declare(json!({ "name": "listar", "method": "DELETE", "url": url })).await;
    api.try_out("listar", json!({ "sku": "1 2" })).await;
    let asked = app.api.take();
    assert_eq!(asked[0].target, "/lista?sku=1%202");
    assert_eq!(asked[0].body, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_answer_is_a_result_or_says_how_it_failed() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    api.declare(json!({})).await;
    let failed = |detail: &str| format!("FALHA_CONSULTA: {detail}");
    let internal = |detail: &str| failed(&format!("erro interno: consultar_estoque: {detail}"));
    for (reply, field, told, code) in [
        (Reply::new(200, "text/plain", "três"), "result", "três".to_owned(), Value::Null),
        (Reply::json("[]"), "result", "[]".to_owned(), Value::Null),
        (Reply::new(404, JSON, "{}"), "failure", internal("404"), json!("internal")),
        (Reply::new(401, "text/html", "<html>"), "failure", internal("401"), json!("internal")),
        (Reply::json(""), "failure", failed("resposta vazia"), json!("empty_answer")),
        (Reply::json("null"), "failure", failed("resposta vazia"), json!("empty_answer")),
        (
            Reply::new(404, "text/plain", failed("agenda sem horarios disponiveis")),
            "failure",
            failed("agenda sem horarios disponiveis"),
            json!("agenda_empty"),
        ),
        (
            Reply::json(&format!("{:?}", failed("medico 'X' nao encontrado"))),
            "failure",
            failed("medico 'X' nao encontrado"),
            json!("doctor_not_found"),
        ),
        (
            Reply::new(200, "text/html", "<html>Manutenção</html>"),
            "error",
            "consultar_estoque: HTML em vez de dados".to_owned(),
            Value::Null,
        ),
        (
            Reply::json("três"),
            "error",
            "consultar_estoque: resposta que não é JSON".to_owned(),
            Value::Null,
        ),
        (
            Reply::new(200, JSON, vec![b' '; 2 * 1024 * 1024]),
            "failure",
            internal("resposta grande demais"),
            json!("internal"),
        ),
    ] {
        app.api.reply([reply.clone()]);
        let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
        assert_eq!((&tried[field], &tried["code"]), (&json!(told), &code), "{tried}");
        assert_eq!(tried["status"], reply.status);
        for other in ["result", "failure", "error"].into_iter().filter(|other| *other != field) {
            assert_eq!(tried[other], Value::Null, "{tried}");
        }
    }
    let long = format!("\"{}\"", "ç".repeat(30_000));
    app.api.reply([Reply::json(&long)]);
    let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
    let result = tried["result"].as_str().unwrap();
    assert!(result.len() < 17_000 && result.ends_with("KiB]"), "{}", result.len());

    api.call(Method::PATCH, "/consultar_estoque", Some(json!({ "result_path": "data.0.nome" })))
        .await;
    app.api
        .reply([Reply::json(r#"{"data":[{"nome":"R$ 150,00"}]}"#), Reply::json(r#"{"data":[]}"#)]);
    let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
    assert_eq!(tried["result"], "R$ 150,00");
    let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
    assert_eq!(tried["code"], "empty_answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_surely_not_done_is_tried_twice_with_one_key() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    let url = format!("{}/reserva", app.api.url);
    api.declare(json!({ "name": "reservar", "method": "POST", "url": url, "timeout_ms": 500 }))
        .await;
    let account = app.account().await;
    let tool = of_account(&app, account).await.remove(0);
    assert!(tool.has_effect());
    assert!(tool.patience() >= Duration::from_millis(1_300));
    let caller = Caller { account_id: account, inbox_id: 1, contact_id: 1, conversation_id: 1 };
    let arguments: Map<String, Value> = [("sku".to_owned(), json!("7"))].into_iter().collect();
    let call =
        Invocation { caller: &caller, arguments: &arguments, key: "turno-1:1", now: app.now() };
    let silent = || Reply::json("{}").after(Duration::from_millis(900));
    let unanswered =
        ToolError::Failed(ToolFailure::internal("reservar sem resposta após 2 tentativas"));
    let unclear =
        ToolError::Failed(ToolFailure::internal("reservar sem resposta: não se sabe se foi feito"));
    let status = |status| Reply::new(status, JSON, "{}");
    let refused = ToolError::Failed(ToolFailure::internal("reservar: 429"));
    for (replies, came, attempts) in [
        (vec![status(503), Reply::json(r#"{"reserva":9}"#)], Ok(r#"{"reserva":9}"#), 2),
        (vec![status(429), Reply::json(r#"{"reserva":9}"#)], Ok(r#"{"reserva":9}"#), 2),
        // Whether these were done, nobody can tell.
        (vec![silent()], Err(&unclear), 1),
        (vec![status(500)], Err(&unclear), 1),
        (vec![status(503), status(503)], Err(&unanswered), 2),
        (vec![status(429), status(429)], Err(&refused), 2),
    ] {
        app.api.reply(replies);
        let outcome = tool.call(&call).await;
        assert_eq!(outcome.as_deref().map_err(Clone::clone), came.map_err(Clone::clone));
        let asked = app.api.take();
        assert_eq!(asked.len(), attempts);
        assert!(asked.iter().all(|asked| asked.header("idempotency-key") == Some("turno-1:1")));
    }
    app.api.reply([status(409)]);
    assert!(tool.call(&call).await.is_err());
    assert_eq!(app.api.take().len(), 1, "what was refused is not asked again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_gone_is_a_failure_of_the_contract() {
    let gone = crate::support::processes::free_port();
    let settings = format!("127.0.0.1:{gone}");
    let app = TestApp::on_sqlite_with(&[("TOOLS_ALLOWED_HOSTS", &settings)]).await;
    let api = Api::of(&app).await;
    api.declare(json!({ "url": format!("http://127.0.0.1:{gone}/{{sku}}") })).await;
    let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
    assert_eq!((&tried["attempts"], &tried["status"]), (&json!(2), &Value::Null));
    let told = "FALHA_CONSULTA: erro interno: consultar_estoque sem resposta após 2 tentativas";
    assert_eq!(tried["failure"], told);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_argument_does_not_reach_beyond_its_place() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    api.declare(json!({})).await;
    for value in ["../../admin", "..", ".", "a/../../admin", "..\\admin", ""] {
        let tried = api.try_out("consultar_estoque", json!({ "sku": value })).await;
        let told =
            "FALHA_CONSULTA: erro interno: consultar_estoque: argumento sku não cabe no endereço";
        assert_eq!(tried["failure"], told, "{value}");
    }
    assert!(app.api.take().is_empty(), "nothing was sent");
    for value in ["?x=1&y=2", "7#fim", "7\r\nX-Admin: 1", "@b.example/", "%2e%2e%2fadmin"] {
        api.try_out("consultar_estoque", json!({ "sku": value, "loja": value })).await;
        let asked = app.api.take().remove(0);
        let (path, query) = asked.target.split_once('?').unwrap();
        assert!(path.starts_with("/estoque/"), "{path}");
        assert_eq!(path.matches('/').count(), 2, "{path}");
        assert!(query.starts_with("loja=") && !query.contains('&'), "{query}");
        assert_eq!(asked.header("x-admin"), None);
    }
    let unfit = json!({ "arguments": { "sku": 7 } });
    let (status, body) = api.call(Method::POST, "/consultar_estoque/try", Some(unfit)).await;
    assert!(status == 422 && body["detail"].as_str().unwrap().contains("/sku"), "{body}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_private_is_called_unless_the_host_allows_it() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    // A neighbour on the same machine, which is not on the list.
    let inside = FakeApi::start();
    let port = inside.address.rsplit(':').next().unwrap().to_owned();
    let hosts = [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f000001:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        "169.254.169.254".to_owned(),
        "10.0.0.1".to_owned(),
        "100.64.0.1".to_owned(),
        "[fd00::1]".to_owned(),
    ];
    for (number, host) in hosts.iter().enumerate() {
        let name = format!("dentro_{number}");
        api.declare(json!({ "name": name, "url": format!("http://{host}/{{sku}}") })).await;
        let tried = api.try_out(&name, json!({ "sku": "1" })).await;
        let error = tried["error"].as_str().unwrap_or_default();
        assert!(error.contains("endereço não permitido"), "{host}: {tried}");
        assert!(!error.contains(host.as_str()), "{error}");
        assert_eq!(tried["attempts"], 1);
    }
    api.declare(json!({})).await;
    for status in [301, 302, 303, 307, 308] {
        for target in [format!("{}/segredo", inside.url), format!("http://localhost:{port}/")] {
            app.api.reply([Reply::redirect(status, &target)]);
            let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
            let error = tried["error"].as_str().unwrap_or_default();
            assert!(error.contains("endereço não permitido (loopback"), "{status}: {tried}");
        }
    }
    assert!(inside.take().is_empty(), "something private was called");
    app.api.take();
    app.api.reply([Reply::redirect(302, "/novo"), Reply::json("1")]);
    assert_eq!(api.try_out("consultar_estoque", json!({ "sku": "1" })).await["result"], "1");
    let asked = app.api.take();
    assert_eq!(
        (asked[1].target.as_str(), asked[1].header("authorization")),
        ("/novo", Some(SECRET))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trial_of_a_change_must_be_confirmed() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    api.declare(json!({ "method": "DELETE", "enabled": false })).await;
    let unconfirmed = json!({ "arguments": { "sku": "1" } });
    let (status, body) = api.call(Method::POST, "/consultar_estoque/try", Some(unconfirmed)).await;
    assert!(status == 422 && body["detail"].as_str().unwrap().contains("confirmed"), "{body}");
    assert!(app.api.take().is_empty());
    app.api.reply([Reply::new(204, "", "")]);
    let tried = api.try_out("consultar_estoque", json!({ "sku": "1" })).await;
    assert_eq!((&tried["ok"], &tried["status"]), (&json!(true), &json!(204)));
    assert_eq!(app.api.take().len(), 1);
}
