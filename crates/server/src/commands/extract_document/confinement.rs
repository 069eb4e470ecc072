//! The limits for reading a hostile file. The child sets them itself before it opens the file: the
//! binary is trusted, the file is not. If a limit cannot be set, the process ends without reading
//! anything.

use clap::Args;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, nice, setrlimit};

use crate::commands::CommandError;

/// The limit on open files: standard streams, the document, and what the system opens by itself.
const DESCRIPTORS: u64 = 8;

/// Lower priority than the service, because a request for speech must not wait for a book.
const NICENESS: i32 = 10;

/// Seconds between the soft and the hard limit on processor time. The soft limit sends SIGXCPU,
/// which identifies its cause; the hard limit sends SIGKILL, which anybody could have sent, and
/// stops a process that was made to ignore SIGXCPU.
const HARD_LIMIT_MARGIN_SECONDS: u64 = 5;

/// Resource limits of the process.
#[derive(Debug, Args)]
pub struct Confinement {
    /// The limit on address space, in bytes.
    #[arg(long, value_name = "BYTES")]
    address_space: Option<u64>,

    /// The limit on processor time, in seconds.
    #[arg(long, value_name = "SECONDS")]
    processor_seconds: Option<u64>,

    /// The process that waits for the answer; this one ends with it.
    #[arg(long, value_name = "PID")]
    parent: Option<i32>,
}

impl Confinement {
    /// Sets the limits on this process, permanently.
    ///
    /// # Errors
    /// [`CommandError`] when a limit cannot be set or the parent has ended.
    pub(super) fn enter(&self) -> Result<(), CommandError> {
        if let Some(parent) = self.parent.and_then(Pid::from_raw) {
            end_with(parent)?;
        }
        nice(NICENESS).map_err(refused)?;
        if let Some(bytes) = self.address_space {
            lower(Resource::As, bytes)?;
        }
        if let Some(seconds) = self.processor_seconds {
            lower_to(Resource::Cpu, seconds, seconds.saturating_add(HARD_LIMIT_MARGIN_SECONDS))?;
        }
        // The limit on file size does not apply to the pipe that takes the answer.
        lower(Resource::Fsize, 0)?;
        lower(Resource::Core, 0)?;
        lower(Resource::Nofile, DESCRIPTORS)?;
        // No processes and no threads; this limit does not bind the superuser.
        lower(Resource::Nproc, 0)
    }
}

/// Kills this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn end_with(parent: Pid) -> Result<(), CommandError> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    set_parent_process_death_signal(Some(Signal::KILL)).map_err(refused)?;
    // The parent may have ended before the signal was requested.
    if getppid() == Some(parent) {
        Ok(())
    } else {
        Err(CommandError::Refused("the process that waited for this one is gone".to_owned()))
    }
}

/// Other systems have no such signal: the limits on time end an abandoned child.
#[cfg(not(target_os = "linux"))]
fn end_with(_parent: Pid) -> Result<(), CommandError> {
    Ok(())
}

fn lower(resource: Resource, most: u64) -> Result<(), CommandError> {
    lower_to(resource, most, most)
}

/// Sets the soft limit and the hard limit.
fn lower_to(resource: Resource, current: u64, maximum: u64) -> Result<(), CommandError> {
    let maximum = getrlimit(resource).maximum.map_or(maximum, |held| held.min(maximum));
    let limits = Rlimit { current: Some(current.min(maximum)), maximum: Some(maximum) };
    setrlimit(resource, limits).map_err(refused)
}

fn refused(error: rustix::io::Errno) -> CommandError {
    CommandError::Io { what: "the process cannot be confined".to_owned(), source: error.into() }
}
