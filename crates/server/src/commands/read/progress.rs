//! Progress: a bar on a terminal, occasional lines elsewhere.

use std::{
    io::IsTerminal as _,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{output, source::Source};

/// The shortest time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The longest title on the bar.
const TITLE_CHARACTERS: usize = 24;

/// The progress of a run: the characters spoken so far, of all that it has to speak.
pub(super) struct Progress<'a> {
    source: &'a Source,
    characters: u64,
    said: AtomicU64,
    started: Instant,
    display: Display,
    chapter: Mutex<String>,
}

enum Display {
    Bar(ProgressBar),
    Lines(Mutex<Instant>),
}

impl<'a> Progress<'a> {
    /// Progress of the missing chunks.
    pub(super) fn new(source: &'a Source, missing: &[usize]) -> Self {
        let characters = missing.iter().map(|&index| u64::from(source.chunks[index].characters)).sum();
        let display = if std::io::stderr().is_terminal() {
            Display::Bar(bar(characters))
        } else {
            Display::Lines(Mutex::new(Instant::now()))
        };
        Self {
            source,
            characters,
            said: AtomicU64::new(0),
            started: Instant::now(),
            display,
            chapter: Mutex::default(),
        }
    }

    /// Reports that a chunk begins.
    pub(super) fn begins(&self, index: usize) {
        let (chapter, chapters) = (self.source.chapter(index), self.source.chapters());
        let mut name = format!("chapter {chapter} of {chapters}");
        if let Some(title) = &self.source.chunks[index].title {
            let end = title.char_indices().nth(TITLE_CHARACTERS).map(|(at, _)| at);
            let dots = if end.is_some() { "…" } else { "" };
            name = format!("{name} ({}{dots})", &title[..end.unwrap_or(title.len())]);
        }
        if let Display::Bar(bar) = &self.display {
            bar.set_message(name.clone());
        }
        *self.chapter.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    /// Reports that this many more characters were spoken.
    pub(super) fn said(&self, characters: usize) {
        let said = self.said.fetch_add(characters as u64, Ordering::Relaxed) + characters as u64;
        match &self.display {
            Display::Bar(bar) => bar.set_position(said),
            Display::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= BETWEEN_LINES {
                    *last = Instant::now();
                    output::progress(&self.line(said));
                }
            }
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        match &self.display {
            Display::Bar(bar) => bar.finish_and_clear(),
            Display::Lines(_) => output::progress(&self.line(self.said.load(Ordering::Relaxed))),
        }
    }

    fn line(&self, said: u64) -> String {
        let rate = said as f64 / self.started.elapsed().as_secs_f64().max(0.001);
        let left = (self.characters.saturating_sub(said)) as f64 / rate.max(0.001);
        let chapter = self.chapter.lock().unwrap_or_else(PoisonError::into_inner);
        let percent = 100 * said / self.characters.max(1);
        let left = if said == 0 { "some time".to_owned() } else { clock(left as u64) };
        format!("{chapter}: {percent} %, {rate:.0} characters a second, {left} left")
    }
}

fn clock(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

fn bar(characters: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(characters), ProgressDrawTarget::stderr());
    // A template that does not parse costs only the bar's layout.
    if let Ok(style) = ProgressStyle::with_template(
        "{msg} {wide_bar} {percent} %, {per_sec_short} characters a second, {eta} left",
    ) {
        bar.set_style(style.with_key(
            "per_sec_short",
            |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{:.0}", state.per_sec());
            },
        ));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_shown_in_words() {
        assert_eq!(
            (clock(7), clock(67), clock(7_440)),
            ("7 s".into(), "1 min 7 s".into(), "2 h 4 min".into())
        );
    }
}
