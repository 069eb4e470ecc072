//! `lectern init`: asks for what differs from one installation to the next, writes `lectern.toml` and invites the first account.

mod answers;
mod file;
mod questions;

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use lectern_service::{
    app,
    clock::Clock,
    config::{Config, Sources},
    services::accounts::invitations::{self, Invitation, InviteError},
};
use lectern_types::Credits;
use secrecy::ExposeSecret as _;

use self::answers::Answers;
use super::{CommandError, output};
use crate::{
    admin::invite::{self, MAX_CREDITS},
    numbers,
};

/// The file that the service reads when none is named.
const USUAL_FILE: &str = "lectern.toml";

/// Credits of the first account, unless others are asked for: about a day of speech.
const USUAL_CREDITS: i64 = 1_000_000;

/// Ask a few questions, write the settings to `lectern.toml` (or the file that --config names) and invite the first account. A
/// setting that the environment has (`LECTERN_HTTP__LISTEN`) is not asked for.
#[derive(Debug, Args)]
pub struct Init {
    /// Ask nothing: take these options, and the defaults of the rest.
    #[arg(long)]
    yes: bool,
    /// The folder of the database, the audio, the master key and, without a mail server, the mails.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<String>,
    /// The address that the service listens on, such as 127.0.0.1:8080.
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// The address that people and clients use, such as `https://speech.example.com`.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// The networks of the reverse proxy in front of the service, with commas between them.
    #[arg(long, value_name = "CIDRS")]
    trusted_proxies: Option<String>,
    /// The database: `postgres://USER:PASSWORD@HOST/DATABASE`, or `sqlite://FILE`.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The mail server: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps://` for TLS from the first byte.
    #[arg(long, value_name = "URL")]
    mail: Option<String>,
    /// The sender of mails, such as "Lectern <no-reply@example.com>".
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// Whether people may register without an invitation.
    #[arg(long, value_name = "true|false")]
    open_registration: Option<bool>,
    /// The e-mail address of the first account. Without it, --yes makes none.
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// The credits that the first account starts with.
    #[arg(long, value_parser = numbers::whole::<i64>(0, MAX_CREDITS.into()))]
    credits: Option<i64>,
}

/// The first account.
struct First {
    email: String,
    credits: Credits,
}

/// Asks, writes the file, opens the store with it and invites the first account. The file comes first: it may hold the master key,
/// without which the store cannot be opened again. If what follows fails, it is taken away.
///
/// # Errors
/// A file that exists or cannot be written, a bad answer among the options, a database that does not answer.
pub(super) async fn run(init: Init, sources: Sources) -> Result<(), CommandError> {
    let path = sources.file.clone().unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let shown = path.display().to_string();
    if path.exists() {
        return Err(CommandError::Refused(format!(
            "{shown} is there already, and is not changed. To begin anew, move it away, or name another file with --config"
        )));
    }
    let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    if !can_ask && !init.yes {
        return Err(CommandError::Usage(
            "init asks questions, which needs a terminal. With --yes it asks nothing and takes its options"
                .to_owned(),
        ));
    }
    let mut answers = Answers::new(sources.environment);
    let first = questions::ask(&init, &mut answers)?;
    let config = answers.check().map_err(|error| CommandError::Usage(error.to_string()))?;
    write(&path, &file::text(&answers)?)
        .map_err(|source| CommandError::Io { what: format!("{shown} could not be written"), source })?;
    match begin(config, first).await {
        Ok(told) => {
            output::line(&format!("The settings are in {shown}, which only you can read."));
            if let Some(told) = told {
                output::line(&told);
            }
            output::line(&next(&path));
            Ok(())
        }
        Err(error) => {
            let _ = fs::remove_file(&path);
            Err(error)
        }
    }
}

/// Opens the store, which makes it where there is none, and invites the first account. Returns what to tell of it.
async fn begin(config: Config, first: Option<First>) -> Result<Option<String>, CommandError> {
    let base = app::open(Arc::new(config), Clock::system()).await?;
    let told = match first {
        None => None,
        Some(First { email, credits }) => {
            let invited = invitations::invite(&base, &email, None, Some(credits)).await;
            let invited = invited.map_err(|error| match error {
                InviteError::Store(error) => CommandError::Store(error),
                refused => CommandError::Refused(refused.to_string()),
            })?;
            Some(welcome(&invited, &invite::link(&base.config.http, &invited.token)))
        }
    };
    base.store.close().await;
    Ok(told)
}

/// Writes a new file that only its owner can read: it may hold passwords.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// How the first account begins.
fn welcome(invited: &Invitation, link: &str) -> String {
    let keys = invited.keys.as_ref().map_or_else(
        || "It has keys of an earlier invitation.".to_owned(),
        |keys| {
            format!(
                "Its keys for the API, which are shown only now:\n\n  live  {}\n  test  {}",
                keys.live.expose_secret(),
                keys.test.expose_secret()
            )
        },
    );
    format!(
        "\nThe first account is {}. Once the service runs, open this link to choose its password; it works once:\n\n  {link}\n\n{keys}",
        invited.email
    )
}

/// What to do next.
fn next(path: &Path) -> String {
    let named =
        if path == Path::new(USUAL_FILE) { String::new() } else { format!(" --config {}", path.display()) };
    format!(
        "\nNext:\n\n  lectern doctor{named}    checks this machine, the voices and the mail server\n  lectern serve{named}     starts the service"
    )
}
