//! Who says what in a book: finds quoted speech and proposes a speaker for each quote, by rules.
//!
//! A proposal rests on what the text says: tags (`said Ines`), action beats, names that a speaker
//! calls out, and the alternation of turns. It comes with a confidence and is meant to be edited;
//! nothing in this crate applies it. Speech of a narrator in the first person is [`NARRATOR`]'s.
//!
//! Two passes: `survey` collects the names of the whole book, so that `Ines`, `Ines Alvarez` and
//! `Miss Alvarez` become one speaker; `scene` goes through the paragraphs again and decides scene
//! by scene. Time is linear in the text. Besides the result, memory holds the names and one scene.

mod alternation;
mod confidence;
mod dashes;
mod evidence;
mod layout;
mod lexicon;
mod marks;
mod names;
mod phrases;
mod references;
mod scene;
mod survey;
mod tags;
mod words;

use std::{collections::HashMap, ops::Range};

use layout::Layout;
use lexicon::{Gender, Lexicon};
use names::Survey;
use scene::Scenes;

/// A quote with at least this confidence is offered as sure.
pub const HIGH_CONFIDENCE: f32 = 0.9;

/// The speaker of what a narrator in the first person says (`said I`).
pub const NARRATOR: &str = "Narrator";

/// The index of a person in the list of a book's people.
type PersonId = usize;

/// Quoted speech inside one paragraph. A speech of several paragraphs is several quotes.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Its bytes in the text, with its quotation marks or its dash.
    pub range: Range<usize>,
    /// The speaker's name as it can stand in a line `[speaker NAME]`: no brackets or line breaks, at
    /// most 100 characters. `None` when the text does not tell.
    pub speaker: Option<String>,
    /// From 0 to 1: how probably the speaker is right. 0 without a speaker.
    pub confidence: f32,
}

/// Somebody who speaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Speaker {
    pub name: String,
    /// How many quotes are proposed as theirs.
    pub quotes: u32,
    /// The mean confidence of those quotes.
    pub confidence: f32,
}

/// The proposal for a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attribution {
    /// The one with most quotes first.
    pub speakers: Vec<Speaker>,
    /// In order and apart.
    pub quotes: Vec<Quote>,
}

/// Whether there are rules for a language, given by its BCP 47 tag. Other languages get no
/// proposals.
pub fn has_rules(language: &str) -> bool {
    Lexicon::of(language).is_some()
}

/// Proposes who says what in a text of paragraphs separated by blank lines, such as
/// [`Extracted::text`](crate::Extracted::text).
pub fn attribute(text: &str, language: &str) -> Attribution {
    let Some(lexicon) = Lexicon::of(language) else { return Attribution::default() };
    let mut marks = marks::MarkCount::default();
    marks.add(text);
    let single = marks.is_single();
    let mut survey = Survey::default();
    let mut lead = None;
    for range in paragraphs(text) {
        let layout = Layout::of(&text[range], &lexicon, single);
        lead = survey::read(&mut survey, &layout, lead.as_ref(), &lexicon);
    }
    let has_narrator = survey.first_person > 0;
    let mut people = survey.people(&lexicon);
    let narrator = has_narrator.then(|| people.add(NARRATOR, Gender::Unknown));
    let mut scenes = Scenes::new(&lexicon, &people, narrator, single);
    for range in paragraphs(text) {
        scenes.read(&text[range.clone()], range.start);
    }
    let quotes = scenes.finish();
    Attribution { speakers: speakers(&quotes), quotes }
}

/// Proposes who says what in a book that is kept in pieces, such as the texts of its chunks: the
/// pieces joined are the whole text. Each piece gets its own quotes, with the bytes in this piece; a
/// quote across a border is divided.
pub fn attribute_pieces<T: AsRef<str>>(pieces: &[T], language: &str) -> (Vec<Speaker>, Vec<Vec<Quote>>) {
    let text: String = pieces.iter().map(AsRef::as_ref).collect();
    let Attribution { speakers, quotes } = attribute(&text, language);
    let mut quotes = quotes.into_iter().peekable();
    let mut start = 0;
    let mut divided = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let end = start + piece.as_ref().len();
        let mut own = Vec::new();
        while let Some(quote) = quotes.peek().filter(|quote| quote.range.start < end) {
            let range = quote.range.start.max(start) - start..quote.range.end.min(end) - start;
            own.push(Quote { range, ..quote.clone() });
            if quote.range.end > end {
                break;
            }
            quotes.next();
        }
        divided.push(own);
        start = end;
    }
    (speakers, divided)
}

/// The paragraphs of a text: what stands between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut range: Option<Range<usize>> = None;
        while at < text.len() {
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
            let line = at..at + text[at..end].trim_end().len();
            at = end;
            match &mut range {
                Some(_) if line.is_empty() => return range,
                Some(paragraph) => paragraph.end = line.end,
                None if line.is_empty() => {}
                None => range = Some(line),
            }
        }
        range
    })
}

fn speakers(quotes: &[Quote]) -> Vec<Speaker> {
    let mut by_name: HashMap<&str, (u32, f64)> = HashMap::new();
    for quote in quotes {
        if let Some(name) = &quote.speaker {
            let (count, sum) = by_name.entry(name).or_default();
            *count += 1;
            *sum += f64::from(quote.confidence);
        }
    }
    let mut speakers: Vec<Speaker> = by_name
        .into_iter()
        .map(|(name, (quotes, sum))| Speaker {
            name: name.to_owned(),
            quotes,
            confidence: (sum / f64::from(quotes)) as f32,
        })
        .collect();
    speakers.sort_by(|a, b| b.quotes.cmp(&a.quotes).then_with(|| a.name.cmp(&b.name)));
    speakers
}
