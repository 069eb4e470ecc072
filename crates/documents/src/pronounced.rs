//! Stretches of a text whose author gives their pronunciation: collected while the text is written, and cut
//! with it.

use std::ops::Range;

use crate::{
    document::{PhonemeAlphabet, Pronounced},
    marked::trimmed,
};

/// The most stretches of a document: more are not kept, so that a hostile file does not grow.
const MOST: usize = 10_000;

/// The longest pronunciation that is kept, in bytes.
const LONGEST: usize = 1_000;

/// The pronounced stretches of a text that is being written.
#[derive(Debug, Default)]
pub(crate) struct PronouncedStretches {
    found: Vec<Pronounced>,
    /// The outermost open one, and where it began. An inner one would say a part of it twice.
    open: Option<(usize, String, PhonemeAlphabet)>,
    /// How many are open.
    depth: usize,
}

impl PronouncedStretches {
    /// A stretch begins at the end of the text.
    pub(crate) fn begin(&mut self, phonemes: &str, alphabet: PhonemeAlphabet, text: &str) {
        self.depth += 1;
        if self.depth == 1 {
            self.open = Some((text.len(), phonemes.trim().to_owned(), alphabet));
        }
    }

    /// The innermost stretch ends at the end of the text.
    pub(crate) fn end(&mut self, text: &str) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 {
            return;
        }
        let Some((start, phonemes, alphabet)) = self.open.take() else { return };
        let is_kept = !phonemes.is_empty() && phonemes.len() <= LONGEST && self.found.len() < MOST;
        if let Some(range) = trimmed(text, start..text.len()).filter(|_| is_kept) {
            self.found.push(Pronounced { range, phonemes, alphabet });
        }
    }

    /// The stretches.
    pub(crate) fn finish(self) -> Vec<Pronounced> {
        self.found
    }
}

/// The whole stretches inside a part of the text, counted from its start. `pronounced` are in order.
pub(crate) fn within(pronounced: &[Pronounced], part: &Range<usize>) -> Vec<Pronounced> {
    let first = pronounced.partition_point(|stretch| stretch.range.start < part.start);
    let inside = pronounced[first..].iter().take_while(|stretch| stretch.range.end <= part.end);
    let counted = inside.map(|stretch| Pronounced {
        range: stretch.range.start - part.start..stretch.range.end - part.start,
        ..stretch.clone()
    });
    counted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_stretch_counts_and_a_flood_is_bounded() {
        let (mut all, mut text) = (PronouncedStretches::default(), "A ".to_owned());
        all.begin("x", PhonemeAlphabet::Ipa, &text);
        text += "two ";
        all.begin("y", PhonemeAlphabet::Ipa, &text);
        text += "words";
        all.end(&text);
        all.end(&text);
        for _ in 0..20_000 {
            text += " and";
            all.begin("z", PhonemeAlphabet::XSampa, &text);
            text += " one";
            all.end(&text);
        }
        // Without sounds or without words.
        all.begin(" ", PhonemeAlphabet::Ipa, &text);
        text += " none";
        all.end(&text);
        all.begin("x", PhonemeAlphabet::Ipa, &text);
        all.end(&text);
        let found = all.finish();
        assert_eq!(
            (found.len(), &text[found[0].range.clone()], found[0].phonemes.as_str()),
            (MOST, "two words", "x")
        );
        assert_eq!(&text[found[1].range.clone()], "one");
        assert_eq!(within(&found, &(2..11)).len(), 1);
        assert_eq!(within(&found, &(3..11)).len(), 0, "a part of one is not said as a whole");
        let range = found[1].range.clone();
        assert_eq!(within(&found, &range)[0].range, 0..3);
    }
}
