//! What style sheets say about the speech of elements while a page is written.

use super::Writer;
use crate::html::{elements::Element, speech::Spelling};

impl Writer<'_> {
    /// Whether a style sheet says that an element is not spoken.
    pub(super) fn is_silent(&self, element: &Element<'_>) -> bool {
        self.plan.speech.get(&element.ordinal).is_some_and(|style| style.silent == Some(true))
    }

    /// Writes text with a space between the characters that are read one by one.
    pub(super) fn write_spelled(&mut self, text: &str, spelling: Spelling) {
        let is_alone = |c: char| match spelling {
            Spelling::None => false,
            Spelling::Letters => c.is_alphanumeric(),
            Spelling::Digits => c.is_numeric(),
        };
        for c in text.chars() {
            if is_alone(c) && self.builder.last().is_some_and(is_alone) {
                self.builder.space();
            }
            self.builder.text(c.encode_utf8(&mut [0; 4]));
        }
        self.after_break = false;
    }
}
