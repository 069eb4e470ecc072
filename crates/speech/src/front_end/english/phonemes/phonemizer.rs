//! The interface: it takes a tagged sentence and the call's pronunciations, and returns phonemes
//! word by word.
//!
//! A sentence is processed from its end, because the pronunciation of a word depends on the next
//! sound. A group of pieces is looked up as a whole first, then as its longest known sequences of
//! pieces from the right; the remaining words go to the network.

use std::ops::Range;

use crate::{
    front_end::english::text::{Sentence, Token, figures, phrase_starts},
    pack::{FirstUse, Pack, PackError},
};

use super::{
    Accent, Lexicon, PhonemeWord, accents,
    alphabet::{self, PRIMARY, is_pause},
    endings, heteronyms,
    heteronyms::Reading,
    names,
    pieces::{self, Group, Piece, is_joint},
    settle::settle,
    stress::Stress,
    unknown::Unknown,
    words::{Context, Words},
};

/// The limits on a lookup, in bytes and in pieces, because no lexicon has a longer word.
const LONGEST_WORD_BYTES: usize = 64;
const MOST_PIECES: usize = 9;

/// Longer words are cut, so that each part fits into one run of the network.
const LONGEST_SPOKEN_BYTES: usize = 200;

/// Converts tokens to phonemes in one accent. All model threads share one phonemizer.
#[derive(Debug)]
pub struct Phonemizer {
    words: Words,
    unknown: Unknown,
}

/// The phonemizers of a pack: the American one is loaded at once, the British one on first use,
/// because not every pack has British voices.
#[derive(Debug)]
pub struct Phonemizers {
    pack: Pack,
    american: Phonemizer,
    british: FirstUse<Phonemizer>,
}

impl Phonemizers {
    /// Loads the American phonemizer.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or unusable.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        let american = Phonemizer::load(pack, Accent::American)?;
        Ok(Self { pack: pack.clone(), american, british: FirstUse::default() })
    }

    /// The phonemizer of an accent, loaded if necessary.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or unusable; the next call tries again.
    pub fn of(&self, accent: Accent) -> Result<&Phonemizer, PackError> {
        match accent {
            Accent::American => Ok(&self.american),
            Accent::British => self.british.get(|| Phonemizer::load(&self.pack, accent)),
        }
    }
}

impl Phonemizer {
    /// Loads lexicons and network of an accent.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or unusable.
    pub fn load(pack: &Pack, accent: Accent) -> Result<Self, PackError> {
        Ok(Self { words: Words::load(pack, accent)?, unknown: Unknown::load(pack, accent)? })
    }

    /// The accent.
    pub fn accent(&self) -> Accent {
        self.words.accent()
    }

    /// The number of words in the lexicons.
    pub fn known_words(&self) -> usize {
        self.words.entries()
    }

    /// The phonemes of a sentence in order, including punctuation. Words and signs that are silent
    /// are left out or have empty phonemes. This never fails.
    pub fn phonemize(&self, sentence: &Sentence, lexicon: &Lexicon) -> Vec<PhonemeWord> {
        let tokens = &sentence.tokens;
        let mut groups = pieces::group(tokens);
        let mut context = Context::default();
        let mut apart = vec![false; groups.len()];
        for (group, apart) in groups.iter_mut().zip(&mut apart).rev() {
            let mut speaker = Speaker { phonemizer: self, lexicon, tokens, context };
            *apart = speaker.say(group);
            context = speaker.context;
        }
        let starts = phrase_starts(tokens);
        let mut words = Vec::with_capacity(groups.len());
        for (group, apart) in groups.iter().zip(apart) {
            let first = words.len();
            write(group, apart, tokens, self.accent(), &mut words);
            let token = group.pieces.first().and_then(|piece| starts.get(piece.token));
            if let (Some(word), Some(starts_phrase)) = (words.get_mut(first), token) {
                word.starts_phrase = *starts_phrase;
            }
        }
        words
    }
}

/// Pronounces the groups of one sentence, carrying the context from right to left.
struct Speaker<'a> {
    phonemizer: &'a Phonemizer,
    lexicon: &'a Lexicon,
    tokens: &'a [Token],
    context: Context,
}

