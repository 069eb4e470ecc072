//! The marks of notes: raised figures and stars that point to the foot of the page. Nobody wants to hear "the
//! lighthouse one".

/// The longest mark: `[note 12]`.
const LONGEST: usize = 12;

/// Text that may be the mark of a note, held back until that is known.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub text: String,
    /// How many elements are open inside it, itself included.
    pub depth: usize,
    /// Whether it is raised, and whether it leads to another place.
    pub raised: bool,
    pub leads: bool,
}

impl Held {
    /// Whether it is too long already.
    pub(super) fn is_text(&self) -> bool {
        self.text.chars().take(LONGEST + 1).count() > LONGEST
    }

    /// Whether it is the mark of a note, given the character before it.
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
        let behind_stop =
            before.is_some_and(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '”' | '’' | '"' | ')'));
        match (self.raised, self.leads) {
            (true, true) => any || named,
            (false, true) => (bracketed && (any || named)) || stars || matches!(bare, "↩" | "↑" | "^" | "↩︎"),
            (true, false) => stars || ((figures || bracketed && letter) && (behind_stop || bracketed)),
            (false, false) => false,
        }
    }
}

/// Raised figures as characters of their own, so that a square stays one: `m²`. `None` for anything else.
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
