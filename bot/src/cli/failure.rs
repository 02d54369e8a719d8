//! `bot failure`.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use clap::Args;
use lembra_agent::store::{accounts, dashboard_errors};
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

/// Rows that are looked at.
const MOST: u64 = 10_000;

#[derive(Args)]
pub struct Failure {
    #[arg(long)]
    account: i64,
    /// So many days back
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(i64).range(1..=365))]
    days: i64,
}

impl Failure {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        if accounts::find(&runtime.db, self.account).await?.is_none() {
            anyhow::bail!("there is no account {}; see `bot account list`", self.account);
        }
        let since = runtime.clock.now() - TimeDelta::days(self.days);
        let rows = dashboard_errors::list(&runtime.db, self.account, since, MOST).await?;
        let mut groups: BTreeMap<(String, String, String), (u64, String)> = BTreeMap::new();
        for row in &rows {
            let day = row.created_at.format("%Y-%m-%d").to_string();
            let key = (day, row.error_type.clone(), row.code.clone());
            // The latest of a group comes first, and stands for it.
            groups.entry(key).or_insert((0, row.detail.clone())).0 += 1;
        }
        let lines: Vec<String> = groups
            .iter()
            .rev()
            .map(|((day, kind, code), (count, latest))| {
                format!("{day}  {count:>4}  {kind}  {code}  {latest}")
            })
            .collect();
        let list: Vec<_> = groups
            .iter()
            .rev()
            .map(|((day, kind, code), (count, latest))| {
                json!({
                    "day": day, "error_type": kind, "code": code, "count": count, "latest": latest,
                })
            })
            .collect();
        output.print(&json!({ "failures": list }), &lines);
        Ok(())
    }
}
