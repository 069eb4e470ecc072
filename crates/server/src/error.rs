//! Why a command failed, and its exit code. For commands and the operator's commands alike.

use std::process::ExitCode;

use lectern_service::{base::StartError, config::ConfigError};

use crate::output;

/// The exit code of bad configuration, `EX_CONFIG` of sysexits.h.
const BAD_CONFIGURATION: u8 = 78;

/// The exit code of wrong usage, which clap uses too.
const WRONG_USAGE: u8 = 2;

/// The exit code of work that Ctrl-C ended, as shells have it.
const INTERRUPTED: u8 = 130;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A part could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The service failed at it.
    #[error(transparent)]
    Service(#[from] lectern_service::error::Error),
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
