//! `lectern admin purchases`.

use clap::Subcommand;
use lectern_store::purchases::{self, Provider, Purchase, PurchaseStatus};
use lectern_types::{self as types, PurchaseId};
use serde::Serialize;

use super::Operator;
use crate::{commands::CommandError, http::shapes, services::payments};

/// The most purchases that are listed.
const MOST: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Purchases {
    /// Lists purchases, newest first, at most 1,000.
    List {
        /// Only those that stand so: pending, paid, declined or expired.
        #[arg(long, value_parser = status)]
        status: Option<PurchaseStatus>,
    },
    /// Books the credits of a purchase that was paid to the operator. Doing so again changes nothing.
    Approve {
        /// The purchase's id.
        id: PurchaseId,
        /// Who was to take the money. A purchase at Stripe is approved only when this says so: look there first that it was
        /// paid, by the reference that the list shows.
        #[arg(long, default_value = "manual", value_parser = provider)]
        provider: Provider,
    },
    /// Refuses a purchase that waits.
    Decline {
        /// The purchase's id.
        id: PurchaseId,
        /// Who was to take the money.
        #[arg(long, default_value = "manual", value_parser = provider)]
        provider: Provider,
    },
}

/// A purchase as the operator sees it.
#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    purchase: types::Purchase,
    /// What the provider calls it: at Stripe, the Checkout session.
    provider_reference: Option<String>,
}

impl From<Purchase> for Listed {
    fn from(purchase: Purchase) -> Self {
        let provider_reference = purchase.provider_reference.clone();
        Self { purchase: shapes::purchase(purchase), provider_reference }
    }
}

fn status(word: &str) -> Result<PurchaseStatus, String> {
    word.parse().map_err(|_| "must be pending, paid, declined or expired".to_owned())
}

fn provider(word: &str) -> Result<Provider, String> {
    word.parse().map_err(|_| "must be manual or stripe".to_owned())
}

pub(super) async fn run(operator: &Operator, command: Purchases) -> Result<(), CommandError> {
    let base = &operator.base;
    match command {
        Purchases::List { status } => {
            let all = purchases::list_all(&base.store, status, MOST).await?;
            operator.print(&all.into_iter().map(Listed::from).collect::<Vec<_>>());
        }
        Purchases::Approve { id, provider } => {
            check(operator, id, provider).await?;
            operator.print(&Listed::from(payments::pay(base, id, provider).await?));
        }
        Purchases::Decline { id, provider } => {
            check(operator, id, provider).await?;
            let declined = payments::give_up(base, id, provider, PurchaseStatus::Declined).await?;
            if declined.status == PurchaseStatus::Paid {
                return Err(CommandError::Refused(format!("{id} is paid; its credits are booked")));
            }
            operator.print(&Listed::from(declined));
        }
    }
    Ok(())
}

/// Whether there is such a purchase, and it is this provider's.
async fn check(operator: &Operator, id: PurchaseId, provider: Provider) -> Result<(), CommandError> {
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
