//! The limits under which a hostile file is read, set by the child itself before it opens the file: the binary is
//! trusted, what it reads is not. A limit that cannot be set ends the process; nothing is read without.

use clap::Args;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, nice, setrlimit};

use crate::commands::CommandError;

/// Files that may be open at once: standard streams, the document, and what the system opens by itself.
const DESCRIPTORS: u64 = 8;

/// How much this makes way for others: whoever waits for speech is not to wait for a book.
const NICENESS: i32 = 10;

/// Seconds between the two limits on processor time. The first ends the process with a signal that says so; the second,
/// with one that could come from anybody, is for a reader that has been made deaf to the first.
const DEAF_SECONDS: u64 = 5;

/// What the process may use up.
#[derive(Debug, Args)]
pub struct Confinement {
    /// Most address space, in bytes.
    #[arg(long, value_name = "BYTES")]
    address_space: Option<u64>,

    /// Most processor time, in seconds.
    #[arg(long, value_name = "SECONDS")]
    processor_seconds: Option<u64>,

    /// The process that waits for the answer: this one ends with it.
    #[arg(long, value_name = "PID")]
    parent: Option<i32>,
}

impl Confinement {
    /// Sets the limits on this process, for good.
    ///
    /// # Errors
    /// [`CommandError`] when one cannot be set or the parent is gone.
    pub(super) fn enter(&self) -> Result<(), CommandError> {
        if let Some(parent) = self.parent.and_then(Pid::from_raw) {
            end_with(parent)?;
        }
        nice(NICENESS).map_err(refused)?;
        if let Some(bytes) = self.address_space {
            lower(Resource::As, bytes)?;
        }
        if let Some(seconds) = self.processor_seconds {
            lower_to(Resource::Cpu, seconds, seconds.saturating_add(DEAF_SECONDS))?;
        }
        // The answer goes into a pipe, which this does not count.
        lower(Resource::Fsize, 0)?;
        lower(Resource::Core, 0)?;
        lower(Resource::Nofile, DESCRIPTORS)?;
        // No processes and no threads; the superuser is not held by it.
        lower(Resource::Nproc, 0)
    }
}

/// Kills this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn end_with(parent: Pid) -> Result<(), CommandError> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    set_parent_process_death_signal(Some(Signal::KILL)).map_err(refused)?;
    // It may have ended before the signal was asked for.
    if getppid() == Some(parent) {
        Ok(())
    } else {
        Err(CommandError::Refused("the process that waited for this one is gone".to_owned()))
    }
}

/// Other systems have no such signal: the limits on time end a child that nobody waits for.
#[cfg(not(target_os = "linux"))]
fn end_with(_parent: Pid) -> Result<(), CommandError> {
    Ok(())
}

fn lower(resource: Resource, most: u64) -> Result<(), CommandError> {
    lower_to(resource, most, most)
}

/// Sets the limit that holds, and the one to which that could be raised again.
fn lower_to(resource: Resource, current: u64, maximum: u64) -> Result<(), CommandError> {
    let maximum = getrlimit(resource).maximum.map_or(maximum, |held| held.min(maximum));
    let limits = Rlimit { current: Some(current.min(maximum)), maximum: Some(maximum) };
    setrlimit(resource, limits).map_err(refused)
}

fn refused(error: rustix::io::Errno) -> CommandError {
    CommandError::Io { what: "the process cannot be confined".to_owned(), source: error.into() }
}
