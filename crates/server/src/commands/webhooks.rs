//! `lectern webhooks …`: what developers of receivers use; talks to the API like any client.

mod listen;

use clap::{Args, Subcommand};

use super::CommandError;

/// Tools for those who receive webhooks.
#[derive(Debug, Args)]
pub struct Webhooks {
    #[command(subcommand)]
    command: WebhooksCommand,
}

#[derive(Debug, Subcommand)]
enum WebhooksCommand {
    /// Forwards events to an address of this machine as they happen, signed like webhooks.
    Listen(listen::Listen),
}

/// Runs the command, without settings: it is a client.
pub(super) async fn run(webhooks: Webhooks, environment_key: Option<String>) -> Result<(), CommandError> {
    match webhooks.command {
        WebhooksCommand::Listen(listen) => listen::run(listen, environment_key).await,
    }
}
