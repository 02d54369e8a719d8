//! Arguments as operators see them: secrets and personal data masked.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::domain::triage::fold::fold;

/// Names of arguments that hold secrets or personal data, folded; parts of names count.
const PERSONAL: &[&str] = &[
    "cpf",
    "cnpj",
    "rg",
    "telefone",
    "celular",
    "fone",
    "phone",
    "whatsapp",
    "email",
    "senha",
    "password",
    "token",
    "secret",
    "chave",
    "api_key",
    "apikey",
    "nome",
    "name",
    "nascimento",
    "birth",
    "endereco",
    "address",
    "cartao",
    "card",
    "cvv",
    "documento",
    "document",
    "pix",
    "paciente",
    "cliente",
    "titular",
    "responsavel",
    "patient",
    "customer",
    "convenio_numero",
    "carteirinha",
];

static PERSONAL_TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // E-mail addresses, and digits in the length of telephones and documents.
    Regex::new(r"[^\s@]+@[^\s@]+\.[^\s@]+|\d[\d .()/-]{6,}\d").ok()
});

/// The same arguments without what identifies somebody.
pub fn masked(arguments: &Value) -> Value {
    match arguments {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let value = if is_personal(name) { hidden(value) } else { masked(value) };
                (name.clone(), value)
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(masked).collect()),
        Value::String(text) => Value::String(without_personal(text)),
        other => other.clone(),
    }
}

/// The same of a text that is JSON; other texts stay as they are.
pub fn masked_text(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => masked(&value).to_string(),
        _ => text.to_owned(),
    }
}

fn is_personal(name: &str) -> bool {
    let name = fold(name);
    // "medico_nome" is a doctor's.
    let public = ["medico", "doctor", "procedimento", "procedure", "convenio", "insurance"];
    if name.ends_with("_id") || name == "id" {
        return false;
    }
    let of_a_person = PERSONAL.iter().any(|part| match *part {
        "rg" | "pix" | "card" | "name" | "nome" => {
            name.split(|c: char| !c.is_alphanumeric()).any(|word| word == *part)
        }
        _ => name.contains(part),
    });
    of_a_person && !public.iter().any(|part| name.contains(part) && !name.contains("numero"))
}

fn hidden(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Array(items) => Value::Array(items.iter().map(hidden).collect()),
        _ => Value::String("***".to_owned()),
    }
}

fn without_personal(text: &str) -> String {
    let is_date = |found: &str| {
        let digits = found.chars().filter(char::is_ascii_digit).count();
        digits <= 8 && (found.contains('-') || found.contains('/'))
    };
    match PERSONAL_TEXT.as_ref() {
        Some(pattern) => pattern
            .replace_all(text, |found: &regex::Captures<'_>| match &found[0] {
                date if is_date(date) && !date.contains('@') => date.to_owned(),
                _ => "***".to_owned(),
            })
            .into_owned(),
        None => "***".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_identifies_somebody_is_masked_and_the_rest_is_readable() {
        let arguments = json!({
            "nome": "Ana Souza",
            "cpf": "123.456.789-09",
            "data_nascimento": "1990-02-14",
            "medico": "Dra. Joana",
            "medico_nome": "Dra. Joana",
            "convenio": "Unimed",
            "data": "2026-12-01",
            "pessoas": 2,
            "observacao": "ligar em (11) 98765-4321 ou ana@exemplo.com",
            "contatos": [{ "telefone": "11987654321" }],
        });
        assert_eq!(
            masked(&arguments),
            json!({
                "nome": "***",
                "cpf": "***",
                "data_nascimento": "***",
                "medico": "Dra. Joana",
                "medico_nome": "Dra. Joana",
                "convenio": "Unimed",
                "data": "2026-12-01",
                "pessoas": 2,
                "observacao": "ligar em (*** ou ***",
                "contatos": [{ "telefone": "***" }],
            }),
        );
    }
}
