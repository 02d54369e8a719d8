//! What accounts have set: whether their agendas answer, and whether a ceiling can ever be reached.

use std::sync::Arc;

use lembra_agent::clock::SystemClock;
use lembra_agent::config::Config;
use lembra_agent::services::agenda::{Agendas, explain};
use lembra_agent::store::accounts;
use lembra_entities::account;
use sea_orm::DatabaseConnection;

use super::{Report, State};

pub async fn check(config: &Config, db: &DatabaseConnection, report: &mut Report) {
    let rows = match accounts::list(db).await {
        Ok(rows) => rows,
        Err(error) => return report.add("accounts", State::Failed, error.to_string()),
    };
    check_agendas(config, db, &rows, report).await;
    check_prices(config, &rows, report);
}

/// Asks each agenda for its doctors, insurances and procedures: that it is reached, and that it
/// speaks the contract.
async fn check_agendas(
    config: &Config,
    db: &DatabaseConnection,
    rows: &[account::Model],
    report: &mut Report,
) {
    let (vault, allowed) = (config.vault.clone(), config.tools.allowed_hosts.clone());
    let agendas = match Agendas::new(db.clone(), vault, Arc::new(SystemClock), allowed) {
        Ok(agendas) => agendas,
        Err(error) => return report.add("agendas", State::Failed, error.to_string()),
    };
    for row in rows {
        let part = format!("agenda of account {}", row.id);
        match agendas.check(row.id).await {
            Ok(None) => {}
            Ok(Some(Ok(has))) if has.with_scheduling == 0 => {
                let detail = format!("answers, and none of {} doctors is bookable", has.doctors);
                report.add(part, State::Warning, detail);
            }
            Ok(Some(Ok(has))) => {
                let detail = format!(
                    "answers: {} doctors, {} of them bookable",
                    has.doctors, has.with_scheduling
                );
                report.add(part, State::Ok, detail);
            }
            Ok(Some(Err(error))) => report.add(part, State::Failed, explain(&error)),
            Err(error) => report.add(part, State::Failed, error.to_string()),
        }
    }
}

/// Calls of a model without a price count as free, so no ceiling is ever reached by them.
fn check_prices(config: &Config, rows: &[account::Model], report: &mut Report) {
    if !rows.iter().any(|row| row.monthly_ceiling_brl.is_some()) {
        return;
    }
    let unpriced = unpriced(config);
    if unpriced.is_empty() {
        return report.add("prices", State::Ok, "every model has one");
    }
    let detail = format!(
        "LLM_PRICES_BRL has none for {}: its calls count as free, and no ceiling stops them",
        unpriced.join(", ")
    );
    report.add("prices", State::Warning, detail);
}

/// The models in use that have no price, each once.
fn unpriced(config: &Config) -> Vec<&str> {
    let (llm, memory) = (&config.llm, &config.memory);
    let mut models = Vec::new();
    if llm.base_url.is_some() {
        models.push(llm.model.as_str());
        models.extend(memory.model.as_deref());
    }
    if llm.base_url.is_some() || memory.embedding_base_url.is_some() {
        models.push(memory.embedding_model.as_str());
    }
    models.extend(config.media.transcription.as_ref().map(|ears| ears.model.as_str()));
    models.sort_unstable();
    models.dedup();
    models.retain(|model| !memory.prices.knows(model));
    models
}

#[cfg(test)]
mod tests {
    use super::*;
    use lembra_agent::config::Env;

    #[test]
    fn models_without_a_price_are_named_once_and_the_offline_ones_never() {
        let folder = std::env::temp_dir().join("lembra-doctor-test");
        let env = Env::default().with("DATA_DIR", folder.to_string_lossy());
        let config = Config::from_env(&env).expect("a configuration");
        assert_eq!(unpriced(&config), Vec::<&str>::new());
        let env = env
            .with("LLM_BASE_URL", "http://127.0.0.1:1/v1")
            .with("LLM_MODEL", "llama3")
            .with("MEMORY_MODEL", "llama3")
            .with("TRANSCRIPTION_BASE_URL", "http://127.0.0.1:1/v1")
            .with("TRANSCRIPTION_MODEL", "faster-whisper");
        let config = Config::from_env(&env).expect("a configuration");
        assert_eq!(unpriced(&config), ["faster-whisper", "llama3"]);
    }
}
