//! Cuts a chapter's text into paragraphs and sentences, and says which words each has.

use std::ops::Range;

use crate::SpokenWord;

/// Sentence ends are looked for in stretches of this length, because finding them takes time that
/// grows with the square of the text when it consists of quotation marks or full stops only. A
/// longer sentence is cut.
const WINDOW_BYTES: usize = 1_000;

/// The order of a chapter's text.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) paragraphs: Vec<Paragraph>,
    pub(crate) sentences: Vec<Sentence>,
}

#[derive(Debug)]
pub(crate) struct Paragraph {
    /// Bytes of the text, without white space at either end.
    pub(crate) range: Range<usize>,
    /// Positions in [`Layout::sentences`].
    pub(crate) sentences: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct Sentence {
    /// Bytes of the text, without white space at either end.
    pub(crate) range: Range<usize>,
    /// Positions of its words. Empty when nothing of it was spoken.
    pub(crate) words: Range<usize>,
}

impl Layout {
    /// `language` is a BCP 47 tag. The words are in order and inside the text.
    pub(crate) fn of(text: &str, words: &[SpokenWord], language: &str) -> Self {
        let language = language.split('-').next().unwrap_or_default();
        let mut layout = Self::default();
        let mut word = 0;
        for range in paragraphs(text) {
            let first = layout.sentences.len();
            let mut start = range.start;
            for end in sentence_ends(&text[range.clone()], language) {
                let end = (range.start + end).min(range.end);
                let first_word = word;
                while words.get(word).is_some_and(|word| word.range.start < end) {
                    word += 1;
                }
                // A sentence does not end inside a word.
                let end = words[..word].last().map_or(end, |word| word.range.end.max(end)).min(range.end);
                if end > start {
                    let range = trimmed(text, start..end);
                    layout.sentences.push(Sentence { range, words: first_word..word });
                }
                start = end;
            }
            layout.paragraphs.push(Paragraph { range, sentences: first..layout.sentences.len() });
        }
        layout
    }
}

/// Paragraphs are separated by blank lines.
pub(crate) fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at) = (Vec::new(), None::<Range<usize>>, 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim().is_empty() {
            found.extend(open.take());
        } else {
            open = Some(open.map_or(at, |open| open.start)..end);
        }
        at = end;
    }
    found.extend(open);
    found.into_iter().map(|range| trimmed(text, range)).collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// The ends of the sentences of a paragraph, in order; the last is the paragraph's own.
fn sentence_ends(paragraph: &str, language: &str) -> Vec<usize> {
    let (mut ends, mut start) = (Vec::new(), 0);
    while start < paragraph.len() {
        let mut window = paragraph.floor_char_boundary(start + WINDOW_BYTES);
        if window < paragraph.len()
            && let Some(gap) = paragraph[start..window].rfind(char::is_whitespace)
            && gap > 0
        {
            window = start + gap;
        }
        let found = sentencex::get_sentence_boundaries(language, &paragraph[start..window]);
        let mut found: Vec<usize> = found.iter().map(|sentence| start + sentence.end_byte).collect();
        // The end of the window is no end of a sentence.
        if window < paragraph.len() && found.len() > 1 {
            found.pop();
        } else {
            found.retain(|end| *end < window);
            found.push(window);
        }
        let end = found.last().copied().unwrap_or(window);
        ends.extend(found.into_iter().filter(|end| paragraph.is_char_boundary(*end)));
        start = end.max(start + 1);
    }
    ends
}
