//! The answer and the exit status of the process that read a file. A malicious file may control
//! that process, so its answer is checked like any untrusted input.

use std::os::unix::process::ExitStatusExt as _;

use lectern_documents::{CHUNK_CHARACTERS, Extracted};
use lectern_speech::markup;
use rustix::process::Signal;

use super::{Death, ExtractError, Said, UNREADABLE};

/// The start of the message that Rust's runtime prints when the system has no more memory.
const NO_MEMORY: &str = "memory allocation of";

/// The text and its chunks, or the reason why there are none.
pub(super) fn understand(said: &Said) -> Result<Extracted, ExtractError> {
    let detail = detail(said);
    let died = |death| Err(ExtractError::Died { death, detail: detail.clone() });
    if said.overlong {
        return died(Death::Memory);
    }
    match (said.status.code(), said.status.signal()) {
        (Some(0), _) => match serde_json::from_slice::<Extracted>(&said.answer) {
            Ok(extracted) if is_consistent(&extracted) => Ok(extracted),
            _ => died(Death::Crash),
        },
        (Some(code), _) if code == i32::from(UNREADABLE) => match serde_json::from_slice(&said.answer) {
            Ok(unreadable) => Err(ExtractError::Unreadable(unreadable)),
            Err(_) => died(Death::Crash),
        },
        // The process could not open the file or confine itself.
        (Some(1), _) => Err(ExtractError::Unavailable { what: detail, source: None }),
        (_, Some(signal)) if signal == Signal::XCPU.as_raw() => died(Death::Time),
        // The process was killed from outside: by an operator, or by a system that ran out of
        // memory for whatever reason.
        (_, Some(signal))
            if [Signal::KILL, Signal::TERM, Signal::INT].map(Signal::as_raw).contains(&signal) =>
        {
            Err(ExtractError::Unavailable { what: detail, source: None })
        }
        _ if detail.contains(NO_MEMORY) => died(Death::Memory),
        _ => died(Death::Crash),
    }
}

/// How the process ended, and the last line of its standard error.
fn detail(said: &Said) -> String {
    let complaint = String::from_utf8_lossy(&said.complaint);
    let mut lines = complaint.lines().map(str::trim).filter(|line| !line.is_empty());
    // The runtime prints the reason before its hint about backtraces.
    let line = lines.clone().find(|line| line.contains(NO_MEMORY)).or_else(|| lines.next_back());
    let line = line.unwrap_or("it said nothing");
    format!("{}: {line}", said.status)
}

/// Whether the chunks make up the whole text in order, and all offsets are inside it.
fn is_consistent(extracted: &Extracted) -> bool {
    let text = &extracted.text;
    let mut end = 0;
    let chunks = extracted.chunks.iter().all(|chunk| {
        let follows = chunk.range.start == end;
        end = chunk.range.end;
        let Some(part) = text.get(chunk.range.clone()) else { return false };
        let characters = part.chars().count();
        follows
            && characters <= CHUNK_CHARACTERS
            && chunk.characters as usize == markup::characters(part)
            && chunk.pauses.iter().all(|pause| part.is_char_boundary(pause.at))
            && chunk.languages.iter().all(|marked| part.get(marked.range.clone()).is_some())
            && chunk.pronounced.iter().all(|stretch| part.get(stretch.range.clone()).is_some())
            && chunk.headings.iter().all(|heading| part.get(heading.range.clone()).is_some())
    });
    chunks && end == text.len() && !extracted.chunks.is_empty() && chapters_are_consistent(extracted)
}

/// Whether the chapters have the chunks in order, each at least one.
fn chapters_are_consistent(extracted: &Extracted) -> bool {
    let mut last = None;
    let chunks = extracted.chunks.iter().all(|chunk| {
        let follows = match last {
            None => chunk.chapter == 0,
            Some(before) => chunk.chapter == before || chunk.chapter == before + 1,
        };
        last = Some(chunk.chapter);
        follows
    });
    let count = last.map_or(0, |last| last as usize + 1);
    chunks && count == extracted.chapters.len()
}
