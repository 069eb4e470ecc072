//! Lines on standard input and output, one JSON message each. Both block, so each has a thread.

use std::{
    io::{BufRead, Read as _, Write as _},
    thread::JoinHandle,
};

use serde_json::Value;
use tokio::sync::mpsc;

/// The longest message: a book's text may be in it, and the API takes 16 MiB of that.
pub(super) const LONGEST: usize = 20 * 1024 * 1024;

/// Messages that wait to be answered or written.
const WAITING: usize = 64;

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// It was too long and is skipped.
    TooLong,
}

/// The writer of standard output.
pub(super) struct Outgoing {
    sender: mpsc::Sender<Value>,
    thread: JoinHandle<()>,
}

impl Outgoing {
    pub(super) fn sender(&self) -> mpsc::Sender<Value> {
        self.sender.clone()
    }

    /// Writes what waits. Every other sender must be gone.
    pub(super) fn finish(self) {
        drop(self.sender);
        // A thread that panicked has nothing to write any more.
        let _ = self.thread.join();
    }
}

/// The lines of standard input, and the writer of standard output.
pub(super) fn standard() -> (mpsc::Receiver<Line>, Outgoing) {
    let (lines, incoming) = mpsc::channel(WAITING);
    // It is not joined: it may wait for input that never comes.
    std::thread::spawn(move || read(std::io::stdin().lock(), &lines));
    let (sender, mut outgoing) = mpsc::channel::<Value>(WAITING);
    let thread = std::thread::spawn(move || {
        while let Some(message) = outgoing.blocking_recv() {
            let mut out = std::io::stdout().lock();
            if writeln!(out, "{message}").and_then(|()| out.flush()).is_err() {
                // Nobody reads any more; input ends soon.
                break;
            }
        }
    });
    (incoming, Outgoing { sender, thread })
}

fn read(mut input: impl BufRead, lines: &mpsc::Sender<Line>) {
    while let Some(line) = next(&mut input) {
        if lines.blocking_send(line).is_err() {
            break;
        }
    }
}

/// The next line that is not empty; `None` at the end or when nothing can be read.
fn next(input: &mut impl BufRead) -> Option<Line> {
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line).ok()?;
        if line.is_empty() {
            return None;
        }
        if line.last() != Some(&b'\n') && line.len() > LONGEST {
            skip(input).ok()?;
            return Some(Line::TooLong);
        }
        if !line.trim_ascii().is_empty() {
            return Some(Line::Whole(line));
        }
    }
}

/// Skips the rest of a line without keeping it.
fn skip(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let held = input.fill_buf()?;
        let end = held.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(held.len(), |end| end + 1);
        let is_over = end.is_some() || held.is_empty();
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    // Not seen to fail yet: without `skip`, the rest of the long line is read as a message.
    #[test]
    fn empty_lines_are_passed_over_and_long_ones_skipped_whole() {
        let long = vec![b'x'; LONGEST + 10];
        let text = [b"a\n\n \r\n".as_slice(), &long, b"\nb\nc"].concat();
        let mut input = BufReader::with_capacity(1_000, text.as_slice());
        let mut found = Vec::new();
        while let Some(line) = next(&mut input) {
            found.push(line);
        }
        let whole = |text: &[u8]| Line::Whole(text.to_vec());
        assert_eq!(found, [whole(b"a\n"), Line::TooLong, whole(b"b\n"), whole(b"c")]);
    }
}
