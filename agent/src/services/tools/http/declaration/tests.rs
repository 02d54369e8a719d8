use super::*;

fn draft() -> Draft {
    let draft = json!({
        "name": "consultar_estoque",
        "description": "Quantas unidades há de um produto.",
        "parameters": {
            "type": "object",
            "properties": { "sku": { "type": "string" }, "loja": { "type": "integer" } },
            "required": ["sku"],
        },
        "url": "https://erp.example/estoque/{sku}",
        "headers": { "Authorization": "Bearer jabuticaba" },
    });
    serde_json::from_value(draft).unwrap()
}

#[test]
fn what_is_left_out_has_a_default() {
    let read = Declaration::read(draft()).unwrap();
    assert_eq!((read.method, read.has_effect, read.enabled), (Method::Get, false, true));
    assert_eq!(read.timeout, Duration::from_secs(5));
    assert!(!format!("{read:?} {:?}", draft()).contains("jabuticaba"));
    let post = Draft { method: Some("post".to_owned()), ..draft() };
    assert!(Declaration::read(post).unwrap().has_effect);
    let harmless = Draft { has_effect: Some(false), method: Some("POST".to_owned()), ..draft() };
    assert!(!Declaration::read(harmless).unwrap().has_effect);
    let bare = Draft { parameters: None, url: "https://erp.example".to_owned(), ..draft() };
    assert_eq!(Declaration::read(bare).unwrap().spec.parameters["type"], "object");
}

#[test]
fn a_declaration_is_read_as_it_was_written() {
    let given = Draft { result_path: Some("data.total".to_owned()), ..draft() };
    let read = Declaration::read(given).unwrap();
    let again = Declaration::read(read.to_draft()).unwrap();
    assert_eq!(format!("{read:?}"), format!("{again:?}"));
}

#[test]
fn each_argument_has_its_place() {
    let places = |method: &str, url: &str| {
        let given = Draft { method: Some(method.to_owned()), url: url.to_owned(), ..draft() };
        let read = Declaration::read(given).unwrap();
        let places: Vec<String> =
            read.places().iter().map(|(name, place)| format!("{name}: {place}")).collect();
        places.join(", ")
    };
    assert_eq!(places("GET", "https://a.br/{sku}"), "loja: not sent, sku: path");
    assert_eq!(places("GET", "https://a.br/?s={sku}"), "loja: not sent, sku: query");
    assert_eq!(places("DELETE", "https://a.br/{sku}?{*}"), "loja: query, sku: path");
    assert_eq!(places("PUT", "https://a.br/{sku}"), "loja: body, sku: path");
}

#[test]
fn what_cannot_be_a_tool_is_refused_by_field() {
    let with = |change: &dyn Fn(&mut Draft)| {
        let mut given = draft();
        change(&mut given);
        Declaration::read(given).unwrap_err()
    };
    let schema = |schema: Value| with(&|draft| draft.parameters = Some(schema.clone()));
    for (error, field) in [
        (with(&|draft| draft.name = String::new()), "name"),
        (with(&|draft| draft.name = "consultar estoque".to_owned()), "name"),
        (with(&|draft| draft.name = "123".to_owned()), "name"),
        (with(&|draft| draft.name = "a".repeat(65)), "name"),
        (with(&|draft| draft.name = "transferir_atendimento".to_owned()), "name"),
        (with(&|draft| draft.name = "Agendar_Horario".to_owned()), "name"),
        (with(&|draft| draft.description = "  ".to_owned()), "description"),
        (with(&|draft| draft.description = "a".repeat(1_001)), "description"),
        (with(&|draft| draft.method = Some("TRACE".to_owned())), "method"),
        (schema(json!([])), "parameters"),
        (schema(json!({})), "parameters"),
        (schema(json!({ "type": "string" })), "parameters"),
        (schema(json!({ "type": "object", "properties": [] })), "parameters"),
        (schema(json!({ "type": "object", "required": "sku" })), "parameters"),
        (schema(json!({ "type": "object", "$ref": "http://127.0.0.1/x" })), "parameters"),
        (schema(json!({ "type": "object", "description": "a".repeat(20_000) })), "parameters"),
        (with(&|draft| draft.url = "erp.example/{sku}".to_owned()), "url"),
        (with(&|draft| draft.url = "https://erp.example/{outro}".to_owned()), "url"),
        (with(&|draft| draft.url = "https://erp.example/{loja}".to_owned()), "url"),
        (
            with(&|draft| {
                draft.url = "https://erp.example/?{*}".to_owned();
                draft.method = Some("POST".to_owned());
            }),
            "url",
        ),
        (with(&|draft| draft.timeout_ms = Some(499)), "timeout_ms"),
        (with(&|draft| draft.timeout_ms = Some(10_001)), "timeout_ms"),
        (with(&|draft| draft.timeout_ms = Some(-5_000)), "timeout_ms"),
        (with(&|draft| draft.result_path = Some("a..b".to_owned())), "result_path"),
        (
            with(&|draft| {
                draft.headers.0.insert("Host".to_owned(), "x".into());
            }),
            "headers",
        ),
    ] {
        assert_eq!(error.field, field, "{error}");
        assert!(!error.to_string().contains("jabuticaba"));
    }
}

#[test]
fn a_field_that_nobody_knows_is_refused() {
    let text = r#"{"name":"a","description":"b","url":"https://a.br","header":{"A":"jabuticaba"}}"#;
    let error = serde_json::from_str::<Draft>(text).unwrap_err().to_string();
    assert!(error.contains("header") && !error.contains("jabuticaba"), "{error}");
}
