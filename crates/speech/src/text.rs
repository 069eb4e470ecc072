//! From a text as a person wrote it to sentences of spoken, tagged tokens.
//!
//! Every token remembers the bytes of the original text that it reads, through every rewriting, so that word
//! timestamps can point into the text as it was sent.

use std::ops::Range;

use crate::{
    pack::{Pack, PackError},
    phonemes::Accent,
};

mod clean;
mod figures;
mod normalise;
mod phrases;
mod split;
mod spoken;
mod stops;
mod tagger;
mod tokenise;
mod words;

/// How long the voice pauses after a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The sentence, which is very long, goes on with its next phrase; no mark stands there.
    Phrase,
    /// The sentence, which is very long, goes on after a comma or a stronger mark.
    Clause,
    /// Another sentence of the same paragraph follows.
    Sentence,
    /// A paragraph ends here.
    Paragraph,
    /// A heading ends here.
    Heading,
    /// A scene break (`* * *`) follows.
    Section,
}

impl Pause {
    /// Whether a paragraph or heading ends here: it is said like a sentence, with a full stop or without.
    pub const fn ends_paragraph(self) -> bool {
        matches!(self, Self::Paragraph | Self::Heading | Self::Section)
    }
}

/// One sentence, ready for [`crate::phonemes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The bytes of the original text it was read from.
    pub source: Range<usize>,
    /// Its tokens in order; never empty.
    pub tokens: Vec<Token>,
    /// The pause after it.
    pub pause: Pause,
}

/// One token as the tokenizer of the tagger's training data would cut it: a word, the second half of a
/// contraction (`n't`, `'s`), or a punctuation mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The spoken form: `five`, `dollars`, `,`.
    pub text: String,
    /// The bytes of the original text that it reads. Tokens made of one written thing (`$5`) share its range.
    pub source: Range<usize>,
    /// Whether white space follows it in the spoken text.
    pub space_after: bool,
    /// The part of speech, a Penn Treebank tag such as `NN` or `VBD`.
    pub tag: &'static str,
    /// A pronunciation given inline, `[word](/ipa/)`, in the alphabet of the voice.
    pub ipa: Option<String>,
}

/// In "three point five" the middle word has no stress, which no lexicon entry of "point" says.
const DECIMAL_POINT: &str = "pYnt";

/// A stretch of a text that is said in one go: a sentence, or a part of a very long one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the text; no white space at either end, at most 400 characters, of which a run of one emoji is one. A
    /// word with its pronunciation may be longer.
    pub range: Range<usize>,
    /// The pause after it.
    pub pause: Pause,
}

/// Reads texts: made once from the voice pack, then shared. About 3 MB.
#[derive(Debug)]
pub struct Analyzer {
    tagger: tagger::Tagger,
    tokeniser: tokenise::Tokeniser,
}

