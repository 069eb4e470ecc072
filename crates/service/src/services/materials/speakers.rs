//! Who says what in a text: as its lines `[speaker NAME]` say, or as the dialogue is attributed by rules.

use std::{collections::HashMap, ops::Range};

use lectern_documents::{Voiced, dialogue};
use lectern_speech::{markup, script::Script};
use lectern_store::materials::{MOST_QUOTES, Speaker, SpokenBy};
use lectern_types::MAX_CAST;

/// A speaker whose quotes are less probable than this is not proposed for them.
const LEAST_CONFIDENCE: f32 = 0.5;

/// A stretch of a text.
#[derive(Debug)]
struct Stretch {
    range: Range<usize>,
    /// Who says it, and how probably, in thousandths; `None` for a quote of which nothing tells.
    speaker: Option<(String, u32)>,
}

/// Who says what in a text.
#[derive(Debug, Default)]
pub struct Speakers {
    /// In the order of the text and apart.
    stretches: Vec<Stretch>,
    /// Those with most stretches first.
    pub(super) cast: Vec<Speaker>,
}

impl Speakers {
    /// The speakers of a text. Where its document or lines name them, nothing else is searched for.
    pub fn of(text: &str, language: Option<&str>, voices: &[Voiced]) -> Self {
        if !voices.is_empty() {
            let named = voices.iter().map(|voiced| (voiced.range.clone(), Some((voiced.name.clone(), 1.0))));
            return Self::new(named);
        }
        let named = Script::stretches_by_name(text, MAX_CAST);
        if !named.is_empty() {
            return Self::new(named.into_iter().map(|(range, name)| (range, Some((name, 1.0)))));
        }
        let Some(language) = language else { return Self::default() };
        let quotes = dialogue::attribute(text, language).quotes.into_iter();
        Self::new(quotes.map(|quote| {
            let likely = quote.speaker.filter(|_| quote.confidence >= LEAST_CONFIDENCE);
            (quote.range, likely.map(|name| (name, quote.confidence)))
        }))
    }

    /// The speakers that lines of a text name, where `before` speaks at its beginning.
    pub(super) fn by_lines(text: &str, before: Option<&str>) -> Self {
        let line = before.map(|name| format!("[speaker {name}]\n")).unwrap_or_default();
        let named = Script::stretches_by_name(&format!("{line}{text}"), MAX_CAST).into_iter();
        // A stretch begins with the end of its line.
        let within = |at: usize| at.saturating_sub(line.len());
        let stretches =
            named.map(|(range, name)| (within(range.start)..within(range.end), Some((name, 1.0))));
        Self::new(stretches.filter(|(range, _)| !range.is_empty()))
    }

    fn new(stretches: impl Iterator<Item = (Range<usize>, Option<(String, f32)>)>) -> Self {
        let mut sums: HashMap<String, (u32, f32)> = HashMap::new();
        let mut names = Vec::new();
        let mut all = Vec::new();
        for (range, speaker) in stretches.take(MOST_QUOTES) {
            let Some((name, confidence)) = speaker else {
                all.push(Stretch { range, speaker: None });
                continue;
            };
            let sum = sums.entry(name.clone()).or_insert_with(|| {
                names.push(name.clone());
                (0, 0.0)
            });
            sum.0 += 1;
            sum.1 += confidence;
            all.push(Stretch { range, speaker: Some((name, thousandths(confidence))) });
        }
        let speaker = |name: String| {
            let (quotes, sum) = sums.get(&name).copied().unwrap_or_default();
            let confidence = thousandths(sum / quotes.max(1) as f32);
            Speaker { name, ereader: None, quotes, confidence }
        };
        let mut cast: Vec<Speaker> = names.into_iter().map(speaker).collect();
        cast.sort_by_key(|speaker| std::cmp::Reverse(speaker.quotes));
        cast.truncate(MAX_CAST);
        Self { stretches: all, cast }
    }

