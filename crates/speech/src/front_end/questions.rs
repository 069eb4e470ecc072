//! Questions: where a text asks, what kind of question each is, and where the voice rises for it.
//!
//! This looks only at words and marks, by tables, and at nothing that must be loaded. `english` and
//! `romance` tell the kinds apart; how the pitch moves is the business of
//! `engines::neural::intonation`. Japanese rises at the end of every question that has the mark.
//! Chinese has tones, which a rise would change, and Hindi falls as often as it rises: the voices say
//! their questions as they do by themselves.

mod english;
mod romance;
mod scan;

use std::ops::Range;

use crate::language::Language;
use scan::{Clause, Word};

/// The kinds of questions, by how their ends sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// "Is it raining?" rises.
    YesNo,
    /// "You're coming?", "Ready?": a statement or a part of one, asked. It rises.
    Declarative,
    /// "What time is it?" falls.
    Wh,
    /// "You said what?" asks again for what was said. It rises.
    Echo,
    /// "Tea or coffee?" rises on all but the last, and falls there.
    Alternative,
    /// "It's cold, isn't it?" expects a yes. It falls.
    Tag,
    /// "You're coming, right?", "So you know him, do you?" want to know. They rise.
    RisingTag,
}

impl Kind {
    /// Its name in tables: `yes-no`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::YesNo => "yes-no",
            Self::Declarative => "declarative",
            Self::Wh => "wh",
            Self::Echo => "echo",
            Self::Alternative => "alternative",
            Self::Tag => "tag",
            Self::RisingTag => "rising tag",
        }
    }

    /// Whether the last word rises.
    pub const fn rises(self) -> bool {
        matches!(self, Self::YesNo | Self::Declarative | Self::Echo | Self::RisingTag)
    }
}

/// A question in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What it asks for.
    pub kind: Kind,
    /// Its bytes in the text, from the first word to the last.
    pub range: Range<usize>,
    /// Where it rises, in order.
    pub rises: Vec<Rise>,
}

/// A place where the pitch rises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rise {
    /// The bytes of the words at whose end it is highest. It starts at an accent within them.
    pub range: Range<usize>,
    /// How far it goes.
    pub size: RiseSize,
}

/// How far a voice rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RiseSize {
    /// At the end of a question.
    Question,
    /// At the end of an alternative that another one follows.
    Alternative,
    /// On the last mora of a Japanese question.
    Mora,
}

/// What the tables of a language say of a question.
#[derive(Debug, PartialEq, Eq)]
struct Verdict {
    kind: Kind,
    /// The words of each rise.
    rises: Vec<Range<usize>>,
}

impl Verdict {
    /// A question whose last words, from this one on, rise if its kind does.
    fn from(kind: Kind, start: usize, words: &[Word]) -> Self {
        let whole = start..words.len();
        Self { kind, rises: if kind.rises() { vec![whole] } else { Vec::new() } }
    }
}

/// The questions that end in `text[span]`, a sentence or a part of one, in order.
pub fn find(text: &str, span: Range<usize>, language: Language) -> Vec<Question> {
    let asks = text.get(span.clone()).is_some_and(|text| text.contains(['?', '？']));
    let Some(judge) = judge(language).filter(|_| asks) else { return Vec::new() };
    scan::clauses(text, span).into_iter().filter_map(|clause| judge(&clause)).collect()
}

/// Where the voice rises in `text[span]`, in order.
pub fn rises(text: &str, span: Range<usize>, language: Language) -> Vec<Rise> {
    find(text, span, language).into_iter().flat_map(|question| question.rises).collect()
}

type Judge = fn(&Clause) -> Option<Question>;

/// What tells the questions of a language apart; `None` where its voices are left alone.
fn judge(language: Language) -> Option<Judge> {
    match language.primary() {
        "en" => Some(|clause| question(clause, english::judge(&clause.words), RiseSize::Question)),
        "es" => Some(|clause| question(clause, romance::SPANISH.judge(&clause.words), RiseSize::Question)),
        "fr" => Some(|clause| question(clause, romance::FRENCH.judge(&clause.words), RiseSize::Question)),
        "it" => Some(|clause| question(clause, romance::ITALIAN.judge(&clause.words), RiseSize::Question)),
        "pt" => Some(|clause| question(clause, romance::PORTUGUESE.judge(&clause.words), RiseSize::Question)),
        "ja" => Some(|clause| {
            let verdict = Verdict::from(Kind::YesNo, clause.words.len().checked_sub(1)?, &clause.words);
            question(clause, verdict, RiseSize::Mora)
        }),
        _ => None,
    }
}

fn question(clause: &Clause, verdict: Verdict, size: RiseSize) -> Option<Question> {
    let bytes = |words: Range<usize>| {
        let words = clause.words.get(words)?;
        Some(words.first()?.source.start..words.last()?.source.end)
    };
    let size = if verdict.kind == Kind::Alternative { RiseSize::Alternative } else { size };
    let rises = verdict.rises.into_iter().filter_map(|words| Some(Rise { range: bytes(words)?, size }));
    Some(Question { kind: verdict.kind, rises: rises.collect(), range: bytes(0..clause.words.len())? })
}

/// The stretches of words between breaks, as positions.
fn segments(words: &[Word]) -> Vec<Range<usize>> {
    let mut segments: Vec<Range<usize>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match segments.last_mut() {
            Some(last) if !word.after_break => last.end = at + 1,
            _ => segments.push(at..at + 1),
        }
    }
    segments
}
