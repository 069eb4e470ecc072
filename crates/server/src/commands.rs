//! The command line, one file for each command; the operator's commands are in [`crate::admin`].
//!
//! Exit codes: 0 success, 1 failure, 2 wrong usage (clap's), 78 bad configuration, 130 interrupted.

mod cast;
mod completions;
mod destination;
pub mod doctor;
pub mod extract_document;
pub mod healthcheck;
pub mod init;
mod lexicon_files;
pub mod mcp;
pub mod migrate;
pub mod openapi;
pub mod read;
mod reader;
pub mod serve;
pub mod speak;
pub mod voices;
pub mod webhooks;
pub mod worker;

use std::{future::Future, path::PathBuf, process::ExitCode, sync::Arc};

use clap::{Parser, Subcommand};

pub use crate::error::CommandError;
use crate::{admin, numbers, output};
use lectern_service::config::{Config, LogFormat, Sources};
use lectern_service::telemetry;

/// Text to natural speech, self-hosted.
#[derive(Debug, Parser)]
#[command(name = "lectern", version)]
pub struct CommandLine {
    /// The configuration file; by default `lectern.toml` in the current directory, if it exists.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

/// The command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a few questions, write the settings and invite the first account.
    Init(init::Init),
    /// Run the service: API, signed audio URLs and workers in one process.
    Serve(serve::Serve),
    /// Run only the workers.
    Worker(worker::Worker),
    /// Turn text into an audio file, without the service.
    Speak(speak::Speak),
    /// Turn a book into an audiobook, without the service.
    Read(Box<read::Read>),
    /// Lists, fetches and removes the voices that speak without another server.
    Voices(voices::Voices),
    /// Tools for those who receive webhooks.
    Webhooks(webhooks::Webhooks),
    /// Speak and make audiobooks for an assistant, by the Model Context Protocol.
    Mcp(mcp::Mcp),
    /// Check what the service needs and say how to fix what is missing.
    Doctor(doctor::Doctor),
    /// Ask the process on this machine whether it is healthy.
    Healthcheck(healthcheck::Healthcheck),
    /// Bring the database's schema up to date.
    Migrate,
    /// Print the API as an OpenAPI 3.1 document.
    Openapi,
    /// Print a script that completes commands and options in a shell.
    Completions(completions::Completions),
    /// Write the manual pages.
    Man(completions::Man),
    /// Extract one document in a separate process; the service runs it.
    #[command(hide = true)]
    ExtractDocument(extract_document::ExtractDocument),
    /// Accounts, credits, consent, voices, jobs and the ledger; works while the service runs.
    #[command(subcommand_required = true, arg_required_else_help = true)]
    Admin(admin::Admin),
}

/// Runs a command to its end.
pub fn run(line: CommandLine) -> ExitCode {
    let sources = Sources::of_process(line.config);
    let outcome = match line.command {
        Command::Openapi => {
            openapi::run();
            Ok(())
        }
        Command::Completions(completions) => {
            completions::complete(completions);
            Ok(())
        }
        Command::Man(man) => completions::man(&man),
        // Runs before any setting is read, so that the child knows no settings and no secrets.
        Command::ExtractDocument(extract) => return extract_document::run(&extract),
        // Runs without a runtime: it blocks on its model threads.
        Command::Speak(speak) => {
            Config::load(&sources).map_err(CommandError::from).and_then(|config| speak::run(&speak, &config))
        }
        Command::Read(read) => {
            Config::load(&sources).map_err(CommandError::from).and_then(|config| read::run(&read, &config))
        }
        Command::Voices(voices) => Config::load(&sources)
            .map_err(CommandError::from)
            .and_then(|config| voices::run(&voices, &config)),
        Command::Healthcheck(healthcheck) => Config::load(&sources)
            .map_err(CommandError::from)
            .and_then(|config| healthcheck::run(healthcheck, &config)),
        // Needs no settings: it is a client of a service that may run elsewhere.
        Command::Webhooks(webhooks) => in_runtime(webhooks::run(webhooks, sources.client_key())),
        Command::Mcp(mcp) => in_runtime(mcp::run(mcp, sources.client_key())),
        // Runs before there are settings, and without logs: it talks to a person.
        Command::Init(init) => in_runtime(init::run(init, sources)),
        Command::Serve(serve) => with_logs(&sources, serve.log_format(), |config| serve::run(config, serve)),
        // Runs without logs: its findings say the same.
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

/// Reads the settings, starts logging and a runtime, and runs the future that `command` returns.
fn with_config<F, R>(sources: &Sources, command: F) -> Result<(), CommandError>
where
    F: FnOnce(Arc<Config>) -> R,
    R: Future<Output = Result<(), CommandError>>,
{
    with_logs(sources, LogFormat::Auto, command)
}

/// Like [`with_config`], with the log format to use when none is configured.
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

fn in_runtime(command: impl Future<Output = Result<(), CommandError>>) -> Result<(), CommandError> {
    // The process needs one TLS provider; none is installed before this.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime
        .map_err(|source| CommandError::Io { what: "no runtime could be started".to_owned(), source })?;
    runtime.block_on(command)
}
