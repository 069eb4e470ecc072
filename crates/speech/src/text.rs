//! From a text as a person wrote it to sentences of spoken, tagged tokens.
//!
//! Every token remembers the bytes of the original text that it reads, through every rewriting, so that word
//! timestamps can point into the text as it was sent.

use std::ops::Range;

/// How long the voice rests after a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Another sentence of the same paragraph follows.
    Sentence,
    /// A paragraph ends here.
    Paragraph,
    /// A heading ends here.
    Heading,
    /// A scene break (`* * *`) follows.
    Section,
}

/// One sentence, ready for [`crate::phonemes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The bytes of the original text it was read from.
    pub source: Range<usize>,
    /// Its tokens in order; never empty.
    pub tokens: Vec<Token>,
    /// The rest after it.
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