    /// The names of the speakers, those with most stretches first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.cast.iter().map(|speaker| speaker.name.as_str())
    }

    /// The stretches and who says each, in the order of the text and apart.
    pub fn stretches(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.stretches.iter().filter_map(|Stretch { range, speaker }| {
            let (name, _) = speaker.as_ref()?;
            Some((range.clone(), name.as_str()))
        })
    }

    /// The stretches inside a chunk, with places in its text.
    pub(super) fn inside(&self, text: &str, chunk: &Range<usize>) -> Vec<SpokenBy> {
        let first = self.stretches.partition_point(|stretch| stretch.range.end <= chunk.start);
        let inside = self.stretches[first..].iter().take_while(|stretch| stretch.range.start < chunk.end);
        inside
            .filter_map(|Stretch { range, speaker }| {
                let goes_on = range.start < chunk.start;
                let (start, end) = (range.start.max(chunk.start), range.end.min(chunk.end));
                let characters = markup::characters(text.get(start..end)?) as u32;
                // A chunk's text has at most 5,000 characters.
                let (start, end) = ((start - chunk.start) as u32, (end - chunk.start) as u32);
                let (name, confidence) = speaker.clone().unzip();
                Some(SpokenBy { start, end, name, characters, confidence, is_given: false, goes_on })
            })
            .collect()
    }
}

fn thousandths(confidence: f32) -> u32 {
    (1000.0 * confidence).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_speakers_go_on_in_the_next_chunk() {
        let text = "Before.\n[speaker Ines]\nOne.\n\nTwo.\n[speaker Tom]\nThree.";
        let speakers = Speakers::of(text, Some("en"), &[]);
        let cast: Vec<(&str, u32, u32)> =
            speakers.cast.iter().map(|one| (one.name.as_str(), one.quotes, one.confidence)).collect();
        assert_eq!(cast, [("Ines", 1, 1000), ("Tom", 1, 1000)]);
        let cut = text.find("Two.").unwrap();
        let said = |chunk: Range<usize>| -> Vec<(String, String, u32)> {
            let inside = speakers.inside(text, &chunk).into_iter();
            let words =
                |one: &SpokenBy| text[chunk.start..][one.start as usize..one.end as usize].trim().to_owned();
            inside.map(|one| (words(&one), one.name.unwrap_or_default(), one.characters)).collect()
        };
        assert_eq!(said(0..cut), [("One.".to_owned(), "Ines".to_owned(), 7)]);
        assert_eq!(
            said(cut..text.len()),
            [("Two.".to_owned(), "Ines".to_owned(), 5), ("Three.".to_owned(), "Tom".to_owned(), 7)]
        );
    }

    // Negative control: without the line in front, nobody says the beginning.
    #[test]
    fn who_spoke_before_goes_on_until_the_next_line() {
        let text = "“Two,” said Ada.\n\n[speaker Tom]\nThree.";
        let said = |before| -> Vec<(String, String)> {
            let speakers = Speakers::by_lines(text, before);
            let inside = speakers.inside(text, &(0..text.len())).into_iter();
            inside
                .map(|one| (text[one.start as usize..one.end as usize].trim().to_owned(), one.name.unwrap()))
                .collect()
        };
        let is = |words: &str, name: &str| (words.to_owned(), name.to_owned());
        assert_eq!(said(Some("Ines")), [is("“Two,” said Ada.", "Ines"), is("Three.", "Tom")]);
        assert_eq!(said(None), [is("Three.", "Tom")]);
    }

    #[test]
    fn a_quote_of_nobody_known_is_kept_and_is_in_no_cast() {
        let text = "It was late.\n\n“Who is there?”\n\nThe door closed.";
        let speakers = Speakers::of(text, Some("en"), &[]);
        assert!(speakers.cast.is_empty() && speakers.stretches().next().is_none(), "{speakers:?}");
        let inside = speakers.inside(text, &(0..text.len()));
        let [quote] = inside.as_slice() else { panic!("{inside:?}") };
        assert_eq!((quote.name.as_deref(), quote.confidence), (None, None));
        assert_eq!(&text[quote.start as usize..quote.end as usize], "“Who is there?”");
    }

    #[test]
    fn who_speaks_by_the_document_is_not_searched_for() {
        let voices = [Voiced { range: 0..8, name: "Tom".to_owned() }];
        let speakers = Speakers::of("“Yes,” said Ines.", Some("en"), &voices);
        assert_eq!(speakers.names().collect::<Vec<_>>(), ["Tom"]);
    }

    #[test]
    fn a_text_without_a_language_has_no_proposals() {
        assert!(Speakers::of("“Yes,” said Ines.", None, &[]).cast.is_empty());
        let english = Speakers::of("“Yes,” said Ines.", Some("en"), &[]);
        assert_eq!(english.cast[0].name, "Ines");
        assert!(english.cast[0].confidence >= 900, "{:?}", english.cast);
    }
}
