//! Which part of a JSON answer is the result.

use serde_json::Value;

use super::problem::Problem;

/// Longest path, in bytes.
const LONGEST: usize = 200;

/// A JSON pointer (`/data/0/nome`, RFC 6901) or a dotted path (`data.0.nome`, `$.data[0].nome`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPath {
    text: String,
    pointer: String,
}

impl ResultPath {
    /// Reads a path; the error says in words what is wrong.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let text = text.trim();
        if text.len() > LONGEST {
            let text = format!("is longer than {LONGEST} bytes");
            return Err(Problem::of("too_long", LONGEST, text));
        }
        let pointer = if text.starts_with('/') { escapes(text)? } else { from_dots(text)? };
        Ok(Self { text: text.to_owned(), pointer })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part; `None` where there is none.
    pub fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.pointer(&self.pointer)
    }
}

/// A `~` begins `~0` or `~1`.
fn escapes(text: &str) -> Result<String, Problem> {
    let rest: Vec<&str> = text.split('~').skip(1).collect();
    if rest.iter().all(|rest| rest.starts_with(['0', '1'])) {
        return Ok(text.to_owned());
    }
    Err(Problem::new("no_pointer", "is no JSON pointer: a ~ is written ~0, a / in a name ~1"))
}

fn from_dots(text: &str) -> Result<String, Problem> {
    let rest = text.strip_prefix('$').map_or(text, |rest| rest.strip_prefix('.').unwrap_or(rest));
    let plain = rest.strip_prefix('[').unwrap_or(rest).replace('[', ".").replace(']', "");
    let mut pointer = String::new();
    for name in plain.split('.') {
        let odd = |c: char| c.is_whitespace() || c.is_control() || "*?@()\"'".contains(c);
        if name.is_empty() || name.contains(odd) {
            let text = "is neither a JSON pointer such as /data/0/nome \
                        nor a path such as data.0.nome";
            return Err(Problem::new("no_path", text));
        }
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    }
    Ok(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_finds_its_part() {
        let value = json!({
            "data": { "itens": [{ "nome": "a" }, { "nome": "b" }], "a/b": 1, "m~n": 2 },
            "total": 150,
        });
        for (path, part) in [
            ("/data/itens/1/nome", json!("b")),
            ("data.itens.1.nome", json!("b")),
            ("data.itens[1].nome", json!("b")),
            ("$.data.itens[0].nome", json!("a")),
            ("$['total']", json!(null)),
            ("/data/a~1b", json!(1)),
            ("data.a/b", json!(1)),
            ("data.m~n", json!(2)),
            ("total", json!(150)),
            ("total.x", json!(null)),
            ("/data/itens/9", json!(null)),
        ] {
            let found = ResultPath::parse(path);
            let found = found.ok().and_then(|path| path.of(&value).cloned());
            assert_eq!(found.unwrap_or_default(), part, "{path}");
        }
    }

    #[test]
    fn a_path_that_is_none_is_refused() {
        let long = "a".repeat(201);
        for path in ["", ".", "a..b", "a b", "/a~2", "/a~", "$", "data.*", "$..x", long.as_str()] {
            assert!(ResultPath::parse(path).is_err(), "{path}");
        }
    }
}
