//! The operator's commands: one file each. They work on the store directly, beside a running service.

mod accounts;
mod consent;
mod credits;
mod invite;
mod jobs;
mod ledger;
mod purchases;
mod storage;
mod terms;
mod voices;

use std::sync::Arc;

use clap::{Args, Subcommand};
use lectern_store::accounts::{self as stored, Account};

use crate::{app::Base, clock::Clock, commands::CommandError, config::Config};

/// The operator's commands.
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
    /// Invitations.
    #[command(subcommand)]
    Invite(invite::Invite),
    /// Credits.
    #[command(subcommand)]
    Credits(credits::Credits),
    /// Terms of use and privacy policy.
    #[command(subcommand)]
    Terms(terms::Terms),
    /// Consent.
    #[command(subcommand)]
    Consent(consent::Consent),
    /// Accounts.
    #[command(subcommand)]
    Account(accounts::Accounts),
    /// The ledger.
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// Purchases of credits.
    #[command(subcommand)]
    Purchases(purchases::Purchases),
    /// The work that no request waits for.
    #[command(subcommand)]
    Jobs(jobs::Jobs),
    /// The storage of audio.
    #[command(subcommand)]
    Storage(storage::Storage),
    /// E-readers and their samples.
    #[command(subcommand)]
    Voices(voices::Voices),
}

/// What every command of the operator works with.
struct Operator {
    base: Base,
    json: bool,
}

/// Runs one of them.
pub(crate) async fn run(config: Arc<Config>, admin: Admin) -> Result<(), CommandError> {
    let base = Base::open(config, Clock::system()).await?;
    let operator = Operator { base, json: admin.json };
    let outcome = match admin.subject {
        Subject::Invite(command) => invite::run(&operator, command).await,
        Subject::Credits(command) => credits::run(&operator, command).await,
        Subject::Terms(command) => terms::run(&operator, command).await,
        Subject::Consent(command) => consent::run(&operator, command).await,
        Subject::Account(command) => accounts::run(&operator, command).await,
        Subject::Ledger(command) => ledger::run(&operator, command).await,
        Subject::Purchases(command) => purchases::run(&operator, command).await,
        Subject::Jobs(command) => jobs::run(&operator, command).await,
        Subject::Storage(command) => storage::run(&operator, command).await,
        Subject::Voices(command) => voices::run(&operator, command).await,
    };
    operator.base.store.close().await;
    outcome
}

impl Operator {
    fn print(&self, result: &impl serde::Serialize) {
        crate::commands::output::result(result, self.json);
    }

    /// The account that an id or an address names.
    async fn account(&self, id_or_email: &str) -> Result<Account, CommandError> {
        let found = match id_or_email.parse() {
            Ok(id) => stored::find(&self.base.store, id).await?,
            Err(_) => stored::find_by_email(&self.base.store, id_or_email.trim()).await?,
        };
        found.ok_or_else(|| CommandError::Refused(format!("there is no account {id_or_email}")))
    }
}

/// Which account.
#[derive(Debug, Args)]
struct AccountArgument {
    /// The account's id or e-mail address.
    #[arg(long, value_name = "ID_OR_EMAIL")]
    account: String,
}
