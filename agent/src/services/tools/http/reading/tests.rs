use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};

use super::super::declaration::Draft;
use super::*;

fn tool(method: &str, result_path: Option<&str>) -> Declaration {
    Declaration::read(Draft {
        name: "preco".to_owned(),
        description: "Quanto custa.".to_owned(),
        method: Some(method.to_owned()),
        url: "https://a.br/".to_owned(),
        result_path: result_path.map(str::to_owned),
        ..Draft::default()
    })
    .unwrap()
}

fn answer(status: u16, content_type: &str, body: impl AsRef<[u8]>) -> Answer {
    let mut headers = HeaderMap::new();
    if !content_type.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(content_type).unwrap());
    }
    Answer { status, headers, body: Bytes::copy_from_slice(body.as_ref()), complete: true }
}

/// `ok: …`, the failure's text, or `uncontrolled: …`.
fn told(tool: &Declaration, answer: &Answer) -> String {
    match read(tool, answer) {
        Ok(result) => format!("ok: {result}"),
        Err(ToolError::Failed(failure)) => failure.to_string(),
        Err(ToolError::Uncontrolled(why)) => format!("uncontrolled: {why}"),
    }
}

const JSON: &str = "application/json; charset=utf-8";
const PLAIN: &str = "text/plain";

#[test]
fn an_answer_is_a_result_a_failure_or_nothing_anybody_foresaw() {
    let get = tool("GET", None);
    for (status, content_type, body, expected) in [
        (200, JSON, r#"{"total":"R$ 150,00"}"#, r#"ok: {"total":"R$ 150,00"}"#),
        (200, JSON, "{\n  \"b\": 2,\n  \"a\": 1\n}", r#"ok: {"a":1,"b":2}"#),
        (200, JSON, r#"{"preco":150.50}"#, r#"ok: {"preco":150.5}"#),
        (200, JSON, r#""R$ 150,00""#, "ok: R$ 150,00"),
        (200, JSON, "[]", "ok: []"),
        (200, JSON, "0", "ok: 0"),
        (201, "application/vnd.api+json", r#"{"a":1}"#, r#"ok: {"a":1}"#),
        (200, PLAIN, "R$ 150,00\n", "ok: R$ 150,00"),
        (200, "text/csv", "a;b\n1;2", "ok: a;b\n1;2"),
        (200, "application/xml", "<preco>1</preco>", "ok: <preco>1</preco>"),
        (200, "", "R$ 150,00", "ok: R$ 150,00"),
        (200, "", r#"{"a":1}"#, r#"ok: {"a":1}"#),
        (200, JSON, "", "FALHA_CONSULTA: resposta vazia"),
        (200, JSON, "null", "FALHA_CONSULTA: resposta vazia"),
        (200, JSON, r#""  ""#, "FALHA_CONSULTA: resposta vazia"),
        (200, PLAIN, " \n", "FALHA_CONSULTA: resposta vazia"),
        (204, "", "", "FALHA_CONSULTA: resposta vazia"),
        (404, JSON, r#"{"erro":"x"}"#, "FALHA_CONSULTA: erro interno: preco: 404"),
        (404, "text/html", "<html></html>", "FALHA_CONSULTA: erro interno: preco: 404"),
        (401, "", "", "FALHA_CONSULTA: erro interno: preco: 401"),
        (429, JSON, "{}", "FALHA_CONSULTA: erro interno: preco: 429"),
        (301, "", "", "FALHA_CONSULTA: erro interno: preco: 301"),
        (200, "text/html", r#"{"a":1}"#, r#"ok: {"a":1}"#),
        (200, "text/html", "<p>oi</p>", "uncontrolled: preco: HTML em vez de dados"),
        (200, JSON, "<!DOCTYPE html><html>", "uncontrolled: preco: HTML em vez de dados"),
        (200, "", "<html><body>", "uncontrolled: preco: HTML em vez de dados"),
        (200, PLAIN, "  <HTML>", "uncontrolled: preco: HTML em vez de dados"),
        (200, JSON, r#"{"total":"#, "uncontrolled: preco: resposta que não é JSON"),
        (200, JSON, "R$ 150,00", "uncontrolled: preco: resposta que não é JSON"),
        (200, "application/pdf", "%PDF", "uncontrolled: preco: resposta que não é texto"),
    ] {
        let told = told(&get, &answer(status, content_type, body));
        assert_eq!(told, expected, "{status} {content_type} {body}");
    }
}

#[test]
fn a_failure_that_the_other_side_says_is_passed_on() {
    let get = tool("GET", None);
    let empty = "FALHA_CONSULTA: agenda sem horarios disponiveis";
    let quoted = format!("\"{empty}\"");
    for (status, content_type, body, expected) in [
        (200, PLAIN, empty, empty),
        (200, JSON, &quoted, empty),
        (200, "text/html", empty, empty),
        (404, PLAIN, &format!("{empty}\n"), empty),
        (422, JSON, &quoted, empty),
        (
            200,
            PLAIN,
            "FALHA_CONSULTA: convenio nao encontrado: Vida",
            "FALHA_CONSULTA: convenio nao encontrado: Vida",
        ),
        // What begins so and is none of the twelve is no result either.
        (
            200,
            PLAIN,
            "FALHA_CONSULTA: sistema em manutencao",
            "FALHA_CONSULTA: erro interno: sistema em manutencao",
        ),
        (200, PLAIN, "FALHA_CONSULTA:manutencao", "FALHA_CONSULTA: erro interno: manutencao"),
        (200, PLAIN, "FALHA_CONSULTA", "FALHA_CONSULTA: erro interno: sem detalhe"),
    ] {
        assert_eq!(told(&get, &answer(status, content_type, body)), expected, "{status} {body}");
    }
    let at = tool("GET", Some("data.msg"));
    let body = format!(r#"{{"data":{{"msg":"{empty}"}}}}"#);
    assert_eq!(told(&at, &answer(200, JSON, body)), empty);
}

#[test]
fn a_result_path_takes_its_part_and_wants_json() {
    let at = tool("GET", Some("/data/itens"));
    for (content_type, body, expected) in [
        (JSON, r#"{"data":{"itens":[{"b":1,"a":"x"}],"token":"y"}}"#, r#"ok: [{"a":"x","b":1}]"#),
        (PLAIN, r#"{"data":{"itens":"dois"}}"#, "ok: dois"),
        (JSON, r#"{"data":{}}"#, "FALHA_CONSULTA: resposta vazia"),
        (JSON, r#"{"data":{"itens":null}}"#, "FALHA_CONSULTA: resposta vazia"),
        (JSON, r#"{"erro":1}"#, "FALHA_CONSULTA: resposta vazia"),
        (PLAIN, "dois itens", "uncontrolled: preco: resposta que não é JSON"),
    ] {
        assert_eq!(told(&at, &answer(200, content_type, body)), expected, "{body}");
    }
}

#[test]
fn a_change_may_be_made_without_a_word() {
    let told_of = |tool| told(&tool, &answer(204, "", ""));
    assert_eq!(told_of(tool("DELETE", None)), "ok: feito (204, sem conteúdo)");
    assert_eq!(told_of(tool("DELETE", Some("/id"))), "FALHA_CONSULTA: resposta vazia");
    let silent = answer(200, JSON, "");
    assert_eq!(told(&tool("DELETE", None), &silent), "FALHA_CONSULTA: resposta vazia");
}

#[test]
fn older_systems_are_read_in_their_own_letters() {
    let get = tool("GET", None);
    let body: &[u8] = b"pre\xe7o: R$ 10";
    let latin = answer(200, "text/plain; charset=ISO-8859-1", body);
    assert_eq!(told(&get, &latin), "ok: preço: R$ 10");
    let marked = answer(200, "application/json", "\u{feff}{\"a\":1}".as_bytes());
    assert_eq!(told(&get, &marked), r#"ok: {"a":1}"#);
    let unknown = answer(200, "text/plain; charset=\"klingon\"", "preço".as_bytes());
    assert_eq!(told(&get, &unknown), "ok: preço");
}

#[test]
fn a_long_result_is_cut_and_says_so() {
    let get = tool("GET", None);
    let long = "ç".repeat(20_000);
    let result = read(&get, &answer(200, PLAIN, long.clone())).unwrap();
    assert!(result.len() < RESULT_BYTES + 100);
    assert!(
        result.starts_with("çç")
            && result.contains("[resultado cortado: primeiros 16 KiB de 40 KiB]")
    );
    let kept = read(&get, &answer(200, PLAIN, "a".repeat(RESULT_BYTES))).unwrap();
    assert!(!kept.contains("cortado"));
    let broken_off = Answer { complete: false, ..answer(200, PLAIN, long) };
    assert_eq!(
        told(&get, &broken_off),
        "FALHA_CONSULTA: erro interno: preco: resposta grande demais"
    );
}
