//! The operator's commands, one file each. They use the store directly and can run while the
//! service runs.

mod accounts;
mod consent;
mod credits;
pub(crate) mod invite;
mod invoices;
mod jobs;
mod ledger;
mod purchases;
mod storage;
mod terms;
mod voices;

use std::sync::Arc;

use clap::{Args, Subcommand};
use lectern_store::accounts::{self as stored, Account};

use crate::error::CommandError;
use lectern_service::{app, base::Base, clock::Clock, config::Config};

/// Operator commands; they can run while the service runs.
#[derive(Debug, Args)]
pub struct Admin {
    /// Prints the result as one line of JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, Subcommand)]
enum Subject {
    /// Manage invitations.
    #[command(subcommand)]
    Invite(invite::Invite),
    /// Grant credits and set the low-credit threshold.
    #[command(subcommand)]
    Credits(credits::Credits),
    /// Publish terms of use and privacy policy.
    #[command(subcommand)]
    Terms(terms::Terms),
    /// Accept the published documents for an account.
    #[command(subcommand)]
    Consent(consent::Consent),
    /// Show and change accounts.
    #[command(subcommand)]
    Account(accounts::Accounts),
    /// Verify the ledger.
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// List, approve and decline purchases of credits.
    #[command(subcommand)]
    Purchases(purchases::Purchases),
    /// List and export the invoices of paid purchases.
    #[command(subcommand)]
    Invoices(invoices::Invoices),
    /// List and retry background jobs.
    #[command(subcommand)]
    Jobs(jobs::Jobs),
    /// Copy stored objects to another storage.
    #[command(subcommand)]
    Storage(storage::Storage),
    /// Manage e-readers and their samples.
    #[command(subcommand)]
    Voices(voices::Voices),
}

/// The context of every operator command.
struct Operator {
    base: Base,
    json: bool,
}

pub(crate) async fn run(config: Arc<Config>, admin: Admin) -> Result<(), CommandError> {
    let base = app::open(config, Clock::system()).await?;
    let operator = Operator { base, json: admin.json };
    let outcome = match admin.subject {
        Subject::Invite(command) => invite::run(&operator, command).await,
        Subject::Credits(command) => credits::run(&operator, command).await,
        Subject::Terms(command) => terms::run(&operator, command).await,
        Subject::Consent(command) => consent::run(&operator, command).await,
        Subject::Account(command) => accounts::run(&operator, command).await,
        Subject::Ledger(command) => ledger::run(&operator, command).await,
        Subject::Purchases(command) => purchases::run(&operator, command).await,
        Subject::Invoices(command) => invoices::run(&operator, command).await,
        Subject::Jobs(command) => jobs::run(&operator, command).await,
        Subject::Storage(command) => storage::run(&operator, command).await,
        Subject::Voices(command) => voices::run(&operator, command).await,
    };
    operator.base.store.close().await;
    outcome
}

impl Operator {
    fn print(&self, result: &impl serde::Serialize) {
        crate::output::result(result, self.json);
    }

    /// The account with this id or e-mail address.
    async fn account(&self, id_or_email: &str) -> Result<Account, CommandError> {
        let found = match id_or_email.parse() {
            Ok(id) => stored::find(&self.base.store, id).await?,
            Err(_) => stored::find_by_email(&self.base.store, id_or_email.trim()).await?,
        };
        found.ok_or_else(|| CommandError::Refused(format!("there is no account {id_or_email}")))
    }
}

/// The account to act on.
#[derive(Debug, Args)]
struct AccountArgument {
    /// The account's id or e-mail address.
    #[arg(long, value_name = "ID_OR_EMAIL")]
    account: String,
}
