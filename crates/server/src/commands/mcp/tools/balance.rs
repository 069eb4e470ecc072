//! `balance`: the account's credits.

use lectern_types::Balance;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Api, Failed, Outcome, arguments, schema};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {}

pub(super) fn describe() -> Value {
    json!({
        "name": "balance",
        "title": "Credits left",
        "description": "How many credits the account has, and how many are held for work in progress.",
        "inputSchema": schema(&json!({}), &[]),
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
    })
}

pub(super) async fn call(api: &Api, given: Value) -> Result<Outcome, Failed> {
    let Arguments {} = arguments(given)?;
    let balance: Balance = api.json(api.get("/v1/saas/credits/balance")).await?;
    let text = format!(
        "{} credits can be spent ({} in all, {} held for work in progress).",
        balance.available.0, balance.balance.0, balance.held.0
    );
    Ok(Outcome::new(text, json!(balance)))
}
