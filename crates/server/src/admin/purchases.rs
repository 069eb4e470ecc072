//! `lectern admin purchases`.

use clap::Subcommand;
use lectern_store::purchases::{self, Purchase};
use lectern_types::{self as types, PaymentProvider, PurchaseId, PurchaseStatus};
use serde::Serialize;

use super::Operator;
use crate::error::CommandError;
use lectern_http::shapes;
use lectern_service::services::billing::payments;

/// The most purchases in a list.
const MAX_LISTED: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Purchases {
    /// List purchases, newest first, at most 1,000.
    List {
        /// Only purchases with this status: pending, paid, declined or expired.
        #[arg(long, value_parser = status)]
        status: Option<PurchaseStatus>,
    },
    /// Grant the credits of a purchase that was paid to the operator. Repeating the command changes
    /// nothing.
    Approve {
        /// The purchase's id.
        id: PurchaseId,
        /// The payment provider. To approve a purchase at Stripe, name Stripe here; first check at
        /// Stripe that it was paid, by the reference that the list shows.
        #[arg(long, default_value = "manual", value_parser = provider)]
        provider: PaymentProvider,
    },
    /// Decline a pending purchase.
    Decline {
        /// The purchase's id.
        id: PurchaseId,
        /// The payment provider.
        #[arg(long, default_value = "manual", value_parser = provider)]
        provider: PaymentProvider,
    },
}

/// A purchase as the operator sees it.
#[derive(Debug, Serialize)]
struct PurchaseRow {
    #[serde(flatten)]
    purchase: types::Purchase,
    /// The provider's reference; at Stripe, the Checkout session.
    provider_reference: Option<String>,
}

impl From<Purchase> for PurchaseRow {
    fn from(purchase: Purchase) -> Self {
        let provider_reference = purchase.provider_reference.clone();
        Self { purchase: shapes::purchase(purchase), provider_reference }
    }
}

fn status(text: &str) -> Result<PurchaseStatus, String> {
    text.parse().map_err(|_| must_be_one_of(PurchaseStatus::ALL))
}

fn provider(text: &str) -> Result<PaymentProvider, String> {
    text.parse().map_err(|_| must_be_one_of(PaymentProvider::ALL))
}

/// The error for a text that is none of these values.
fn must_be_one_of(values: &[impl ToString]) -> String {
    let names: Vec<String> = values.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("must be {} or {last}", rest.join(", ")),
        _ => format!("must be {}", names.concat()),
    }
}

pub(super) async fn run(operator: &Operator, command: Purchases) -> Result<(), CommandError> {
    let base = &operator.base;
    match command {
        Purchases::List { status } => {
            let all = purchases::list_all(&base.store, status, MAX_LISTED).await?;
            operator.print(&all.into_iter().map(PurchaseRow::from).collect::<Vec<_>>());
        }
        Purchases::Approve { id, provider } => {
            check(operator, id, provider).await?;
            operator.print(&PurchaseRow::from(payments::pay(base, id, provider).await?));
        }
        Purchases::Decline { id, provider } => {
            check(operator, id, provider).await?;
            let declined = payments::close_unpaid(base, id, provider, PurchaseStatus::Declined).await?;
            if declined.status == PurchaseStatus::Paid {
                return Err(CommandError::Refused(format!("{id} is paid; its credits are booked")));
            }
            operator.print(&PurchaseRow::from(declined));
        }
    }
    Ok(())
}

/// Checks that the purchase exists and belongs to this provider.
async fn check(operator: &Operator, id: PurchaseId, provider: PaymentProvider) -> Result<(), CommandError> {
    let found = purchases::find_any(&operator.base.store, id).await?;
    let found = found.ok_or_else(|| CommandError::Refused(format!("there is no purchase {id}")))?;
    if found.provider == provider {
        return Ok(());
    }
    let reference = found.provider_reference.as_deref().unwrap_or("none");
    Err(CommandError::Refused(format!(
        "{id} is paid through {0} (its reference there: {reference}). If you decide on it all the same, say so: --provider {0}",
        found.provider
    )))
}
