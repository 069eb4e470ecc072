//! The rows that a network gets: a sentence that is too long is cut at the best places, and a
//! heading gets the missing full stop.
//!
//! The networks were trained on rows of up to about 400 phonemes and fail on longer ones.

use crate::phonemes::PhonemeWord;

/// The most phonemes, stress marks and spaces in a row.
const MOST_SYMBOLS: usize = 380;

/// A row has at least this many symbols before a cut at a comma or before a phrase is better than a
/// later cut.
const ENOUGH_SYMBOLS: usize = 120;

/// The fewest symbols in the last row: two words spoken separately sound like an afterthought.
const LEAST_SYMBOLS: usize = 60;

/// Words for one run of the network.
#[derive(Debug, PartialEq)]
pub(in crate::engines) struct Row<'a> {
    pub(in crate::engines) words: std::borrow::Cow<'a, [PhonemeWord]>,
}

/// The rows of a sentence, in order. A sentence with nothing to say has none.
pub(in crate::engines) fn cut(words: &[PhonemeWord]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let fitting = fitting(rest);
        if fitting == 0 {
            rows.extend(pieces(&rest[0]));
            rest = &rest[1..];
            continue;
        }
        let count = if fitting == rest.len() { fitting } else { good_end(rest, fitting) };
        let (row, after) = rest.split_at(count);
        rows.push(Row { words: row.into() });
        rest = after;
    }
    rows.retain(|row| row.words.iter().any(|word| !word.punctuation && !word.phonemes.is_empty()));
    rows
}

/// Adds a full stop to words that end a paragraph or form a heading: without one the voice stays
/// up, as if the sentence continued.
pub(in crate::engines) fn close(words: &mut Vec<PhonemeWord>) {
    let closes = |word: &PhonemeWord| word.phonemes.contains(['.', '!', '?', '…', ',', ';', ':', '—']);
    let marked = words.iter().rev().take_while(|word| word.punctuation).any(closes);
    let Some(last) = words.last_mut().filter(|_| !marked) else { return };
    last.space_after = false;
    let end = last.source.end;
    let phonemes = ".".to_owned();
    words.push(PhonemeWord {
        phonemes,
        source: end..end,
        space_after: false,
        punctuation: true,
        starts_phrase: false,
    });
}

/// The number of symbols that a word takes, including its space.
fn symbols(word: &PhonemeWord) -> usize {
    word.phonemes.chars().count() + usize::from(word.space_after)
}

/// The number of words, from the start, that fit into a row.
fn fitting(words: &[PhonemeWord]) -> usize {
    let mut room = MOST_SYMBOLS;
    words
        .iter()
        .take_while(|word| {
            let fits = symbols(word) <= room;
            room = room.saturating_sub(symbols(word));
            fits
        })
        .count()
}

/// Where to end a row of words of which `fitting` fit: after the last punctuation mark that fills
/// it well enough, or before the last word that begins a phrase, or after the last word that a
/// space follows. If that leaves too little for the next row, the row ends earlier, if possible.
fn good_end(words: &[PhonemeWord], fitting: usize) -> usize {
    let all: usize = words.iter().map(symbols).sum();
    let mut filled = 0;
    // For each kind: the last position that leaves enough for another row, and the last position of
    // all.
    let (mut mark, mut phrase, mut space) = ([None; 2], [None; 2], [None; 2]);
    for (at, word) in words[..fitting].iter().enumerate() {
        filled += symbols(word);
        let note = |ends: &mut [Option<usize>; 2]| {
            ends[1] = Some(at + 1);
            if all - filled >= LEAST_SYMBOLS {
                ends[0] = ends[1];
            }
        };
        let enough = filled >= ENOUGH_SYMBOLS;
        if enough && word.punctuation && !word.phonemes.is_empty() {
            note(&mut mark);
        }
        if word.space_after {
            note(&mut space);
            if enough && words.get(at + 1).is_some_and(|next| next.starts_phrase) {
                note(&mut phrase);
            }
        }
    }
    let best = [mark[0], mark[1], phrase[0], space[0], space[1]];
    best.into_iter().flatten().next().unwrap_or(fitting)
}

