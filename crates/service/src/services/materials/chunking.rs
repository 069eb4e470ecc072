//! The service's rules for cutting a document's text into chunks: where markup may not be cut,
//! which characters are billed, and how long the text will last.

use lectern_documents::{PhonemeAlphabet, Pronounced, SpeechRules};
use lectern_speech::{
    estimate,
    lexicons::{Entry, Said},
    markup,
};

/// The rules of the service's markup and voices.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsSpoken;

impl SpeechRules for AsSpoken {
    fn characters(&self, text: &str) -> usize {
        markup::characters(text)
    }

    fn is_speakable(&self, text: &str) -> bool {
        markup::plain(text).contains(char::is_alphanumeric)
    }

    fn duration_ms(&self, text: &str, language: Option<&str>) -> u64 {
        estimate::estimate_ms(text, language.and_then(|tag| tag.parse().ok()))
    }

    fn cut_at(&self, text: &str, at: usize) -> usize {
        markup::outside(text, at)
    }
}

/// A pronunciation that a document gives for a stretch of `text`, in the voices' alphabet; `None` for one with a symbol
/// that no voice knows.
pub fn ipa(text: &str, stretch: &Pronounced) -> Option<String> {
    let phonemes = stretch.phonemes.clone();
    let said = match stretch.alphabet {
        PhonemeAlphabet::Ipa => Said::Ipa(phonemes),
        PhonemeAlphabet::XSampa => Said::XSampa(phonemes),
    };
    Entry { word: text.get(stretch.range.clone())?.to_owned(), said }.phonemes().ok()?
}

#[cfg(test)]
mod tests {
    use lectern_documents::{CHUNK_CHARACTERS, CHUNK_MS, Extracted, Kind, Limits, extract_with};

    use super::*;

    fn read(kind: Kind, text: &str) -> Extracted {
        let read = extract_with(kind, text.as_bytes(), &Limits::default(), &AsSpoken).unwrap();
        let joined: String = read.chunks.iter().map(|chunk| &read.text[chunk.range.clone()]).collect();
        assert_eq!(joined, read.text);
        read
    }

    // Negative control: with `duration_ms` 0 the digits are one chunk.
    #[test]
    fn texts_that_last_long_make_smaller_chunks() {
        let flags: String = ["🇫🇷", "🇩🇪"].iter().cycle().take(2_400).copied().collect();
        for text in ["7".repeat(5_000), flags, "Well. [pause 10s] ".repeat(250)] {
            // Without letters the text would have nothing to read aloud.
            let text = format!("Said: {text}");
            let read = read(Kind::PlainText, &text);
            assert!(read.chunks.len() > 1, "{} characters are one chunk", text.chars().count());
            for chunk in &read.chunks {
                assert!(AsSpoken.duration_ms(&read.text[chunk.range.clone()], None) <= CHUNK_MS);
            }
        }
        let prose = "The lamp was lit, and the keeper went down to the sea. ".repeat(90);
        assert_eq!(read(Kind::PlainText, &prose).chunks.len(), 1);
    }

    #[test]
    fn no_chunk_ends_inside_markup_and_none_is_paid_for_it() {
        // The markup holds the only spaces and sentence ends.
        for shift in 0..40 {
            let text = format!(
                "{}{}",
                "x".repeat(CHUNK_CHARACTERS - shift),
                "[New York](/nu jˈɔɹk/)[pause 1s]".repeat(3)
            );
            let read = read(Kind::PlainText, &text);
            let paid: u32 = read.chunks.iter().map(|chunk| chunk.characters).sum();
            assert_eq!(paid as usize, CHUNK_CHARACTERS - shift + 3 * "New York".len(), "{shift}");
        }
    }

    // Negative control: with the letters of markup counted as speech, a chunk of only pauses
    // counted as one with speech.
    #[test]
    fn pauses_join_the_chunk_before_them_where_it_has_room() {
        for pauses in 80..110 {
            let text = format!("Hello.\n\n{}", "[pause 10s]\n".repeat(pauses));
            let read = read(Kind::PlainText, &text);
            for pair in read.chunks.windows(2) {
                assert!(!AsSpoken.is_speakable(&read.text[pair[1].range.clone()]));
                let both = &read.text[pair[0].range.start..pair[1].range.end];
                assert!(AsSpoken.duration_ms(both, None) > CHUNK_MS, "{pauses} pauses");
            }
        }
    }

    #[test]
    fn markdown_keeps_pronunciations_and_pauses_as_they_are_written() {
        let read = read(
            Kind::Markdown,
            "Say [*Ada*](/ˈeɪdə/), [pause 1.5s] not [that](/route/) or [this](https://a.de/é/).",
        );
        assert_eq!(read.text.trim(), "Say [Ada](/ˈeɪdə/), [pause 1.5s] not that or this.");
    }
}
