//! Programs of this machine that read files of customers: without environment variables, at low priority, under limits
//! that are set before they start. A malicious file costs one child process.

use std::{
    ffi::OsStr,
    io,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::process::{Resource, Rlimit, nice, setrlimit};

/// Lower priority than the service, because a request for speech must not wait for a scan.
const NICENESS: i32 = 10;

/// Files that a program may have open.
const DESCRIPTORS: u64 = 256;

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

fn confine(limits: Limits) -> io::Result<()> {
    let limit = |resource, most| {
        Ok::<(), io::Error>(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
    };
    nice(NICENESS)?;
    limit(Resource::As, limits.address_space)?;
    limit(Resource::Cpu, limits.processor_seconds)?;
    limit(Resource::Fsize, limits.file_bytes)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Nofile, DESCRIPTORS)?;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
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
