//! What tool results say in JSON: escapes, and numbers whose meaning is in their key.

use std::borrow::Cow;

use super::found::Value;
use super::lex::Text;
use super::number::{Number, SCALE, Words};
use super::units;

/// A text without the escapes of JSON; borrowed where it has none.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(escape) = rest.chars().next() else { break };
        rest = &rest[escape.len_utf8()..];
        match escape {
            'n' | 'r' => out.push('\n'),
            't' => out.push(' '),
            'u' => {
                let code = rest.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                match code {
                    Some(code) => {
                        out.push(char::from_u32(code).unwrap_or(' '));
                        rest = &rest[4..];
                    }
                    None => out.push('u'),
                }
            }
            other => out.push(other),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The key that the number at token `at` stands under, and whether it is quoted as in JSON:
/// `"preco": 80`, `"preco": "80"`, `preco: 80`.
fn key<'t>(text: &'t Text<'_>, at: usize) -> (&'t str, bool) {
    let quote = |index: usize| usize::from(text.sign(index, '"'));
    let Some(mut place) = at.checked_sub(1) else { return ("", false) };
    place = place.saturating_sub(quote(place));
    if !text.sign(place, ':') {
        return ("", false);
    }
    let Some(place) = place.checked_sub(1) else { return ("", false) };
    let quoted = quote(place);
    (text.word(place.saturating_sub(quoted)), quoted == 1)
}

const PRICES: &[&str] = &[
    "prec",
    "valor",
    "price",
    "total",
    "custo",
    "tarifa",
    "amount",
    "diaria",
    "cost",
    "saldo",
    "sinal",
    "fee",
    "rate",
    "budget",
    "gasto",
    "mensalidade",
];

const COUNTS: &[&str] = &[
    "capacid",
    "quant",
    "qtd",
    "qty",
    "vaga",
    "dura",
    "minut",
    "idade",
    "quartos",
    "rooms",
    "numero",
    "number",
    "andar",
    "pessoas",
    "hospedes",
    "guests",
    "adultos",
    "adults",
    "children",
    "criancas",
    "estoque",
    "stock",
    "noites",
    "nights",
    "dias",
    "days",
    "page",
    "count",
    "score",
    "rank",
    "size",
    "version",
    "_id",
    "codigo",
    "tentativa",
    "status",
    "_dia",
    "_day",
    "address",
    "street",
    "phone",
    "telefone",
    "lotacao",
    "parcelas",
];

/// `"due_day": 10`, `"dia": 10`, `"vencimento": 10`.
fn is_day(key: &str) -> bool {
    matches!(key, "dia" | "day" | "vencimento" | "fechamento")
        || ["_dia", "_day", "dia_", "day_of"].iter().any(|part| key.contains(part))
            && !key.contains("dias")
            && !key.contains("days")
}

const COUNTS_WHOLE: &[&str] = &[
    "id", "dia", "day", "due_day", "rua", "av", "avenida", "endereco", "cep", "peso", "altura",
    "largura", "area", "metragem", "mes", "month", "ano", "year", "age", "crm", "ddd", "sala",
    "seq", "quarto", "room",
];

const PERCENTS: &[&str] =
    &["percent", "pct", "descont", "discount", "taxa", "juros", "multa", "comiss", "aliquota"];

/// Whether a number stands under a key of prices.
pub(super) fn is_priced(text: &Text<'_>, at: usize) -> bool {
    let (key, _) = key(text, at);
    PRICES.iter().any(|part| key.contains(part)) || key.contains("cent") || key.ends_with("_minor")
}

/// All that a bare number of a source can stand for in an answer.
pub(super) fn readings(text: &Text<'_>, at: usize) -> Vec<Value> {
    let Some(number) = text.number(at) else { return Vec::new() };
    let (key, quoted) = key(text, at);
    let has = |parts: &[&str]| parts.iter().any(|part| key.contains(part));
    let mut values = Vec::new();
    if has(PERCENTS) {
        values.push(Value::Percent(number.value));
        if number.value <= SCALE {
            values.push(Value::Percent(number.value * 100));
        }
    }
    if let Some(day) = number.whole().filter(|_| is_day(key)) {
        let day = u8::try_from(day).ok().filter(|day| (1..=31).contains(day));
        values.extend(day.map(|day| Value::Date { day, month: None, year: None }));
    }
    if matches!(key, "hora" | "hour" | "hh") {
        values.extend(clock(text, at, number));
    } else if key.contains("centavo") || key.contains("cents") || key.ends_with("_minor") {
        values.push(money(number.value / 100));
    } else if has(PRICES)
        || !(key.is_empty() && !told(text, at)
            || has(COUNTS)
            || quoted && COUNTS_WHOLE.contains(&key)
            || is_other(text, at))
    {
        values.push(money(number.value));
        // A model may cut what it should round.
        values.push(Value::Money { cents: number.value / 100, currency: None });
        values.extend(number.other.map(money));
    }
    values
}

/// The numbers of JSON arrays (`[80,95.5,120]`), whose commas are no decimal marks.
pub(super) fn arrays(source: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = source;
    while let Some(open) = rest.find('[') {
        rest = &rest[open + 1..];
        let inside =
            |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ',' | '"');
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        if rest[end..].starts_with(']') {
            let items = rest[..end].split(',').map(|item| item.trim_matches([' ', '"', '\n']));
            let numbers = items.filter(|item| item.starts_with(|c: char| c.is_ascii_digit()));
            values.extend(numbers.map(|item| money(super::number::read_digits(item).value)));
        }
        rest = &rest[end..];
    }
    values
}

fn money(value: u64) -> Value {
    Value::Money { cents: super::number::cents(value), currency: None }
}

/// In prose a bare number is a price only where a price word stands before it, or where it is all
/// that is said: "vi no site por 249", "1500".
fn told(text: &Text<'_>, at: usize) -> bool {
    const SAID: &[&str] = &[
        "por",
        "couvert",
        "rolha",
        "cobrando",
        "cobraram",
        "paguei",
        "ingresso",
        "frete",
        "consulta",
        "diaria",
        "sessao",
        "rodizio",
        "avulsa",
        "mensalidade",
    ];
    text.line(at) && text.line(at + 1) && text.len() == at + 1
        || text.is(at.wrapping_sub(1), SAID)
            && text.number(at).is_some_and(|n| n.value >= 10 * SCALE)
}

/// "quarto 80", "150 pessoas": no price.
fn is_other(text: &Text<'_>, at: usize) -> bool {
    let counted = !text.line(at + 1) && units::is_counted(text.word(at + 1));
    counted || units::is_name(text.before(at, 1))
}

/// `"hora": 14, "minuto": 30`.
fn clock(text: &Text<'_>, at: usize, number: &Number) -> Option<Value> {
    let hour = number.whole().filter(|hour| *hour <= 24)?;
    let next = (at + 1..at + 7).find(|index| text.word(*index).starts_with("minut"));
    let minute = next.and_then(|index| (index + 1..index + 5).find_map(|i| text.whole(i, 59)));
    let minutes = hour % 24 * 60 + minute.unwrap_or(0);
    Some(Value::Clock(u16::try_from(minutes).ok()?))
}
