//! Programs of this machine that read files of customers: without environment variables, at low priority, under limits
//! that are set before they start. A malicious file costs one child process.

use std::{
    ffi::OsStr,
    io,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Lower priority than the service, because a request for speech must not wait for a scan.
const NICENESS: i32 = 10;

/// Files that a program may have open.
const DESCRIPTORS: u64 = 256;

/// Seconds between the soft limit on processor time, whose signal says what it was, and the hard one, which kills.
const HARD_LIMIT_MARGIN_SECONDS: u64 = 5;

/// The most bytes that are kept of what a program prints; the rest is read and dropped.
const OUTPUT_BYTES: u64 = 64 << 10;

/// What a program may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Address space, in bytes.
    pub address_space: u64,
    pub processor_seconds: u64,
    /// The largest file that it may write, in bytes.
    pub file_bytes: u64,
}

/// A program that is killed when the handle of its process is dropped.
pub(crate) fn command(program: &Path, limits: Limits) -> tokio::process::Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        // Threads would wait for each other on a busy machine; pages are read side by side instead.
        .env("OMP_THREAD_LIMIT", "1")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    #[expect(unsafe_code, reason = "limits of a child can only be set between fork and exec")]
    // SAFETY: `confine` calls only the system; it takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(move || confine(limits))
    };
    let mut command = tokio::process::Command::from(command);
    command.kill_on_drop(true);
    command
}

/// What a program that ended has printed.
#[derive(Debug)]
pub(crate) struct Output {
    pub status: ExitStatus,
    pub printed: Vec<u8>,
    pub complaint: Vec<u8>,
}

/// Runs a program to its end. Of a program that prints without end only the beginning is kept.
///
/// # Errors
/// When it cannot be started or waited for.
pub(crate) async fn output(command: &mut tokio::process::Command) -> io::Result<Output> {
    let mut child = command.spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (status, printed, complaint) = tokio::try_join!(child.wait(), beginning(out), beginning(err))?;
    Ok(Output { status, printed, complaint })
}

async fn beginning(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let Some(mut pipe) = pipe else { return Ok(bytes) };
    (&mut pipe).take(OUTPUT_BYTES).read_to_end(&mut bytes).await?;
    tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
    Ok(bytes)
}

/// Sets the limits, none above what this process has itself.
fn confine(limits: Limits) -> io::Result<()> {
    let limit = |resource, current: u64, maximum: u64| {
        let maximum = getrlimit(resource).maximum.map_or(maximum, |held| held.min(maximum));
        let limits = Rlimit { current: Some(current.min(maximum)), maximum: Some(maximum) };
        Ok::<(), io::Error>(setrlimit(resource, limits)?)
    };
    let seconds = limits.processor_seconds;
    nice(NICENESS)?;
    limit(Resource::As, limits.address_space, limits.address_space)?;
    limit(Resource::Cpu, seconds, seconds.saturating_add(HARD_LIMIT_MARGIN_SECONDS))?;
    limit(Resource::Fsize, limits.file_bytes, limits.file_bytes)?;
    limit(Resource::Core, 0, 0)?;
    limit(Resource::Nofile, DESCRIPTORS, DESCRIPTORS)?;
    #[cfg(target_os = "linux")]
    {
        rustix::thread::set_no_new_privs(true)?;
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    }
    Ok(())
}

/// The program of this name in `folder`, or the one on this process's `PATH` where none is named.
#[expect(clippy::disallowed_methods, reason = "PATH says where programs are; it is no setting")]
pub(crate) fn find(name: &str, folder: Option<&Path>) -> Option<PathBuf> {
    if let Some(folder) = folder {
        return Some(folder.join(name)).filter(|path| is_program(path));
    }
    on_path(name, std::env::var_os("PATH").as_deref()?)
}

fn on_path(name: &str, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// Whether a file is there that this process may execute.
pub(crate) fn is_program(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok() && path.is_file()
}
