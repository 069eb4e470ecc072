//! `lectern admin purchases`.

use clap::Subcommand;
use lectern_store::purchases::{self, Provider, PurchaseStatus};
use lectern_types::PurchaseId;

use super::Operator;
use crate::{commands::CommandError, error::Error, http::shapes, services::payments};

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
    /// Books the credits of a purchase that waits for the operator. Doing so again changes nothing.
    Approve {
        /// The purchase's id.
        id: PurchaseId,
    },
    /// Refuses a purchase that waits for the operator.
    Decline {
        /// The purchase's id.
        id: PurchaseId,
    },
}

fn status(word: &str) -> Result<PurchaseStatus, String> {
    word.parse().map_err(|_| "must be pending, paid, declined or expired".to_owned())
}

pub(super) async fn run(operator: &Operator, command: Purchases) -> Result<(), CommandError> {
    let base = &operator.base;
    let unknown = |error| match error {
        Error::Refused(_) => {
            CommandError::Refused("there is no such purchase that the operator decides on".to_owned())
        }
        other => CommandError::Service(other),
    };
    match command {
        Purchases::List { status } => {
            let all = purchases::list_all(&base.store, status, MOST).await?;
            operator.print(&all.into_iter().map(shapes::purchase).collect::<Vec<_>>());
        }
        Purchases::Approve { id } => {
            let paid = payments::pay(base, id, Provider::Manual).await.map_err(unknown)?;
            operator.print(&shapes::purchase(paid));
        }
        Purchases::Decline { id } => {
            let declined = payments::give_up(base, id, Provider::Manual, PurchaseStatus::Declined).await;
            let declined = declined.map_err(unknown)?;
            if declined.status == PurchaseStatus::Paid {
                return Err(CommandError::Refused(format!("{id} is paid; its credits are booked")));
            }
            operator.print(&shapes::purchase(declined));
        }
    }
    Ok(())
}
