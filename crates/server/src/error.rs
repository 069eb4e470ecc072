//! Failures of commands, and their exit codes. Operator commands use them, too.

use std::process::ExitCode;

use lectern_service::{base::StartError, config::ConfigError};

use crate::output;

/// The exit code of bad configuration, `EX_CONFIG` of sysexits.h.
const BAD_CONFIGURATION: u8 = 78;

/// The exit code of wrong usage, which clap uses too.
const WRONG_USAGE: u8 = 2;

/// The exit code after Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

/// A reason why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A part could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A service failed during the command.
    #[error(transparent)]
    Service(#[from] lectern_service::error::Error),
    /// The store failed during the command.
    #[error(transparent)]
    Store(#[from] lectern_store::Error),
    /// The command line makes no sense; the message says why.
    #[error("{0}")]
    Usage(String),
    /// The request cannot be carried out; the message says why.
    #[error("{0}")]
    Refused(String),
    /// The command ran and its check failed. It has already printed the result.
    #[error("the check failed")]
    CheckFailed,
    /// A signal ended the command; the message says what happens to the finished part.
    #[error("{0}")]
    Interrupted(String),
    /// The operating system refused an operation.
    #[error("{what}")]
    Io {
        /// The operation that failed.
        what: String,
        /// The operating system's error.
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
    /// A failure whose own message, with those of its causes, says enough.
    pub(crate) fn from_error(error: impl std::error::Error) -> Self {
        Self::Refused(output::chain(&error))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
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
