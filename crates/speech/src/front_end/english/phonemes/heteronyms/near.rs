//! The context of a word that distinguishes its readings: neighbors, determiners, auxiliaries.
//!
//! The parent module has the rules that use it.

use crate::front_end::english::text::Token;

/// A token and its context.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
}

pub(super) const ARTICLES: &[&str] = &["a", "an", "the", "no", "every", "each"];
pub(super) const POSSESSIVES: &[&str] = &["my", "your", "his", "its", "our", "their"];
pub(super) const BE: &[&str] =
    &["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re", "'m", "’s", "’re", "’m"];
pub(super) const HAVE: &[&str] = &["have", "has", "had", "having", "'ve", "’ve"];
pub(super) const DO: &[&str] = &["do", "does", "did"];
pub(super) const MODALS: &[&str] = &[
    "will", "would", "can", "could", "shall", "should", "may", "might", "must", "cannot", "ca", "wo", "sha",
    "'ll", "’ll", "let", "lets", "please", "to",
];
pub(super) const SUBJECTS: &[&str] = &["i", "you", "we", "they", "who"];
pub(super) const PERSONS: &[&str] = &["i", "you", "he", "she", "it", "we", "they"];
pub(super) const BECOME: &[&str] =
    &["get", "got", "getting", "gets", "gotten", "become", "became", "grown", "grew", "grow"];
pub(super) const NOT: &[&str] =
    &["not", "n't", "n’t", "never", "ever", "also", "just", "only", "even", "still", "always", "often"];

/// Words that make a verb negative.
pub(super) const NEGATIONS: &[&str] = &["not", "n't", "n’t", "never"];

impl<'a> Near<'a> {
    pub(super) fn token(self, step: isize) -> Option<&'a Token> {
        self.tokens.get(self.at.checked_add_signed(step)?)
    }

    /// The tag of the token `steps` away; empty beyond the sentence.
    pub(super) fn tag(self, step: isize) -> &'static str {
        self.token(step).map_or("", |token| token.tag)
    }

    pub(super) fn is(self, step: isize, words: &[&str]) -> bool {
        self.token(step).is_some_and(|token| words.iter().any(|word| token.text.eq_ignore_ascii_case(word)))
    }

    /// Whether one of the words occurs within this number of tokens before or after.
    pub(super) fn within(self, steps: isize, words: &[&str]) -> bool {
        (-steps..=steps).any(|step| step != 0 && self.is(step, words))
    }

    pub(super) fn verb_tagged(self) -> bool {
        self.tag(0).starts_with("VB")
    }

    /// The step to the nearest earlier word that is neither an adverb nor a negation; at most five
    /// words back.
    pub(super) fn before_adverbs(self) -> isize {
        let mut step = -1;
        while step > -5 && (self.is(step, NOT) || self.tag(step).starts_with("RB")) {
            step -= 1;
        }
        step
    }

    /// Whether an article, a possessive or a number comes directly before, or with one adjective in
    /// between.
    pub(super) fn determined(self) -> bool {
        let determiner = |step| {
            self.is(step, ARTICLES) || self.is(step, POSSESSIVES) || matches!(self.tag(step), "PRP$" | "POS")
        };
        determiner(-1) || (self.tag(-1).starts_with("JJ") && determiner(-2))
    }

    /// Whether the clause has a verb besides this word: before it, or after it up to a mark or a
    /// word like "when".
    pub(super) fn has_verb_beside(self) -> bool {
        let is_verb = |token: &Token| token.tag.starts_with("VB") || token.tag == "MD";
        let (before, after) = self.tokens.split_at(self.at.min(self.tokens.len()));
        let mut clause = after.iter().skip(1).take_while(|token| {
            !token.tag.starts_with('W')
                && token.text.contains(char::is_alphanumeric)
                && ![
                    "that", "because", "if", "since", "while", "as", "until", "before", "after", "unless",
                    "though",
                ]
                .contains(&token.text.as_str())
        });
        before.iter().any(is_verb) || clause.any(is_verb)
    }

    /// Whether someone is named right before, or one adverb earlier, so that a verb follows.
    pub(super) fn follows_someone(self) -> bool {
        let second_verb = self.is(-1, &["and"]) && self.tag(-2).starts_with("VB");
        matches!(self.tag(self.before_adverbs()), "PRP" | "NNP" | "NNPS" | "WP") || second_verb
    }

    /// Whether someone does something to what follows: "he crooked a finger".
    pub(super) fn has_object(self) -> bool {
        (self.follows_someone() || self.tag(-1).starts_with("NN"))
            && matches!(self.tag(1), "DT" | "PRP$" | "PRP")
    }

    /// The tag of the nearest verb before the word; empty where there is none.
    pub(super) fn verb_before(self) -> &'static str {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        before.iter().rev().find(|token| token.tag.starts_with("VB")).map_or("", |token| token.tag)
    }

    /// Whether a modal, a form of "do", or "to" comes before, so that a base form must follow.
    pub(super) fn wants_base_form(self) -> bool {
        let step = self.before_adverbs();
        self.is(step, MODALS) || self.is(step, DO)
    }

    /// Whether one of these auxiliaries comes before the subject of a question: "did the boy …",
    /// "have you ever …".
    pub(super) fn asked_with(self, auxiliaries: &[&str]) -> bool {
        let mut step = self.before_adverbs();
        let subject = self.tag(step);
        if !(subject == "PRP" || subject.starts_with("NN")) {
            return false;
        }
        step -= 1;
        while step > -6
            && (self.tag(step) == "DT"
                || self.tag(step).starts_with("JJ")
                || self.tag(step) == "PRP$"
                || self.tag(step) == "NNP"
                || self.is(step, NOT))
        {
            step -= 1;
        }
        let first = match self.token(step - 1) {
            None => true,
            // "What time do the shops close?", "How many people did you use?"
            Some(token) => {
                token.tag.starts_with('W')
                    || token.tag == "CC"
                    || !token.text.contains(char::is_alphanumeric)
                    || (2..=4).any(|back| self.tag(step - back).starts_with('W'))
            }
        };
        self.is(step, auxiliaries) && first
    }
}
