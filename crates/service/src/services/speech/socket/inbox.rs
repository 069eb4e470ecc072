//! The text of a session that was not said yet.

use std::{collections::VecDeque, time::Duration};

use lectern_documents::first_sentence;
use lectern_types::{ErrorCode, MAX_CHARACTERS, TextType};
use tokio::time::Instant;

use super::Input;
use crate::error::{Error, Result};

/// The most characters of a session.
const MAX_SESSION_CHARACTERS: usize = 100_000;

/// A sentence with more characters than this is divided between words, so that its speech begins.
const LONG_SENTENCE: usize = 1_000;

/// What is to be done next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Says a text, which begins at this character of the session's text.
    Say { text: String, start_char: u32 },
    /// All before a flush was said.
    Flushed,
    /// All before a flush was cancelled.
    Forgotten,
    /// The session ends.
    End,
}

/// The text that came, and what is to be done with it.
#[derive(Debug)]
pub(super) struct Inbox {
    /// BCP 47.
    language: String,
    text_type: TextType,
    text: String,
    /// Where `text` begins, in characters of the session's text.
    start_char: u32,
    /// Characters since the last flush, and in all.
    since_flush: usize,
    characters: usize,
    work: VecDeque<Work>,
    came_at: Option<Instant>,
    is_settled: bool,
    has_ended: bool,
    /// Whether a cancel is to be obeyed.
    cancels: bool,
    /// Whether a client that is ahead of the speech waits.
    holds_back: bool,
}

impl Inbox {
    pub(super) fn new(language: String, text_type: TextType) -> Self {
        Self {
            language,
            text_type,
            text: String::new(),
            start_char: 0,
            since_flush: 0,
            characters: 0,
            work: VecDeque::new(),
            came_at: None,
            is_settled: false,
            has_ended: false,
            cancels: false,
            holds_back: false,
        }
    }

    /// Lets clients wait that are ahead of the speech, for protocols without flushes. A client of Lectern's own protocol is
    /// refused, because what it would wait behind may be its own cancel.
    pub(super) fn hold_back(&mut self) {
        self.holds_back = true;
    }

    /// Whether more is to be taken now.
    pub(super) fn has_room(&self) -> bool {
        let queued = self.work.iter().map(|work| match work {
            Work::Say { text, .. } => text.chars().count(),
            _ => 0,
        });
        !self.holds_back || self.text.chars().count() + queued.sum::<usize>() < MAX_CHARACTERS
    }

    /// Takes an input.
    ///
    /// # Errors
    /// `text_too_long`, or `validation_failed` for anything after the end.
    pub(super) fn take(&mut self, input: Input) -> Result<()> {
        if self.has_ended && input != Input::Cancel {
            return Err(Error::invalid(
                "type",
                "must be cancel: the client has sent end, and nothing follows it",
            ));
        }
        match input {
            Input::Text(text) => {
                let characters = text.chars().count();
                self.characters += characters;
                self.since_flush = if self.holds_back { characters } else { self.since_flush + characters };
                if self.since_flush > MAX_CHARACTERS || self.characters > MAX_SESSION_CHARACTERS {
                    return Err(ErrorCode::TextTooLong.into());
                }
                self.text.push_str(&text);
                (self.came_at, self.is_settled) = (Some(Instant::now()), false);
                self.divide();
            }
            Input::Flush => {
                self.close();
                self.work.push_back(Work::Flushed);
                self.since_flush = 0;
            }
            Input::Cancel => self.forget(),
            Input::End => {
                self.close();
                self.work.push_back(Work::End);
                self.has_ended = true;
            }
        }
        Ok(())
    }

    /// The next thing to do.
    pub(super) fn next(&mut self) -> Option<Work> {
        self.work.pop_front()
    }

    /// Whether a cancel came since the last call.
    pub(super) fn take_cancel(&mut self) -> bool {
        std::mem::take(&mut self.cancels)
    }

    /// When the text that came is settled; `None` when there is none that could be.
    pub(super) fn settles_at(&self, after: Duration) -> Option<Instant> {
        let waits = !self.is_settled && self.text_type == TextType::Text && !self.text.trim().is_empty();
        self.came_at.filter(|_| waits).map(|at| at + after)
    }

    /// No more text comes for now: a stop at its end ends a sentence.
    pub(super) fn settle(&mut self) {
        self.is_settled = true;
        self.divide();
    }

    /// Takes the sentences out that have ended. SSML has no sentences before its end.
    fn divide(&mut self) {
        while self.text_type == TextType::Text {
            let end = first_sentence(&self.text, Some(&self.language), self.is_settled);
            match end.or_else(|| end_of_long(&self.text)) {
                Some(end) => self.cut(end),
                None => return,
            }
        }
    }

    /// All text that came is to be said.
    fn close(&mut self) {
        self.divide();
        self.cut(self.text.len());
        self.came_at = None;
    }

    fn cut(&mut self, end: usize) {
        let rest = self.text.split_off(end);
        let text = std::mem::replace(&mut self.text, rest);
        let start_char = self.start_char;
        self.start_char += text.chars().count() as u32;
        if !text.trim().is_empty() {
            self.work.push_back(Work::Say { text, start_char });
        }
    }