impl Speaker<'_> {
    /// Fills in the phonemes of all pieces. Returns whether the pieces are spoken as separate
    /// words.
    fn say(&mut self, group: &mut Group<'_>) -> bool {
        if group.punctuation {
            for piece in &group.pieces {
                self.step_over(&piece.text, piece.tag, piece.phonemes.as_deref().unwrap_or_default());
            }
            return false;
        }
        let whole = group.text();
        let pieces = group.pieces.as_mut_slice();
        if pieces.len() > 1 && !self.has_other_reading(pieces) && self.say_as_one(pieces) {
            return false;
        }
        // An ending such as 's waits for the sound before it.
        let ending = contraction(pieces);
        let (stem, endings) = pieces.split_at_mut(pieces.len() - ending.map_or(0, |(_, pieces)| pieces));
        for piece in endings {
            piece.phonemes = Some(String::new());
        }
        let strange = self.say_stretches(stem);
        if let Some((ending, _)) = ending {
            let last = stem
                .iter_mut()
                .rev()
                .find_map(|piece| piece.phonemes.as_mut().filter(|said| !said.is_empty()));
            if let Some(last) = last
                && let Some(contracted) = endings::contracted(last, ending, self.phonemizer.accent())
            {
                *last = contracted;
            }
        }
        let apart = strange || is_mixed(&whole);
        if !apart {
            soften(pieces);
        }
        apart
    }

    /// Whether the first of the pieces has the rarer of its readings, which the lexicon's possessive has not: "Job's tomb".
    fn has_other_reading(&self, pieces: &[Piece<'_>]) -> bool {
        let [first, ending] = pieces else { return false };
        ending.text.eq_ignore_ascii_case("'s")
            && matches!(heteronyms::settle(self.tokens, first.token, || false), Some(Reading::Say(_)))
    }

    /// Pronounces sequences of pieces, the longest known ones first, from the right. Returns
    /// whether one was unknown.
    fn say_stretches(&mut self, pieces: &mut [Piece<'_>]) -> bool {
        let several = pieces.len() > 1;
        let mut strange = false;
        let mut right = pieces.len();
        while right > 0 {
            let lefts = right.saturating_sub(MOST_PIECES)..right;
            if let Some(left) = lefts.into_iter().find(|&left| self.say_as_one(&mut pieces[left..right])) {
                right = left;
                continue;
            }
            right -= 1;
            let last_of_group = right + 1 == pieces.len();
            let piece = &mut pieces[right];
            let said = if last_of_group && several && piece.text.chars().all(is_pause) {
                // The period of an abbreviation is silent, unless it also ends the sentence.
                let silent = piece.text == "." && piece.token + 1 < self.tokens.len();
                if silent { String::new() } else { piece.text.to_string() }
            } else if is_joint(&piece.text) {
                String::new()
            } else {
                strange = true;
                self.unknown(&piece.text)
            };
            self.step_over(&piece.text, piece.tag, &said);
            piece.phonemes = Some(said);
        }
        strange && several
    }

    /// Pronounces a sequence of pieces as one word, if the call, a rule or the lexicon knows it.
    /// Pieces that are already settled stay separate.
    fn say_as_one(&mut self, stretch: &mut [Piece<'_>]) -> bool {
        if let [piece] = stretch {
            let said = match piece.phonemes.take() {
                Some(said) => Some(said),
                None => self.known_piece(piece),
            };
            if let Some(said) = &said {
                self.step_over(&piece.text, piece.tag, said);
            }
            piece.phonemes = said;
            return piece.phonemes.is_some();
        }
        let bytes: usize = stretch.iter().map(|piece| piece.text.len()).sum();
        if bytes > LONGEST_WORD_BYTES || stretch.iter().any(|piece| piece.phonemes.is_some()) {
            return false;
        }
        let text: String = stretch.iter().map(|piece| piece.text.as_ref()).collect();
        let tag = heaviest_tag(stretch);
        let Some(said) = self.known(&text, tag) else { return false };
        self.step_over(&text, tag, &said);
        for piece in stretch.iter_mut() {
            piece.phonemes = Some(String::new());
        }
        if let Some(first) = stretch.first_mut() {
            first.phonemes = Some(said);
        }
        true
    }

    fn known_piece(&self, piece: &Piece<'_>) -> Option<String> {
        if let Some(said) = self.given(&piece.text) {
            return Some(said);
        }
        if let Some(said) = self.part_of_name(piece) {
            return Some(said);
        }
        let words = &self.phonemizer.words;
        let whole_token = self.tokens.get(piece.token).filter(|token| token.text.len() == piece.text.len());
        let reading = whole_token.and_then(|_| {
            heteronyms::settle(self.tokens, piece.token, || words.has_several_readings(&piece.text))
        });
        match reading {
            Some(Reading::Say(phonemes)) => Some(Stress::of_capitals(&piece.text).apply(phonemes)),
            Some(Reading::Tag(tag)) => self.known(&piece.text, tag),
            None => self.known(&piece.text, piece.tag),
        }
    }

    /// The pronunciation of a word that makes a name with its neighbor: `Des` in "Des Moines".
    fn part_of_name(&self, piece: &Piece<'_>) -> Option<String> {
        let text = |at: usize| self.tokens.get(at).map(|token| token.text.as_str());
        let this = text(piece.token).filter(|text| text.len() == piece.text.len())?;
        let accent = self.phonemizer.accent();
        let first = text(piece.token + 1).and_then(|next| names::part(this, next, false, accent));
        let before = piece.token.checked_sub(1).and_then(text);
        first.or_else(|| names::part(before?, this, true, accent))
    }

    fn known(&self, text: &str, tag: &str) -> Option<String> {
        let words = &self.phonemizer.words;
        let say = |word: &str| words.pronounce(word, tag, self.context);
        let accent = self.phonemizer.accent();
        let found = self
            .given(text)
            .or_else(|| self.number(text))
            .or_else(|| names::find(text, accent))
            .or_else(|| names::possessive(text, accent));
        if found.is_some() || text.len() > LONGEST_WORD_BYTES {
            return found;
        }
        // The spelling without accents counts if it sounds the same. Other borrowed words go on to
        // the network, which was trained on accents.
        say(text)
            .or_else(|| names::plural(text, accent))
            .or_else(|| say(&accents::plain(text)?).filter(|twin| accents::sounds_alike(text, twin)))
    }

    /// The pronunciation that the call gives for a word, or for the word of which this is the
    /// possessive.
    fn given(&self, text: &str) -> Option<String> {
        if let Some(given) = self.lexicon.get(text) {
            return Some(given.to_owned());
        }
        let owner = text.strip_suffix("'s").or_else(|| text.strip_suffix('\''))?;
        endings::plural(self.lexicon.get(owner)?, self.phonemizer.accent())
    }

    fn number(&self, text: &str) -> Option<String> {
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let said = figures::token(text)?;
        let said = said.split(' ').filter_map(|word| self.phonemizer.words.plain(word));
        Some(said.collect::<Vec<_>>().join(" "))
    }

    fn unknown(&self, text: &str) -> String {
        // A diaeresis on e or i only says that the vowel is a separate syllable; the network was
        // trained on Zoe, and takes Zoë for another sound.
        let ask = |word: &str| self.phonemizer.unknown.pronounce(&word.replace('ë', "e").replace('ï', "i"));
        // A token that was not cut before its ending.
        let cut = text.rfind('\'').filter(|&at| at > 0).map(|at| text.split_at(at));
        cut.and_then(|(stem, ending)| endings::contracted(&ask(stem), ending, self.phonemizer.accent()))
            .unwrap_or_else(|| ask(text))
    }

    fn step_over(&mut self, text: &str, tag: &str, phonemes: &str) {
        self.context = self.context.before(text, tag, phonemes);
    }
}

/// The ending of a contraction or a possessive that follows something, and the number of its
/// pieces.
fn contraction(pieces: &[Piece<'_>]) -> Option<(&'static str, usize)> {
    const ENDINGS: [&str; 5] = ["'s", "'ve", "'d", "'ll", "'re"];
    let (last, before) = pieces.split_last()?;
    before.last()?;
    ENDINGS.into_iter().find(|ending| last.text.eq_ignore_ascii_case(ending)).map(|ending| (ending, 1))
}

/// The tag of the longest piece; capital letters count twice.
fn heaviest_tag(pieces: &[Piece<'_>]) -> &'static str {
    let weight = |piece: &Piece<'_>| -> usize {
        piece.text.chars().map(|c| if c.is_uppercase() { 2 } else { 1 }).sum()
    };
    // `max_by_key` returns the last of equal pieces; here the first counts.
    pieces.iter().rev().max_by_key(|piece| weight(piece)).map_or("", |piece| piece.tag)
}

/// Whether a group mixes letters, digits and signs, so that its parts are separate words:
/// `COVID-19`, `and/or`.
fn is_mixed(text: &str) -> bool {
    let kind = |c: char| match c {
        _ if c.is_alphabetic() => 0,
        _ if c.is_numeric() => 1,
        _ => 2,
    };
    let mut kinds = text.chars().filter(|&c| !is_joint(c.encode_utf8(&mut [0; 4]))).map(kind);
    let first = kinds.next();
    text.contains('/') || kinds.any(|kind| Some(kind) != first)
}

/// Keeps the stress of one word of a compound and weakens the lighter half: `wˌɛlnˈOn`.
fn soften(pieces: &mut [Piece<'_>]) {
    let mut spoken: Vec<(bool, usize, usize)> = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(said) = piece.phonemes.as_deref().filter(|said| !said.is_empty()) {
            spoken.push((said.contains(PRIMARY), said.chars().map(alphabet::weight).sum(), index));
        }
    }
    let weak: Vec<usize> = match spoken.as_slice() {
        [first, second] if pieces[first.2].text.chars().count() == 1 => vec![second.2],
        _ if spoken.iter().filter(|(primary, ..)| *primary).count() <= spoken.len().div_ceil(2) => Vec::new(),
        _ => {
            spoken.sort_unstable();
            spoken.iter().take(spoken.len() / 2).map(|(.., index)| *index).collect()
        }
    };
    for index in weak {
        if let Some(said) = &mut pieces[index].phonemes {
            *said = Stress::Weakened.apply(said);
        }
    }
}

/// Writes a group as one word, or as several if its parts are spoken separately, a part is more
/// than one word, or the word would be too long.
fn write(group: &Group<'_>, apart: bool, tokens: &[Token], accent: Accent, words: &mut Vec<PhonemeWord>) {
    let first = words.len();
    let mut last_piece = first;
    for piece in &group.pieces {
        let source = tokens.get(piece.token).map_or(0..0, |token| token.source.clone());
        let said = settle(piece.phonemes.as_deref().unwrap_or_default(), accent);
        let room = words.last().is_some_and(|word| word.phonemes.len() < LONGEST_SPOKEN_BYTES);
        let joined = words.len() > first && (said.is_empty() || (!apart && room));
        let mut parts = said.split(' ');
        if joined {
            // The source of a word is that of its pieces; the source of a name that is two words
            // (`O'Brien`) is that of all pieces.
            for word in &mut words[last_piece..] {
                word.source = union(&word.source, &source);
            }
            if let (Some(word), Some(part)) = (words.last_mut(), parts.next()) {
                word.phonemes.push_str(part);
            }
        } else {
            last_piece = words.len();
        }
        for part in parts {
            if let Some(word) = words[first..].last_mut() {
                word.space_after = true;
            }
            let source = words.get(last_piece).map_or(source.clone(), |word| word.source.clone());
            words.push(PhonemeWord {
                phonemes: part.to_owned(),
                source,
                space_after: false,
                punctuation: group.punctuation,
                starts_phrase: false,
            });
        }
    }
    if let Some(last) = words[first..].last_mut() {
        last.space_after = group.space_after;
    }
}

fn union(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}
