//! `lectern webhooks …`: tools for developers of receivers, which use the API like any client.

mod listen;

use clap::{Args, Subcommand};

use super::CommandError;

/// Tools for developers of webhook receivers.
#[derive(Debug, Args)]
pub struct Webhooks {
    #[command(subcommand)]
    command: WebhooksCommand,
}

#[derive(Debug, Subcommand)]
enum WebhooksCommand {
    /// Forward events to an address on this machine as they happen, signed like webhooks.
    Listen(listen::Listen),
}

/// Runs the command, without settings, because it is a client.
pub(super) async fn run(webhooks: Webhooks, environment_key: Option<String>) -> Result<(), CommandError> {
    match webhooks.command {
        WebhooksCommand::Listen(listen) => listen::run(listen, environment_key).await,
    }
}
