//! Reads a customer's file in a child process: `lectern extract-document`, without environment
//! variables, in its own process group, under limits on memory and processor time that it sets on
//! itself. A malicious file costs one child process, and the customer gets a reason. This module
//! limits the wall-clock time; exceeding it is not the file's fault, because a reader that uses no
//! processor time waits for a busy machine.

mod answer;

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use lectern_documents::{Extracted, Kind, Reason, Unreadable};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{Child, Command},
    sync::Semaphore,
};

use crate::config::Limits;

/// The exit code when the file is at fault; standard output says why.
pub const UNREADABLE: u8 = 3;

/// The address space of the program itself, in bytes, which is added to the limit for reading.
const PROGRAM_BYTES: u64 = 512 << 20;

/// The longest answer in bytes: text of up to four bytes a character, pauses and cover at their
/// limits, as JSON.
const ANSWER_BYTES: u64 = 128 << 20;

/// The wall-clock limit: a multiple of the processor time limit plus a constant. Readers run at low
/// priority, and there may be several.
const PATIENCE: u32 = 5;
const PATIENCE_MORE: Duration = Duration::from_secs(30);

/// The most bytes kept of a child's standard error.
const COMPLAINT_BYTES: u64 = 16 << 10;

/// Runs the child processes. Clones share the limit on their number.
#[derive(Debug, Clone)]
pub struct Extractor {
    program: PathBuf,
    processor_time: Duration,
    patience: Duration,
    memory_bytes: u64,
    at_once: Arc<Semaphore>,
}

/// A reason why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The file cannot be read; the customer sees the reason.
    #[error("the document cannot be read: {}", .0.reason)]
    Unreadable(Unreadable),
    /// The reader was killed. Another attempt would end the same way.
    #[error("the document's reader was ended: {death} ({detail})")]
    Died {
        death: Death,
        /// The system's or the reader's message, for operators; never text of the document.
        detail: String,
    },
    /// The file does not seem to be at fault; the job is retried.
    #[error("no process could read the document: {what}")]
    Unavailable {
        what: String,
        /// The system's error.
        #[source]
        source: Option<std::io::Error>,
    },
}

/// How a killed reader ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// It took too much processor time.
    Time,
    /// It took too much memory.
    Memory,
    /// It crashed, which no file should cause.
    Crash,
}

impl std::fmt::Display for Death {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Time => "it took too long",
            Self::Memory => "it took too much memory",
            Self::Crash => "it crashed",
        })
    }
}

impl ExtractError {
    /// The final reason for the customer; `None` when the job is retried.
    pub fn verdict(&self) -> Option<Unreadable> {
        let (reason, message) = match self {
            Self::Unavailable { .. } => return None,
            Self::Unreadable(unreadable) => return Some(unreadable.clone()),
            Self::Died { death: Death::Time, .. } => {
                (Reason::TooLarge, "The file takes far longer to read than a document of its size should.")
            }
            Self::Died { death: Death::Memory, .. } => {
                (Reason::TooLarge, "The file takes far more memory to read than a document should.")
            }
            Self::Died { death: Death::Crash, .. } => {
                (Reason::Damaged, "The file is damaged: it cannot be read to its end.")
            }
        };
        Some(Unreadable::new(reason, message))
    }
}

impl Extractor {
    /// Runs this program itself, with the limits of the settings.
    pub fn new(limits: &Limits) -> Self {
        Self::with_program(
            own_program(),
            Duration::from_secs(limits.extraction_seconds),
            limits.extraction_memory_bytes,
        )
    }

    /// Runs `program`, which must be `lectern`, for at most `processor_time` (in whole seconds,
    /// rounded up) and with at most `memory_bytes`.
    pub fn with_program(program: PathBuf, processor_time: Duration, memory_bytes: u64) -> Self {
        // The process has other work as well, and each reader may take all the memory it is
        // allowed.
        let at_once = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        let patience = processor_time.saturating_mul(PATIENCE).saturating_add(PATIENCE_MORE);
        let at_once = Arc::new(Semaphore::new(at_once));
        Self { program, processor_time, patience, memory_bytes, at_once }
    }