    /// Forgets what was not said. Flushes that wait are answered, and an end stays.
    fn forget(&mut self) {
        self.cancels = true;
        self.start_char += self.text.chars().count() as u32;
        self.text.clear();
        (self.came_at, self.since_flush) = (None, 0);
        let work = std::mem::take(&mut self.work).into_iter();
        self.work = work
            .filter_map(|work| match work {
                Work::Say { .. } => None,
                Work::Flushed | Work::Forgotten => Some(Work::Forgotten),
                Work::End => Some(Work::End),
            })
            .collect();
    }
}

/// Where a text that is too long for one sentence is divided: after the last white space that leaves a part of at most
/// [`LONG_SENTENCE`] characters.
fn end_of_long(text: &str) -> Option<usize> {
    let (limit, _) = text.char_indices().nth(LONG_SENTENCE)?;
    let space = text[..limit].rfind(char::is_whitespace);
    Some(space.map_or(limit, |at| at + text[at..].chars().next().map_or(0, char::len_utf8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inbox() -> Inbox {
        Inbox::new("en-US".to_owned(), TextType::Text)
    }

    fn all(inbox: &mut Inbox) -> Vec<String> {
        let text = |work| match work {
            Work::Say { text, start_char } => format!("{start_char} {text}"),
            other => format!("{other:?}"),
        };
        std::iter::from_fn(|| inbox.next()).map(text).collect()
    }

    fn text(inbox: &mut Inbox, text: &str) -> Vec<String> {
        inbox.take(Input::Text(text.to_owned())).unwrap();
        all(inbox)
    }

    #[test]
    fn words_may_be_cut_anywhere() {
        let mut inbox = inbox();
        let pieces = ["Hel", "lo the", "re. I met D", "r. Marsh", " at 3", ".", "30! ", "And"];
        let said: Vec<String> = pieces.iter().flat_map(|piece| text(&mut inbox, piece)).collect();
        assert_eq!(said, ["0 Hello there. ", "13 I met Dr. Marsh at 3.30! "]);
        inbox.take(Input::Flush).unwrap();
        assert_eq!(all(&mut inbox), ["38 And", "Flushed"]);
    }

    #[test]
    fn a_stop_ends_a_sentence_when_no_more_comes() {
        let mut inbox = inbox();
        assert!(text(&mut inbox, "Hello.").is_empty());
        assert!(inbox.settles_at(Duration::ZERO).is_some());
        inbox.settle();
        assert_eq!(all(&mut inbox), ["0 Hello."]);
        assert!(inbox.settles_at(Duration::ZERO).is_none());
        // More text is not settled.
        assert!(text(&mut inbox, " It is 3.").is_empty());
        assert_eq!(text(&mut inbox, "14. "), ["6  It is 3.14. "]);
    }

    #[test]
    fn a_cancel_forgets_all_but_the_end_and_the_answers() {
        let mut inbox = inbox();
        inbox.take(Input::Text("One. Two. Thr".to_owned())).unwrap();
        inbox.take(Input::Flush).unwrap();
        inbox.take(Input::Text("Four".to_owned())).unwrap();
        inbox.take(Input::Cancel).unwrap();
        assert_eq!(all(&mut inbox), ["Forgotten"]);
        assert!(inbox.take_cancel() && !inbox.take_cancel());
        assert_eq!(text(&mut inbox, "Five. "), ["17 Five. "]);
        inbox.take(Input::End).unwrap();
        inbox.take(Input::Cancel).unwrap();
        assert_eq!(all(&mut inbox), ["End"]);
        assert!(inbox.take(Input::Text("x".to_owned())).is_err());
        assert!(inbox.take(Input::End).is_err());
    }

    #[test]
    fn the_text_has_a_limit_between_flushes_and_in_all() {
        let mut one = inbox();
        let line = "a ".repeat(2_500);
        assert!(!text(&mut one, &line).is_empty());
        assert!(one.take(Input::Text("a".to_owned())).is_err());
        let mut one = inbox();
        for _ in 0..20 {
            one.take(Input::Text(line.clone())).unwrap();
            one.take(Input::Flush).unwrap();
        }
        assert!(one.take(Input::Text("a".to_owned())).is_err());
    }

    #[test]
    fn without_flushes_a_client_that_is_ahead_waits() {
        let mut inbox = inbox();
        inbox.hold_back();
        let line = format!("{}. ", "a ".repeat(449).trim_end());
        for _ in 0..6 {
            assert!(inbox.has_room());
            inbox.take(Input::Text(line.clone())).unwrap();
        }
        assert!(!inbox.has_room());
        assert!(matches!(inbox.next(), Some(Work::Say { .. })));
        assert!(inbox.has_room());
        assert!(inbox.take(Input::Text("a".repeat(5_001))).is_err());
    }

    #[test]
    fn ssml_is_said_at_a_flush() {
        let mut inbox = Inbox::new("en-US".to_owned(), TextType::Ssml);
        assert!(text(&mut inbox, "<speak>One. Two. ").is_empty());
        assert!(text(&mut inbox, "Three.</speak>").is_empty());
        inbox.take(Input::Flush).unwrap();
        assert_eq!(all(&mut inbox), ["0 <speak>One. Two. Three.</speak>", "Flushed"]);
    }

    #[test]
    fn endless_sentences_are_divided_between_words() {
        let mut inbox = inbox();
        let said = text(&mut inbox, &"word ".repeat(500));
        assert_eq!(said.len(), 2);
        assert!(said.iter().all(|one| one.ends_with("word ")));
    }
}
