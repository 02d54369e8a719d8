//! Episodic memory: which models learn and recall, and what they cost.

use secrecy::SecretString;
use url::Url;

use super::env::{ConfigError, Env};

/// Room for a conversation in one extraction, in characters: about 15,000 tokens.
const TRANSCRIPT_CHARS: usize = 60_000;

/// Settings of memory (DESIGN §7).
#[derive(Debug, Clone)]
pub struct MemoryConfig {
    /// `MEMORY_MODEL`; learns and compares. `LLM_MODEL` when absent.
    pub model: Option<String>,
    /// `MEMORY_TRANSCRIPT_CHARS`.
    pub transcript_chars: usize,
    /// `EMBEDDING_BASE_URL`; `LLM_BASE_URL` when absent.
    pub embedding_base_url: Option<Url>,
    /// `EMBEDDING_API_KEY`; `LLM_API_KEY` when absent.
    pub embedding_api_key: Option<SecretString>,
    /// `EMBEDDING_MODEL`.
    pub embedding_model: String,
    /// `LLM_PRICES_BRL`.
    pub prices: Prices,
}

impl MemoryConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let transcript_chars = env.parsed("MEMORY_TRANSCRIPT_CHARS")?.unwrap_or(TRANSCRIPT_CHARS);
        if transcript_chars < 1_000 {
            let problem = "must be at least 1000";
            return Err(ConfigError::new("MEMORY_TRANSCRIPT_CHARS", problem));
        }
        let prices = match env.text("LLM_PRICES_BRL") {
            Some(text) => Prices::parse(&text).ok_or_else(|| {
                let problem = "must be model=input/output or model=price/min, …";
                ConfigError::new("LLM_PRICES_BRL", problem)
            })?,
            None => Prices::default(),
        };
        Ok(Self {
            model: env.text("MEMORY_MODEL"),
            transcript_chars,
            embedding_base_url: env.parsed("EMBEDDING_BASE_URL")?,
            embedding_api_key: env.secret("EMBEDDING_API_KEY"),
            embedding_model: env
                .text("EMBEDDING_MODEL")
                .unwrap_or_else(|| "text-embedding-3-small".into()),
            prices,
        })
    }
}

/// What each model costs, in BRL: a million tokens, or a minute of what it hears.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices(Vec<Price>);

#[derive(Debug, Clone, PartialEq)]
struct Price {
    /// Names that begin so have this price: servers answer with a date behind the name.
    model: String,
    rate: Rate,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rate {
    /// Of a million tokens.
    Tokens { input: f64, output: f64 },
    /// Of a minute of audio.
    Minute(f64),
}

/// List prices of November 2026 at 5.50 BRL per USD.
const LIST: &str = "gpt-4o-mini=0.825/3.30,text-embedding-3-small=0.11/0,whisper-1=0.033/min";

impl Default for Prices {
    fn default() -> Self {
        Self::parse(LIST).unwrap_or(Self(Vec::new()))
    }
}

impl Prices {
    /// `model=input/output`, `model=input` or `model=price/min`, separated by commas; `None` when
    /// it is not that.
    pub fn parse(text: &str) -> Option<Self> {
        let price = |entry: &str| {
            let (model, price) = entry.trim().rsplit_once('=')?;
            let (first, second) = price.split_once('/').unwrap_or((price, "0"));
            let number = |text: &str| {
                text.trim()
                    .parse::<f64>()
                    .ok()
                    .filter(|number| number.is_finite() && *number >= 0.0)
            };
            let model = model.trim().to_owned();
            let rate = match second.trim() {
                "min" => Rate::Minute(number(first)?),
                second => Rate::Tokens { input: number(first)?, output: number(second)? },
            };
            let known = !model.is_empty();
            known.then_some(Price { model, rate })
        };
        let entries = text.split(',').filter(|entry| !entry.trim().is_empty());
        entries.map(price).collect::<Option<Vec<_>>>().map(Self)
    }

    fn rate(&self, model: &str) -> Option<Rate> {
        let fitting = self.0.iter().filter(|price| model.starts_with(&price.model));
        fitting.max_by_key(|price| price.model.len()).map(|price| price.rate)
    }

    /// Whether a model has a price; without one its calls count as free.
    pub fn knows(&self, model: &str) -> bool {
        self.rate(model).is_some()
    }

    /// What a call cost; nothing for a model without a price.
    pub fn brl(&self, model: &str, prompt_tokens: i64, completion_tokens: i64) -> f64 {
        match self.rate(model) {
            Some(Rate::Tokens { input, output }) => {
                (prompt_tokens as f64 * input + completion_tokens as f64 * output) / 1_000_000.0
            }
            Some(Rate::Minute(_)) | None => 0.0,
        }
    }

    /// What hearing so many seconds cost; `None` for a model that has no price by the minute.
    pub fn brl_of_audio(&self, model: &str, seconds: f64) -> Option<f64> {
        match self.rate(model)? {
            Rate::Minute(price) => Some(price * seconds / 60.0),
            Rate::Tokens { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_with_the_longest_fitting_name_counts() {
        let prices = Prices::parse("gpt-4o=10/40, gpt-4o-mini=1/4").unwrap();
        assert!((prices.brl("gpt-4o-mini-2024-07-18", 1_000_000, 500_000) - 3.0).abs() < 1e-9);
        assert!((prices.brl("gpt-4o", 100_000, 0) - 1.0).abs() < 1e-9);
        assert_eq!(prices.brl("llama3", 1_000_000, 1_000_000), 0.0);
        assert!(Prices::default().brl("text-embedding-3-small", 1_000, 0) > 0.0);
    }

    #[test]
    fn a_model_that_listens_costs_by_the_minute() {
        let prices = Prices::parse("whisper-1=0.06/min, gpt-4o-mini-transcribe=7/28").unwrap();
        assert!((prices.brl_of_audio("whisper-1", 90.0).unwrap() - 0.09).abs() < 1e-9);
        assert_eq!(prices.brl("whisper-1", 1_000_000, 0), 0.0);
        assert_eq!(prices.brl_of_audio("gpt-4o-mini-transcribe", 90.0), None);
        assert!(prices.brl("gpt-4o-mini-transcribe", 1_000, 100) > 0.0);
        assert!(prices.knows("whisper-1") && !prices.knows("whisper-2"));
        assert!(Prices::default().brl_of_audio("whisper-1", 60.0).unwrap() > 0.0);
    }

    #[test]
    fn a_table_that_is_none_is_refused() {
        for text in ["gpt-4o", "gpt=x/1", "gpt=-1", "=1/2", "a=1/2/3", "a=/min", "a=1/min/2"] {
            assert_eq!(Prices::parse(text), None, "{text}");
        }
    }
}