    /// Sets the wall-clock limit.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Reads the document at `path`.
    ///
    /// The child is killed when the future is dropped, and when the thread that first polls it
    /// ends. So call this function from a task of the runtime, not from a blocking thread, which
    /// the runtime may end when it is idle.
    ///
    /// # Errors
    /// [`ExtractError`].
    pub async fn run(&self, kind: Kind, path: &Path) -> Result<Extracted, ExtractError> {
        self.run_with(kind, path, None).await
    }

    /// Like [`Extractor::run`] for a PDF, with the text of pages that are pictures: a PDF of it, and their numbers
    /// from 1.
    ///
    /// # Errors
    /// [`ExtractError`].
    pub async fn run_with(
        &self,
        kind: Kind,
        path: &Path,
        recognized: Option<(&Path, &[u32])>,
    ) -> Result<Extracted, ExtractError> {
        let _turn = self.at_once.acquire().await;
        // The child changes into its own directory, so the path must be absolute.
        let path =
            std::path::absolute(path).map_err(|source| unavailable("the file has no place", source))?;
        let mut child = self.start(kind, &path, recognized)?;
        let said = tokio::time::timeout(self.patience, listen(&mut child)).await;
        let Ok(said) = said else {
            // Dropping the child would kill it as well, but not wait for its end.
            let _ = child.kill().await;
            let what = format!("no answer after {} s", self.patience.as_secs_f32());
            return Err(ExtractError::Unavailable { what, source: None });
        };
        answer::understand(&said.map_err(|source| unavailable("its answer could not be read", source))?)
    }

    fn start(
        &self,
        kind: Kind,
        path: &Path,
        recognized: Option<(&Path, &[u32])>,
    ) -> Result<Child, ExtractError> {
        let address_space = self.memory_bytes.saturating_add(PROGRAM_BYTES);
        let begun = u64::from(self.processor_time.subsec_nanos() > 0);
        let processor_seconds = self.processor_time.as_secs().saturating_add(begun).max(1);
        let mut command = Command::new(&self.program);
        command
            .arg("extract-document")
            .args(["--kind", kind.as_str()])
            .args(["--address-space", &address_space.to_string()])
            .args(["--processor-seconds", &processor_seconds.to_string()])
            .args(["--parent", &std::process::id().to_string()]);
        if let Some((text, pages)) = recognized {
            let pages: Vec<String> = pages.iter().map(ToString::to_string).collect();
            command.arg("--recognized").arg(text).args(["--pages", &pages.join(",")]);
        }
        command
            .arg("--")
            .arg(path)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        command.spawn().map_err(|source| unavailable("it could not be started", source))
    }
}

/// A child's output and exit status.
struct Said {
    answer: Vec<u8>,
    /// Whether the output was longer than the limit.
    overlong: bool,
    complaint: Vec<u8>,
    status: std::process::ExitStatus,
}

async fn listen(child: &mut Child) -> std::io::Result<Said> {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (answer, complaint) = tokio::try_join!(some_of(out, ANSWER_BYTES), some_of(err, COMPLAINT_BYTES))?;
    let overlong = answer.len() as u64 > ANSWER_BYTES;
    if overlong {
        child.start_kill()?;
    }
    Ok(Said { answer, overlong, complaint, status: child.wait().await? })
}

/// Reads at most `most` + 1 bytes. A child that writes more finds the pipe closed.
async fn some_of(pipe: Option<impl AsyncRead + Unpin>, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(most + 1).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn unavailable(what: &str, source: std::io::Error) -> ExtractError {
    ExtractError::Unavailable { what: what.to_owned(), source: Some(source) }
}

/// The path of this program. On Linux it is a path in `/proc`, which still names the program after
/// a newer one replaced its file.
pub fn own_program() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lectern"))
}