impl Analyzer {
    /// Loads the tagger and the tokenizer's table.
    ///
    /// # Errors
    /// [`PackError`] when a file is missing or says something unexpected.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        Ok(Self { tagger: tagger::Tagger::load(pack)?, tokeniser: tokenise::Tokeniser::load(pack)? })
    }

    /// Cuts a text into sentences, in order. Each has at most 400 characters, a longer one is cut at clauses and
    /// phrases; a stretch without a letter, digit or sign that could be said is in none.
    pub fn split(&self, text: &str) -> Vec<Piece> {
        split::split(text, &|long, most| phrases::boundary(long, most, &self.tokeniser, &self.tagger))
    }

    /// The piece at `range`, one of those that [`Analyzer::split`] gives for `text`. `None` when the range is none of
    /// the text's.
    #[expect(clippy::unused_self, reason = "it goes with split")]
    pub fn piece(&self, text: &str, range: Range<usize>) -> Option<Piece> {
        text.get(range.clone())?;
        Some(Piece { pause: split::pause_after(text, &range), range })
    }

    /// Reads `text[range]` the American way; see [`Analyzer::analyze_piece`].
    pub fn analyze(&self, text: &str, range: Range<usize>) -> Option<Sentence> {
        text.get(range.clone())?;
        let pause = split::pause_after(text, &range);
        self.analyze_piece(text, &Piece { range, pause }, Accent::American)
    }

    /// Reads a piece: its words spelt out, cut into tokens, tagged. The accent decides how dates and numbers are
    /// read. `None` when it says nothing, or when its range is none of the text's.
    pub fn analyze_piece(&self, text: &str, piece: &Piece, accent: Accent) -> Option<Sentence> {
        text.get(piece.range.clone())?;
        let clean = clean::Clean::new(text, piece.range.clone());
        let spoken = normalise::read(&clean, accent == Accent::British, &self.tagger);
        let ranges = self.tokens(&spoken);
        let words: Vec<&str> = ranges.iter().map(|range| &spoken.text[range.clone()]).collect();
        if !words.iter().any(|word| word.contains(char::is_alphanumeric)) {
            return None;
        }
        let tags = self.tagger.tag(&words);
        let tokens = ranges.iter().zip(words.iter().zip(tags)).map(|(range, (word, tag))| {
            let source = clean.origin(&spoken.source(range));
            let is_decimal_point = *word == "point" && !text[source.clone()].contains("point");
            Token {
                text: (*word).to_owned(),
                space_after: spoken.text[range.end..].starts_with(' '),
                tag,
                ipa: spoken.ipa(range.start).or(is_decimal_point.then_some(DECIMAL_POINT)).map(str::to_owned),
                source,
            }
        });
        Some(Sentence { source: piece.range.clone(), tokens: tokens.collect(), pause: piece.pause })
    }

    /// Tokens of the spoken text; a word whose pronunciation is given stays whole.
    fn tokens(&self, spoken: &spoken::Spoken) -> Vec<Range<usize>> {
        let mut tokens: Vec<Range<usize>> = Vec::new();
        let mut whole = 0;
        for token in self.tokeniser.cut(&spoken.text) {
            if token.start < whole {
                // A further part of a pronounced word, or marks that stick to its end.
                if token.end > whole {
                    tokens.push(whole..token.end);
                    whole = token.end;
                }
                continue;
            }
            match spoken.pronounced_end(token.start) {
                Some(end) if end >= token.end => {
                    whole = end;
                    tokens.push(token.start..end);
                }
                _ => tokens.push(token),
            }
        }
        tokens
    }
}

/// The pieces of a text as they would be spoken, by rules alone: without the tagger, which few readings hang on, and
/// cut at spaces where a sentence has no marks. For estimates, which must do without a voice pack.
pub(crate) fn spoken_roughly(text: &str) -> impl Iterator<Item = (String, Pause)> + '_ {
    let tagger = tagger::Tagger::default();
    split::split(text, &|_, _| None).into_iter().map(move |piece| {
        let clean = clean::Clean::new(text, piece.range);
        (normalise::read(&clean, false, &tagger).text, piece.pause)
    })
}

/// Whether a text might have something to say: more than punctuation and white space.
pub(crate) fn may_be_said(text: &str) -> bool {
    text.chars().any(stops::may_be_said)
}

/// For each token of a sentence, whether a phrase begins with it: a conjunction, a preposition, a relative pronoun.
pub(crate) fn phrase_starts(tokens: &[Token]) -> Vec<bool> {
    let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    let tags: Vec<&'static str> = tokens.iter().map(|token| token.tag).collect();
    (0..tokens.len()).map(|at| phrases::start_score(&words, &tags, at).is_some()).collect()
}

/// The words of a sentence as they are said, with their punctuation.
pub fn spoken(sentence: &Sentence) -> String {
    let mut text = String::new();
    for token in &sentence.tokens {
        text.push_str(&token.text);
        if token.space_after {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text
}
