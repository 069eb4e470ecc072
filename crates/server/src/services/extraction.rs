//! Reading a customer's file in a process of its own: `lectern extract-document`, without environment, in a process
//! group of its own, under limits on memory and processor time that it sets on itself. A file that makes its reader run
//! wild costs one child process and ends as a reason that the customer can read. The clock on the wall is watched from
//! here, and says nothing of the file: a reader that is slow without working waits for a busy machine.
//!
//! What is done with the text is [`crate::services::materials`]'s.

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

/// The exit code that says: the file is at fault, and standard output says how.
pub const UNREADABLE: u8 = 3;

/// Address space that the program itself takes beside what reading needs, bytes.
const PROGRAM_BYTES: u64 = 512 << 20;

/// Longest answer, bytes: text, whose characters take up to four bytes, rests and cover near their limits, written as JSON.
const ANSWER_BYTES: u64 = 128 << 20;

/// How long an answer is waited for: so many times the processor time that the reader may take, and so much more. A
/// reader makes way for all other work, and there may be several.
const PATIENCE: u32 = 5;
const PATIENCE_MORE: Duration = Duration::from_secs(30);

/// Most that is kept of what a child says on standard error, bytes.
const COMPLAINT_BYTES: u64 = 16 << 10;

/// Runs the processes that read files. Clones share the limit on how many there are.
#[derive(Debug, Clone)]
pub struct Extractor {
    program: PathBuf,
    processor_time: Duration,
    patience: Duration,
    memory_bytes: u64,
    at_once: Arc<Semaphore>,
}

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The file says so itself; to be told to the customer.
    #[error("the document cannot be read: {}", .0.reason)]
    Unreadable(Unreadable),
    /// Its reader ran wild. Another attempt would, too.
    #[error("the document's reader was ended: {death} ({detail})")]
    Died {
        /// How it ended.
        death: Death,
        /// What the system or the reader said, for operators; no words of the document.
        detail: String,
    },
    /// The file is not at fault, as far as anybody knows: to be tried again.
    #[error("no process could read the document: {what}")]
    Unavailable {
        /// What went wrong.
        what: String,
        /// The system's answer.
        #[source]
        source: Option<std::io::Error>,
    },
}

/// How a reader that ran wild ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// It took too much processor time.
    Time,
    /// It took too much memory.
    Memory,
    /// It failed in a way that no file should make it fail.
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
    /// What to tell the customer, for good; `None` when it is to be tried again.
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
    /// Runs this very program, under the limits of the settings.
    pub fn new(limits: &Limits) -> Self {
        Self::with_program(
            own_program(),
            Duration::from_secs(limits.extraction_seconds),
            limits.extraction_memory_bytes,
        )
    }

    /// Runs `program`, which must be `lectern`, for at most `processor_time` (in whole seconds, rounded up) and with at
    /// most `memory_bytes`.
    pub fn with_program(program: PathBuf, processor_time: Duration, memory_bytes: u64) -> Self {
        // Beside these the process has other work, and each may take the memory that is allowed.
        let at_once = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        let patience = processor_time.saturating_mul(PATIENCE).saturating_add(PATIENCE_MORE);
        let at_once = Arc::new(Semaphore::new(at_once));
        Self { program, processor_time, patience, memory_bytes, at_once }
    }

    /// Waits no longer than `patience` for an answer.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Reads the document at `path`.
    ///
    /// The child ends when the future is dropped, and with the thread that polls this first: call it from a task of
    /// the runtime, not from a thread for blocking work, which the runtime ends when it is idle.
    ///
    /// # Errors
    /// [`ExtractError`].
    pub async fn run(&self, kind: Kind, path: &Path) -> Result<Extracted, ExtractError> {
        let _turn = self.at_once.acquire().await;
        // It works in a directory of its own.
        let path =
            std::path::absolute(path).map_err(|source| unavailable("the file has no place", source))?;
        let mut child = self.start(kind, &path)?;
        let said = tokio::time::timeout(self.patience, listen(&mut child)).await;
        let Ok(said) = said else {
            // Dropping it would kill it as well, but would not wait for its end.
            let _ = child.kill().await;
            let what = format!("no answer after {} s", self.patience.as_secs_f32());
            return Err(ExtractError::Unavailable { what, source: None });
        };
        answer::understand(&said.map_err(|source| unavailable("its answer could not be read", source))?)
    }

    fn start(&self, kind: Kind, path: &Path) -> Result<Child, ExtractError> {
        let address_space = self.memory_bytes.saturating_add(PROGRAM_BYTES);
        let begun = u64::from(self.processor_time.subsec_nanos() > 0);
        let processor_seconds = self.processor_time.as_secs().saturating_add(begun).max(1);
        let mut command = Command::new(&self.program);
        command
            .arg("extract-document")
            .args(["--kind", kind.as_str()])
            .args(["--address-space", &address_space.to_string()])
            .args(["--processor-seconds", &processor_seconds.to_string()])
            .args(["--parent", &std::process::id().to_string()])
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

/// What a child said, and how it ended.
struct Said {
    answer: Vec<u8>,
    /// Whether there was more of it than is read.
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

/// The first `most` bytes and one more, if there are so many. The writer of more than that finds nobody reading.
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

/// This program. On Linux by the name under which the system holds it, which is still it when the file was replaced
/// by a newer one meanwhile.
pub(crate) fn own_program() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lectern"))
}