/// Cuts a word that is longer than a row between its symbols.
fn pieces(word: &PhonemeWord) -> Vec<Row<'static>> {
    let symbols: Vec<char> = word.phonemes.chars().collect();
    symbols
        .chunks(MOST_SYMBOLS)
        .map(|chunk| {
            let piece = PhonemeWord { phonemes: chunk.iter().collect(), ..word.clone() };
            Row { words: vec![piece].into() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(phonemes: &str) -> PhonemeWord {
        PhonemeWord {
            phonemes: phonemes.to_owned(),
            source: 0..1,
            space_after: true,
            punctuation: false,
            starts_phrase: false,
        }
    }

    fn comma() -> PhonemeWord {
        PhonemeWord { punctuation: true, ..word(",") }
    }

    fn sizes(words: &[PhonemeWord]) -> Vec<usize> {
        cut(words).iter().map(|row| row.words.iter().map(symbols).sum()).collect()
    }

    #[test]
    fn a_sentence_that_fits_is_one_row() {
        let words = vec![word("wˈʌn"), comma(), word("tˈu")];
        let rows = cut(&words);
        assert_eq!(rows.len(), 1);
        assert_eq!(*rows[0].words, words[..]);
    }

    #[test]
    fn a_long_sentence_is_cut_after_its_last_fitting_comma() {
        let mut words: Vec<PhonemeWord> = (0..80).map(|_| word("nˈInz")).collect();
        words.insert(40, comma());
        let rows = cut(&words);
        assert_eq!(rows[0].words.len(), 41);
        assert_eq!(rows.iter().map(|row| row.words.len()).sum::<usize>(), words.len());
    }

    #[test]
    fn without_a_comma_it_is_cut_between_words_and_every_row_fits() {
        let words: Vec<PhonemeWord> = (0..1000).map(|_| word("wˈʌndɚ")).collect();
        let sizes = sizes(&words);
        assert!(sizes.iter().all(|size| *size <= MOST_SYMBOLS), "{sizes:?}");
        assert_eq!(sizes.iter().sum::<usize>(), 7000, "nothing is lost");
    }

    // Negative control: with `starts_phrase` ignored, the first row had 63 words.
    #[test]
    fn without_a_comma_it_is_cut_before_a_phrase() {
        let mut words: Vec<PhonemeWord> = (0..100).map(|_| word("nˈInz")).collect();
        for start in [10, 31, 48, 90] {
            words[start].starts_phrase = true;
        }
        let rows: Vec<usize> = cut(&words).iter().map(|row| row.words.len()).collect();
        assert_eq!(rows, [48, 52]);
    }

    // Negative control: with `LEAST_SYMBOLS` 0, the last row had 12 symbols, two words.
    #[test]
    fn no_row_of_two_words_is_left_at_the_end() {
        let words: Vec<PhonemeWord> = (0..65).map(|_| word("nˈInz")).collect();
        let sizes = sizes(&words);
        assert_eq!(sizes.len(), 2);
        assert!(sizes[1] >= LEAST_SYMBOLS && sizes[1] < LEAST_SYMBOLS + 6, "{sizes:?}");
    }

    #[test]
    fn a_word_longer_than_a_row_is_cut_inside() {
        let words = [word("a"), word(&"ba".repeat(2500)), word("b")];
        let sizes = sizes(&words);
        assert!(sizes.iter().all(|size| *size <= MOST_SYMBOLS + 1), "{sizes:?}");
        assert!(sizes.len() >= 14);
    }

    #[test]
    fn a_heading_ends_like_a_sentence_and_what_has_a_mark_keeps_it() {
        let mut heading = vec![word("mˈʊɹ")];
        close(&mut heading);
        assert_eq!(heading.last().map(|word| word.phonemes.as_str()), Some("."));
        assert!(!heading[0].space_after);
        let quote = PhonemeWord { punctuation: true, ..word("”") };
        for marked in [vec![word("mˈʊɹ"), comma()], vec![word("mˈʊɹ"), comma(), quote]] {
            let mut closed = marked.clone();
            close(&mut closed);
            assert_eq!(closed, marked);
        }
        let mut nothing = Vec::new();
        close(&mut nothing);
        assert!(nothing.is_empty());
    }

    #[test]
    fn marks_alone_say_nothing() {
        assert!(cut(&[comma(), comma()]).is_empty());
        assert!(cut(&[]).is_empty());
    }
}
