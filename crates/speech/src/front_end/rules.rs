//! What each language adds to the splitting of a text into sentences.

/// What a language adds to the splitting that all share.
pub(super) trait Rules {
    /// What the heading of a chapter begins with, with the space after it: `Chapter `.
    fn chapter_words(&self) -> &[&str];

    /// Whether a line begins a paragraph wherever it stands, as what somebody says does in a
    /// dialogue.
    fn opens_paragraph(&self, _line: &str) -> bool {
        false
    }

    /// Whether a single full stop after `word` ends its sentence, when `next` (which starts with
    /// neither a small letter nor a mark) follows. `head` is the sentence before the word.
    fn ends_after(&self, head: &str, word: &str, next: &str) -> bool;

    /// Whether a sentence goes on with `rest` after a quote that ends with a stop, as in
    /// 「行くぞ！」と言った。
    fn goes_on_after_quote(&self, _rest: &str) -> bool {
        false
    }

    /// Bytes of the run of one sign that a text starts with and that is said once, however long it
    /// is.
    fn repeated_sign(&self, text: &str) -> Option<usize>;

    /// The place to cut a stretch without marks at, if it has one: at most `most` bytes from its
    /// start.
    fn phrase(&self, text: &str, most: usize) -> Option<usize>;
}
