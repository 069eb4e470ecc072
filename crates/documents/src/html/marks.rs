//! Note references: raised figures and stars that point to a note. Nobody wants to hear "the
//! lighthouse one".

/// The largest length of a note reference: enough for `[note 12]`.
const MAX_MARK_CHARACTERS: usize = 12;

/// Text that may be a note reference and is held back until that is known.
#[derive(Debug, Default)]
pub(super) struct PendingMark {
    pub text: String,
    /// The number of open elements, including its own.
    pub depth: usize,
    pub raised: bool,
    pub is_link: bool,
    /// Whether it is known to refer to a note.
    pub refers: bool,
}

impl PendingMark {
    pub(super) fn is_too_long(&self) -> bool {
        self.text.chars().take(MAX_MARK_CHARACTERS + 1).count() > MAX_MARK_CHARACTERS
    }

    /// Whether it is a note reference, given the character before it.
    pub(super) fn is_mark(&self, before: Option<char>) -> bool {
        let text: String = self.text.chars().filter(|c| !c.is_whitespace()).collect();
        let bare = text.trim_start_matches(['[', '(', '{']).trim_end_matches([']', ')', '}', '.']);
        let bracketed = bare.len() < text.len();
        let figures = !bare.is_empty() && bare.len() <= 4 && bare.bytes().all(|byte| byte.is_ascii_digit());
        let stars =
            !bare.is_empty() && bare.chars().all(|c| matches!(c, '*' | '†' | '‡' | '§' | '¶' | '‖' | '#'));
        let letter = bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_lowercase());
        let roman = !bare.is_empty() && bare.len() <= 5 && bare.bytes().all(|byte| b"ivxl".contains(&byte));
        let named = bare.trim_start_matches(|c: char| c.is_alphabetic()) != bare
            && bare.ends_with(|c: char| c.is_ascii_digit())
            || bare == "↩"
            || bare == "↑"
            || bare == "^";
        let any = figures || stars || letter || roman;
        let after_stop =
            before.is_some_and(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '”' | '’' | '"' | ')'));
        match (self.raised || self.refers, self.is_link) {
            (true, true) => any || named,
            (false, true) => (bracketed && (any || named)) || stars || matches!(bare, "↩" | "↑" | "^" | "↩︎"),
            (true, false) => stars || ((figures || bracketed && letter) && (after_stop || bracketed)),
            (false, false) => false,
        }
    }
}

/// Superscript characters for raised figures, so that `m²` stays a square. `None` for other text.
pub(super) fn raised_figures(text: &str) -> Option<String> {
    let raised = |c: char| {
        Some(match c {
            '0' => '⁰',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            '9' => '⁹',
            '-' | '−' => '⁻',
            _ => return None,
        })
    };
    text.chars().map(raised).collect()
}
