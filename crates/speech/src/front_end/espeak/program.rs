//! The program as a child process: one for each language that is asked for, one clause at a time,
//! confined, with a limit in time, and started again when it ends.

use std::{
    collections::HashMap,
    ffi::OsStr,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    time::{Duration, Instant},
};

use rustix::process::{Resource, Rlimit, setrlimit};

const NAME: &str = "espeak-ng";

/// How long a clause may take. It takes under a millisecond; the first of a language some 100 ms.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a child that closed its output may take to end.
const ENDING: Duration = Duration::from_millis(500);

/// The most children at a time; the one that was asked least recently ends first.
const MOST_CHILDREN: usize = 8;

/// Limits of a child: it needs some 20 MB and few files.
const ADDRESS_SPACE: u64 = 512 << 20;
/// It may open the sound system, which takes shared memory of 64 MiB, though it is told to be quiet.
const FILE_BYTES: u64 = 128 << 20;
const PROCESSOR_SECONDS: u64 = 3_600;
const DESCRIPTORS: u64 = 32;

/// Why a text cannot be pronounced with espeak-ng.
#[derive(Debug, thiserror::Error)]
pub enum EspeakError {
    /// It is not there.
    #[error("espeak-ng is not on this machine; install it or set speech.espeak to its path")]
    Missing,
    /// It does not know the language.
    #[error("espeak-ng does not know the language {0:?}")]
    UnknownLanguage(String),
    /// It ended or did not answer.
    #[error("espeak-ng failed: {0}")]
    Failed(String),
}

/// The program on this machine, or that it is not there.
#[derive(Debug)]
pub struct Program {
    path: Option<PathBuf>,
    children: Mutex<HashMap<String, (Instant, Speaker)>>,
}

impl Program {
    /// The program at `path`, or the one on `search` (the value of `PATH`) where none is named.
    pub fn find(path: Option<&Path>, search: Option<&OsStr>) -> Self {
        let on_path = || {
            let folders = std::env::split_paths(search?);
            folders.map(|folder| folder.join(NAME)).find(|program| is_program(program))
        };
        let path = path.map_or_else(on_path, |path| is_program(path).then(|| path.to_owned()));
        Self { path, children: Mutex::default() }
    }

    /// The program at `path`, or the one on this process's `PATH` where none is named.
    #[expect(clippy::disallowed_methods, reason = "PATH says where programs are; it is no setting")]
    pub fn on_this_machine(path: Option<&Path>) -> Self {
        Self::find(path, std::env::var_os("PATH").as_deref())
    }

    /// Where it is, if it is there.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether it is there and knows a language.
    pub fn knows(&self, language: &str) -> bool {
        self.phonemes(language, "a").is_ok()
    }

    /// The phonemes of a clause in IPA: words separated by spaces, with stress marks.
    ///
    /// # Errors
    /// [`EspeakError`]. The child that failed is gone; the next call starts another.
    pub fn phonemes(&self, language: &str, clause: &str) -> Result<String, EspeakError> {
        let path = self.path.as_deref().ok_or(EspeakError::Missing)?;
        if !is_language(language) {
            return Err(EspeakError::UnknownLanguage(language.to_owned()));
        }
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        // A child may have ended since it answered last: one more try.
        if let Some((last, child)) = children.get_mut(language) {
            if let Ok(said) = child.say(clause) {
                *last = Instant::now();
                return Ok(said);
            }
            children.remove(language);
        }
        if children.len() >= MOST_CHILDREN
            && let Some(oldest) =
                children.iter().min_by_key(|(_, (last, _))| *last).map(|(name, _)| name.clone())
        {
            children.remove(&oldest);
        }
        let mut child = Speaker::start(path, language)?;
        let said = child.say(clause)?;
        children.insert(language.to_owned(), (Instant::now(), child));
        Ok(said)
    }
}

fn is_program(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok() && path.is_file()
}

/// Whether a name can be a language of the program, and nothing else: an option, a path.
fn is_language(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && name.len() <= 40
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'_'))
}

/// One child.
#[derive(Debug)]
struct Speaker {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<io::Result<String>>,
    /// A word that is written after each clause, and what is answered to it. Nobody can guess it, so no
    /// text can make one answer end early and shift those of other texts.
    end_mark: String,
    end_answer: String,
}

impl Speaker {
    fn start(path: &Path, language: &str) -> Result<Self, EspeakError> {
        let mut command = Command::new(path);
        command
            .args(["-q", "--ipa", "-b", "1", "-v", language])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[expect(unsafe_code, reason = "limits of a child can only be set between fork and exec")]
        // SAFETY: `confine` calls only the system; it takes no lock and allocates nothing.
        unsafe {
            command.pre_exec(confine)
        };
        let mut process = command.spawn().map_err(|error| failed(&error))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (sender, lines) = channel();
        if let Some(output) = output {
            // It ends with the child's output.
            let read = move || {
                for line in BufReader::new(output).lines() {
                    let is_last = line.is_err();
                    if sender.send(line).is_err() || is_last {
                        break;
                    }
                }
            };
            std::thread::Builder::new()
                .name("espeak".to_owned())
                .spawn(read)
                .map_err(|error| failed(&error))?;
        }
        let mut speaker = Self { process, input, lines, end_mark: unguessable(), end_answer: String::new() };
        let written = speaker.write(&speaker.end_mark.clone());
        let answer = written.and_then(|()| speaker.line(Instant::now() + PATIENCE));
        // A language that it does not know makes it end at once.
        speaker.end_answer = answer.map_err(|error| {
            if speaker.ended_in_failure() { EspeakError::UnknownLanguage(language.to_owned()) } else { error }
        })?;
        Ok(speaker)
    }

