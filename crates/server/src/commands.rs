//! The command line: one file a command; those of the operator are in [`crate::admin`].
//!
//! Exit codes: 0 fine, 1 failed, 2 wrong usage (clap's), 78 bad configuration, 130 interrupted.

mod destination;
pub mod doctor;
pub mod extract_document;
pub mod healthcheck;
pub mod migrate;
pub(crate) mod numbers;
pub mod openapi;
pub mod output;
pub mod read;
mod reader;
pub mod serve;
pub mod speak;
pub mod webhooks;
pub mod worker;

use std::{future::Future, path::PathBuf, process::ExitCode, sync::Arc};

use clap::{Parser, Subcommand};

use crate::{
    admin,
    app::StartError,
    config::{Config, ConfigError, LogFormat, Sources},
    telemetry,
};

/// The exit code of bad configuration, `EX_CONFIG` of sysexits.h.
const BAD_CONFIGURATION: u8 = 78;

/// The exit code of wrong usage, which clap uses too.
const WRONG_USAGE: u8 = 2;

/// The exit code of work that Ctrl-C ended, as shells have it.
const INTERRUPTED: u8 = 130;

/// Text to natural speech, self-hosted.
#[derive(Debug, Parser)]
#[command(name = "lectern", version, about)]
pub struct CommandLine {
    /// The configuration file; `lectern.toml` in the current directory is taken when it exists.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs the service: API, signed audio and workers in one process.
    Serve(serve::Serve),
    /// Runs the workers only.
    Worker(worker::Worker),
    /// Turns text into an audio file, without the service.
    Speak(speak::Speak),
    /// Turns a book into an audiobook, without the service.
    Read(read::Read),
    /// Tools for those who receive webhooks.
    Webhooks(webhooks::Webhooks),
    /// Checks what the service needs and says how to mend what is missing.
    Doctor(doctor::Doctor),
    /// Asks the running process of this machine how it is.
    Healthcheck(healthcheck::Healthcheck),
    /// Brings the database's schema up to date.
    Migrate,
    /// Prints the API as an OpenAPI 3.1 document.
    Openapi,
    /// Reads one document in a process of its own; the service calls it.
    #[command(hide = true)]
    ExtractDocument(extract_document::ExtractDocument),
    /// Accounts, credits, consent, voices, jobs and the ledger; works beside a running service.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Admin(admin::Admin),
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A part could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The service failed at it.
    #[error(transparent)]
    Service(#[from] crate::error::Error),
    /// The store failed at it.
    #[error(transparent)]
    Store(#[from] lectern_store::Error),
    /// The command was called in a way that makes no sense; the sentence says why.
    #[error("{0}")]
    Usage(String),
    /// What was asked for cannot be done; the sentence says why.
    #[error("{0}")]
    Refused(String),
    /// What was asked for was done and the answer is no; it was printed already.
    #[error("the check failed")]
    CheckFailed,
    /// A signal ended it; the sentence says what becomes of what was done.
    #[error("{0}")]
    Interrupted(String),
    /// The system failed at it.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: String,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

impl From<ConfigError> for CommandError {
    fn from(error: ConfigError) -> Self {
        Self::Start(error.into())
    }
}

impl CommandError {
    /// A failure of a part that needs no words of ours: its own, and those of its causes.
    pub(crate) fn from_error(error: impl std::error::Error) -> Self {
        Self::Refused(output::chain(&error))
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Start(StartError::Config(_) | StartError::Secrets(_) | StartError::Speech(_)) => {
                ExitCode::from(BAD_CONFIGURATION)
            }
            Self::Usage(_) => ExitCode::from(WRONG_USAGE),
            Self::Interrupted(_) => ExitCode::from(INTERRUPTED),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Runs a command to its end.
pub fn run(line: CommandLine) -> ExitCode {
    let sources = Sources::of_process(line.config);
    let outcome = match line.command {
        Command::Openapi => {
            openapi::run();
            Ok(())
        }
        // Before anything is read: it knows no settings and no secrets.
        Command::ExtractDocument(extract) => return extract_document::run(&extract),
        // Without a runtime around it: it waits for its model threads by blocking.
        Command::Speak(speak) => {
            Config::load(&sources).map_err(CommandError::from).and_then(|config| speak::run(&speak, &config))
        }
        Command::Read(read) => {
            Config::load(&sources).map_err(CommandError::from).and_then(|config| read::run(&read, &config))
        }
        Command::Healthcheck(healthcheck) => Config::load(&sources)
            .map_err(CommandError::from)
            .and_then(|config| healthcheck::run(healthcheck, &config)),
        // Without settings: it is a client of a service that may run elsewhere.
        Command::Webhooks(webhooks) => in_runtime(webhooks::run(webhooks, sources.client_key())),
        Command::Serve(serve) => with_logs(&sources, serve.log_format(), |config| serve::run(config, serve)),
        // Without logs: what they would say of it, its findings say.
        Command::Doctor(doctor) => Config::load(&sources).map_err(CommandError::from).and_then(|config| {
            let config = Arc::new(config);
            in_runtime(async move { doctor::run(&config, doctor).await })
        }),
        Command::Worker(worker) => with_config(&sources, |config| worker::run(config, worker)),
        Command::Migrate => with_config(&sources, migrate::run),
        Command::Admin(admin) => with_config(&sources, |config| admin::run(config, admin)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::CheckFailed) => ExitCode::FAILURE,
        Err(error) => {
            output::complain(&error);
            error.exit_code()
        }
    }
}

/// Reads the settings, starts the logs and a runtime, and runs what `command` makes of them.
fn with_config<F, R>(sources: &Sources, command: F) -> Result<(), CommandError>
where
    F: FnOnce(Arc<Config>) -> R,
    R: Future<Output = Result<(), CommandError>>,
{
    with_logs(sources, LogFormat::Auto, command)
}

/// The same, with a form of the log's lines for who has not chosen one.
fn with_logs<F, R>(sources: &Sources, usual: LogFormat, command: F) -> Result<(), CommandError>
where
    F: FnOnce(Arc<Config>) -> R,
    R: Future<Output = Result<(), CommandError>>,
{
    let config = Arc::new(Config::load(sources)?);
    let mut log = config.log.clone();
    if log.format == LogFormat::Auto {
        log.format = usual;
    }
    telemetry::start_logs(&log);
    in_runtime(command(config))
}

/// Runs a command on a runtime of its own.
fn in_runtime(command: impl Future<Output = Result<(), CommandError>>) -> Result<(), CommandError> {
    // Clients speak TLS; a second process-wide provider cannot be there yet.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime
        .map_err(|source| CommandError::Io { what: "no runtime could be started".to_owned(), source })?;
    runtime.block_on(command)
}
