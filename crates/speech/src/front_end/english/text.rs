//! From a text as a person wrote it to sentences of spoken, tagged tokens.
//!
//! Every token remembers the bytes of the original text that it reads, through every rewriting, so
//! that word timestamps can point into the text as it was sent.

use std::ops::Range;

use super::Accent;
use crate::{
    front_end::{Pause, Span, clean::Clean, rules::Rules, split, spoken::Spoken},
    pack::{Pack, PackError},
};

mod abbreviations;
pub(super) mod figures;
mod normalize;
mod phrases;
mod short_forms;
mod stops;
mod tagger;
mod tokenize;
mod words;

pub(super) use words::MONTHS;

use normalize::emoji;

/// One sentence, ready for [`super::phonemes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The bytes of the original text it was read from.
    pub source: Range<usize>,
    /// Its tokens in order; never empty.
    pub tokens: Vec<Token>,
    /// The pause after it.
    pub pause: Pause,
}

/// One token as the tokenizer of the tagger's training data would cut it: a word, the second half
/// of a contraction (`n't`, `'s`), or a punctuation mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The spoken form: `five`, `dollars`, `,`.
    pub text: String,
    /// The bytes of the original text that it reads. Tokens made of one written thing (`$5`) share
    /// its range.
    pub source: Range<usize>,
    /// Whether white space follows it in the spoken text.
    pub space_after: bool,
    /// The part of speech, a Penn Treebank tag such as `NN` or `VBD`.
    pub tag: &'static str,
    /// A pronunciation given inline, `[word](/ipa/)`, in the alphabet of the voice.
    pub ipa: Option<String>,
}

impl Token {
    /// The pronunciation that the text gives, if it gives one.
    pub(in crate::front_end) fn given_ipa(&self) -> Option<&str> {
        self.ipa.as_deref().filter(|ipa| !(self.text == "point" && *ipa == DECIMAL_POINT))
    }
}

/// In "three point five" the middle word is unstressed, and no lexicon entry of "point" is.
const DECIMAL_POINT: &str = "pYnt";

/// Reads texts: made once from the voice pack, then shared. About 3 MB.
#[derive(Debug)]
pub struct Analyzer {
    tagger: tagger::Tagger,
    tokenizer: tokenize::Tokenizer,
}

impl Analyzer {
    /// Loads the tagger and the tokenizer's table.
    ///
    /// # Errors
    /// [`PackError`] when a file is missing or says something unexpected.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        Ok(Self { tagger: tagger::Tagger::load(pack)?, tokenizer: tokenize::Tokenizer::load(pack)? })
    }

    /// Cuts `text[stretch]` into sentences, in order. Each has at most 400 characters, a longer one
    /// is cut at clauses and phrases; a stretch without a letter, digit or sign that could be said
    /// is in none.
    pub fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        split::split(text, stretch, &EnglishRules { analyzer: Some(self) })
    }

    /// Reads a span: its words spelled out, cut into tokens, tagged. The accent decides how dates
    /// and numbers are read. `None` when it says nothing, or when its range is none of the text's.
    pub fn analyze(&self, text: &str, span: &Span, accent: Accent) -> Option<Sentence> {
        text.get(span.range.clone())?;
        let mut clean = Clean::new(text, span.range.clone());
        normalize::join_thousands(&mut clean);
        let spoken = normalize::read(&clean, accent, &self.tagger);
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
        Some(Sentence { source: span.range.clone(), tokens: tokens.collect(), pause: span.pause })
    }

    /// Tokens of the spoken text; a word whose pronunciation is given stays whole.
    fn tokens(&self, spoken: &Spoken) -> Vec<Range<usize>> {
        let mut tokens: Vec<Range<usize>> = Vec::new();
        let mut whole = 0;
        for token in self.tokenizer.cut(&spoken.text) {
            if token.start < whole {
                // A further part of a pronounced word, or marks attached to its end.
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

/// How English is split. Without an analyzer, at spaces where a sentence has no marks.
struct EnglishRules<'a> {
    analyzer: Option<&'a Analyzer>,
}

impl Rules for EnglishRules<'_> {
    fn chapter_words(&self) -> &[&str] {
        &["Chapter ", "CHAPTER ", "Part ", "PART ", "Book ", "BOOK "]
    }

    fn ends_after(&self, head: &str, word: &str, next: &str) -> bool {
        stops::ends_after(head, word, next)
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        emoji::run(text).filter(|run| run.count > 1).map(|run| run.bytes)
    }

    fn phrase(&self, text: &str, most: usize) -> Option<usize> {
        let Analyzer { tagger, tokenizer } = self.analyzer?;
        phrases::boundary(text, most, tokenizer, tagger)
    }
}

/// The spans of a text as they would be spoken, by rules alone: without the tagger, which few
/// readings hang on, and cut at spaces where a sentence has no marks. For estimates, which must do
/// without a voice pack.
pub(crate) fn spoken_roughly(text: &str) -> impl Iterator<Item = (String, Pause)> + '_ {
    let tagger = tagger::Tagger::default();
    split::split(text, 0..text.len(), &EnglishRules { analyzer: None }).into_iter().map(move |span| {
        let mut clean = Clean::new(text, span.range);
        normalize::join_thousands(&mut clean);
        (normalize::read(&clean, Accent::American, &tagger).text, span.pause)
    })
}

/// For each token of a sentence, whether a phrase begins with it: a conjunction, a preposition, a
/// relative pronoun.
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