    /// Whether it has ended with another code than 0, or is just about to.
    fn ended_in_failure(&mut self) -> bool {
        let until = Instant::now() + ENDING;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return status.code().is_some_and(|code| code != 0),
                Ok(None) if Instant::now() < until => std::thread::sleep(ENDING / 50),
                _ => return false,
            }
        }
    }

    fn say(&mut self, clause: &str) -> Result<String, EspeakError> {
        let clause: String = clause.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.write(&clause)?;
        self.write(&self.end_mark.clone())?;
        let until = Instant::now() + PATIENCE;
        let mut said = String::new();
        loop {
            let line = self.line(until)?;
            if line == self.end_answer {
                return Ok(said);
            }
            if !said.is_empty() {
                said.push(' ');
            }
            said.push_str(without_switches(&line).trim());
        }
    }

    fn write(&mut self, line: &str) -> Result<(), EspeakError> {
        let input = self.input.as_mut().ok_or_else(|| failed(&"it has no input"))?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|error| failed(&error))
    }

    fn line(&self, until: Instant) -> Result<String, EspeakError> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => line.map_err(|error| failed(&error)),
            Err(RecvTimeoutError::Timeout) => Err(failed(&"it did not answer in time")),
            Err(RecvTimeoutError::Disconnected) => Err(failed(&"it ended")),
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A word of twelve consonants.
fn unguessable() -> String {
    const LETTERS: &[u8; 16] = b"bcdfghjklmnpqrst";
    let random = RandomState::new().build_hasher().finish();
    (0..12).map(|at| char::from(LETTERS[(random >> (4 * at)) as usize % LETTERS.len()])).collect()
}

/// Without `(en)` and the like, which say that a word was read in another language.
fn without_switches(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('(') {
        plain.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    plain + rest
}

/// Limits what the child can use, between fork and exec.
fn confine() -> io::Result<()> {
    let limit = |resource, most| {
        Ok::<(), io::Error>(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
    };
    limit(Resource::As, ADDRESS_SPACE)?;
    limit(Resource::Cpu, PROCESSOR_SECONDS)?;
    limit(Resource::Fsize, FILE_BYTES)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Nofile, DESCRIPTORS)?;
    #[cfg(target_os = "linux")]
    rustix::thread::set_no_new_privs(true)?;
    Ok(())
}

fn failed(error: &dyn std::fmt::Display) -> EspeakError {
    EspeakError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A program that answers as espeak-ng does: a line for each line, its words in capitals.
    fn answering(script: &str) -> (Program, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        std::fs::write(&path, format!("#!/bin/bash\n{script}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        (Program::find(None, Some(folder.path().as_os_str())), folder)
    }

    const SHOUTS: &str = "while read -r line; do echo \"${line^^}\"; done";

    #[test]
    fn it_is_found_on_the_path_or_where_it_is_said_to_be_or_is_missing() {
        let (program, folder) = answering(SHOUTS);
        assert!(program.path().is_some());
        assert!(Program::find(Some(&folder.path().join(NAME)), None).path().is_some());
        assert!(
            Program::find(Some(&folder.path().join("other")), Some(folder.path().as_os_str()))
                .path()
                .is_none()
        );
        let missing = Program::find(None, Some(OsStr::new("/nowhere")));
        assert!(matches!(missing.phonemes("de", "ja"), Err(EspeakError::Missing)));
    }

    #[test]
    fn clauses_are_answered_one_by_one_by_one_child() {
        let (program, _folder) = answering(SHOUTS);
        assert_eq!(program.phonemes("de", "guten tag").unwrap(), "GUTEN TAG");
        assert_eq!(program.phonemes("de", "zwei\nzeilen").unwrap(), "ZWEI ZEILEN");
        assert_eq!(program.children.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_child_that_ended_is_replaced_and_one_that_always_ends_is_an_error() {
        let (program, _folder) = answering("for i in 1 2 3; do read -r line; echo \"${line^^}\"; done");
        // Its first line is the mark; a clause and the mark after it use up the rest.
        for _ in 0..3 {
            assert_eq!(program.phonemes("de", "ja").unwrap(), "JA");
        }
        let (program, _folder) = answering("exit 1");
        assert!(matches!(program.phonemes("xx", "ja"), Err(EspeakError::UnknownLanguage(_))));
    }

    #[test]
    fn it_says_which_languages_it_knows() {
        let (program, _folder) = answering(&format!("[[ $6 == cy ]] || exit 1\n{SHOUTS}"));
        assert!(program.knows("cy") && !program.knows("eu") && !program.knows("-w/tmp/x"));
        assert!(!Program::find(None, None).knows("cy"));
    }

    #[test]
    fn a_name_that_is_no_language_never_reaches_the_command_line() {
        let (program, _folder) = answering(SHOUTS);
        for name in ["", "-w/tmp/x", "../de", "de us", "9"] {
            assert!(matches!(program.phonemes(name, "ja"), Err(EspeakError::UnknownLanguage(_))), "{name}");
        }
    }

    #[test]
    fn notes_on_the_language_are_left_out() {
        assert_eq!(without_switches("das (en)kəmpjˈuːtə(de) ist"), "das kəmpjˈuːtə ist");
        assert_eq!(without_switches("offen (en"), "offen ");
    }
}
