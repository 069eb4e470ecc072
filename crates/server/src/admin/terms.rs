//! `lectern admin terms publish`.

use std::path::PathBuf;

use clap::Subcommand;
use lectern_store::consent::{self, PublishOutcome};
use lectern_types::DocumentKind;
use serde_json::json;

use super::Operator;
use crate::error::CommandError;

#[derive(Debug, Subcommand)]
pub(super) enum Terms {
    /// Publish a document and put it in force: every account must accept it from then on.
    #[command(disable_version_flag = true)]
    Publish {
        /// terms or privacy.
        #[arg(long, value_parser = kind)]
        kind: DocumentKind,
        /// The document's version, such as 2026-11-21.
        #[arg(long)]
        version: String,
        /// The file with the document's text.
        #[arg(long)]
        file: PathBuf,
    },
}

fn kind(word: &str) -> Result<DocumentKind, String> {
    word.parse().map_err(|_| "must be terms or privacy".to_owned())
}

pub(super) async fn run(operator: &Operator, command: Terms) -> Result<(), CommandError> {
    let Terms::Publish { kind, version, file } = command;
    let printable = version.chars().all(|c| c.is_ascii_graphic()) && (1..=64).contains(&version.len());
    if !printable {
        return Err(CommandError::Refused("the version must have 1 to 64 printable characters".to_owned()));
    }
    let text = std::fs::read_to_string(&file)
        .map_err(|source| CommandError::Io { what: format!("cannot read {}", file.display()), source })?;
    let now = operator.base.clock.now();
    match consent::publish(&operator.base.store, kind, &version, &text, now).await? {
        PublishOutcome::Published => {}
        PublishOutcome::VersionExists => {
            return Err(CommandError::Refused(format!("version {version} of {kind} exists already")));
        }
    }
    operator.print(&json!({ "kind": kind, "version": version, "published_at": now }));
    Ok(())
}
