//! How the pitch rises for a question: from the last accent of the words that rise to their end, in
//! place of what the network would do there.
//!
//! The networks learned from a voice that lets most questions fall. The rise is a smooth course in
//! semitones from where the voice is at the accent, or a little above its middle if it is higher, and it
//! ends within the voice's own range. What is not a question has no bend, and its pitch stays as it was
//! to the last bit.

use std::ops::Range;

use super::{delivery::LOWEST_HZ, timing::Grid};
use crate::{
    front_end::questions::{Rise, RiseSize},
    phonemes::{
        PhonemeIds, PhonemeWord,
        alphabet::{PRIMARY, SECONDARY},
        is_vowel as is_english_vowel,
    },
    spec::Prosody,
};

/// Spoken words, from the last one back, among which an accent is looked for.
const REACH: usize = 4;

/// Frames are 12.5 ms. A rise takes at least and at most this many: a faster one squeaks, and in a slower
/// one the voice stays at the middle for a time.
const SHORTEST: usize = 17;
const LONGEST: usize = 56;

/// Sounds that rise in less than these steps of two frames are said slower: in a fifth of a second the voice
/// gets nowhere, and the networks creak instead. No sound gets more than [`MOST_SLOWER`] times its length.
const ROOM: f32 = 16.0;
const MOST_SLOWER: f32 = 1.5;

/// The networks count the silence at the end of a sentence as part of its last sound. What is over this
/// many steps is none of it.
const LONGEST_SOUND: f32 = 5.0;

/// The last frames, but no more than a quarter of the rise, keep its highest pitch: the voice fades there,
/// and nobody would hear where it goes.
const FADING: usize = 8;

/// Frames over which the voice comes from its own course to that of the rise, before it.
const ENTRY: usize = 6;

/// Frames after the last sound of a rise that keep its pitch.
const TAIL: usize = 4;

/// A voice may sound this many frames past the end that the lengths give.
const OVERTIME: usize = 8;

/// What the rise starts from lies within these semitones of the voice's middle.
const LOWEST_START: f32 = -5.0;
const HIGHEST_START: f32 = 1.0;

/// How sharply the rise bends up towards its end; 1 is straight.
const BEND: f32 = 1.5;

/// The same before consonants without a pitch, where little of the vowel is heard.
const CHECKED_BEND: f32 = 1.0;

/// The end of a rise is at most this many semitones above what the voice itself reaches in the row,
/// but at least [`LEAST_RISE`] above the start.
const OVER_TOP: f32 = 0.5;
const LEAST_RISE: f32 = 2.5;

/// The most semitones that the voice's own course is changed by. At the end of a sentence it creaks an
/// octave lower.
const MOST_CHANGE: f32 = 24.0;

/// A frame that is raised by this many semitones or more would have creaked.
const WHOLE_EFFORT: f32 = 12.0;

/// The own pitch of a frame is the median of this many on either side: at the edges of what sounds, the
/// networks say anything.
const NEAR: usize = 2;

/// How far it goes.
struct Shape {
    /// Semitones from the start.
    rise: f32,
    /// The end is at least this many semitones above the voice's middle.
    least: f32,
}

const fn shape(size: RiseSize) -> Shape {
    match size {
        RiseSize::Question => Shape { rise: 5.0, least: 2.0 },
        RiseSize::Alternative => Shape { rise: 4.0, least: 1.5 },
        RiseSize::Mora => Shape { rise: 5.0, least: 1.5 },
    }
}

/// Where a voice moves in a row, in semitones above 1 Hz.
#[derive(Debug, Clone, Copy)]
struct VoiceRange {
    middle: f32,
    /// What it is rarely above.
    top: f32,
}

impl VoiceRange {
    fn of(own: &[Option<f32>]) -> Option<Self> {
        let mut sorted: Vec<f32> = own.iter().flatten().copied().collect();
        sorted.sort_by(f32::total_cmp);
        let at = |share: f32| sorted.get((sorted.len() as f32 * share) as usize).copied();
        Some(Self { middle: at(0.5)?, top: at(0.95)? })
    }
}

/// A rise in a row of phonemes.
#[derive(Debug, Clone, PartialEq)]
struct Bend {
    /// The ids from the accent to the last sound of the last word that can be sung.
    ids: Range<usize>,
    /// Whether consonants without a pitch follow: "map".
    is_checked: bool,
    size: RiseSize,
}

/// The rises of a row of phonemes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::engines) struct Intonation {
    bends: Vec<Bend>,
    /// Frames that sounds come before the place that the lengths add up to.
    ahead: usize,
}

impl Intonation {
    /// The rises of a row. One whose words have a pitch or a range of their own is left out: what the text
    /// says itself goes first.
    pub(in crate::engines) fn of(
        rises: &[Rise],
        prosody: Prosody<'_>,
        words: &[PhonemeWord],
        phonemes: &PhonemeIds,
        grid: Grid,
    ) -> Self {
        let bends = rises.iter().filter_map(|rise| bend(rise, prosody, words, phonemes)).collect();
        Self { bends, ahead: grid.ahead / grid.hop }
    }

    /// Whether nothing rises.
    pub(in crate::engines) fn is_empty(&self) -> bool {
        self.bends.is_empty()
    }

    /// Makes room for the rises in how long each phoneme is, in steps of two frames.
    pub(in crate::engines) fn make_room(&self, durations: &mut [f32]) {
        let sound = |steps: f32| steps.min(LONGEST_SOUND);
        for bend in &self.bends {
            let Some(part) = durations.get_mut(bend.ids.clone()) else { continue };
            let time: f32 = part.iter().copied().map(sound).sum();
            let slower = (ROOM / time.max(1.0)).clamp(1.0, MOST_SLOWER);
            for steps in part {
                *steps += sound(*steps) * (slower - 1.0);
            }
        }
    }

    /// The pitch of each frame with the rises, of which `pitch_hz` is what the network would do.
    pub(in crate::engines) fn bent(&self, lengths: &[usize], pitch_hz: &[f32]) -> Vec<f32> {
        let changes = self.changes(lengths, pitch_hz, |_| true);
        let bent = |(hertz, change): (&f32, &f32)| {
            if *change == 0.0 || *hertz < LOWEST_HZ { *hertz } else { hertz * (change / 12.0).exp2() }
        };
        pitch_hz.iter().zip(&changes).map(bent).collect()
    }

    /// How much of [`WHOLE_EFFORT`] each frame is raised by, 0 to 1, where a question ends so. A frame without a pitch, and the
    /// first ones after the rise, have that of the last frame before.
    pub(in crate::engines) fn effort(&self, lengths: &[usize], pitch_hz: &[f32]) -> Vec<f32> {
        // The other parts of a choice do not end it: the voice goes on, as loud as it was.
        let changes = self.changes(lengths, pitch_hz, |bend| bend.size != RiseSize::Alternative);
        changes.into_iter().map(|change| (change / WHOLE_EFFORT).clamp(0.0, 1.0)).collect()
    }

    /// What some of the rises change in each frame, in semitones.
    fn changes(&self, lengths: &[usize], pitch_hz: &[f32], counts: fn(&Bend) -> bool) -> Vec<f32> {
        let mut changes = vec![0.0_f32; pitch_hz.len()];
        let bends: Vec<&Bend> = self.bends.iter().filter(|bend| counts(bend)).collect();
        if bends.is_empty() {
            return changes;
        }
        let own = own_course(pitch_hz);
        if let Some(range) = VoiceRange::of(&own) {
            for bend in bends {
                self.add(bend, lengths, &own, range, &mut changes);
            }
        }
        changes
    }

    /// Writes the change of each frame of a rise, in semitones.
    fn add(
        &self,
        bend: &Bend,
        lengths: &[usize],
        own: &[Option<f32>],
        range: VoiceRange,
        changes: &mut [f32],
    ) {
        let frame =
            |id: usize| lengths.iter().take(id).sum::<usize>().saturating_sub(self.ahead).min(own.len());
        let (accent, end) = (frame(bend.ids.start), frame(bend.ids.end));
        let sounds = |at: usize| own.get(at).is_some_and(Option::is_some);
        let reach = if bend.is_checked { 0 } else { OVERTIME };
        let overtime = (end..end + reach).take_while(|&at| sounds(at)).count();
        let Some(last) = (accent..end + overtime).rev().find(|&at| sounds(at)) else { return };
        let end = last + 1;
        let start = accent.min(end.saturating_sub(SHORTEST)).max(end.saturating_sub(LONGEST));
        let Shape { rise, least } = shape(bend.size);
        let VoiceRange { middle, top } = range;
        let at_start = median(own[start..(start + ENTRY).min(end)].iter().flatten().copied());
        let from = at_start.unwrap_or(middle).clamp(middle + LOWEST_START, middle + HIGHEST_START);
        let to = (from + rise).min(top + OVER_TOP).max(middle + least).max(from + LEAST_RISE);
        let length = (end - start).saturating_sub(FADING.min((end - start) / 4)).max(1);
        let bend_up = if bend.is_checked { CHECKED_BEND } else { BEND };
        let along = |at: usize| ((at - start) as f32 / length as f32).min(1.0);
        let target = |at: usize| from + (to - from) * along(at).powf(bend_up);
        // Where nothing sounds, the change is that of the last sound before.
        let mut change = None;
        let mut wanted = Vec::with_capacity(end - start);
        for at in start..end {
            let here = own[at].map(|own| (target(at) - own).clamp(-MOST_CHANGE, MOST_CHANGE));
            change = here.or(change);
            wanted.push(change.unwrap_or(0.0));
        }
        let first = wanted.first().copied().unwrap_or_default();
        for (step, at) in (start.saturating_sub(ENTRY)..start).rev().enumerate() {
            changes[at] += first * (1.0 - (step + 1) as f32 / (ENTRY + 1) as f32);
        }
        let tail = wanted.last().copied().unwrap_or_default();
        changes[start..end].copy_from_slice(&wanted);
        let after = (end + TAIL).min(changes.len());
        changes[end..after].fill(tail);
    }
}

#[cfg(test)]
impl Intonation {
    /// A row that is one question of these words.
    pub(in crate::engines) fn of_question(words: &[&str], phonemes: &PhonemeIds, grid: Grid) -> Self {
        let words: Vec<PhonemeWord> = words
            .iter()
            .map(|word| PhonemeWord {
                phonemes: (*word).to_owned(),
                source: 0..5,
                space_after: true,
                punctuation: false,
                starts_phrase: false,
            })
            .collect();
        let rises = [Rise { range: 0..5, size: RiseSize::Question }];
        Self::of(&rises, Prosody::default(), &words, phonemes, grid)
    }
}

/// The bend of a rise, if its end is in this row and its pitch is the voice's own affair.
fn bend(rise: &Rise, prosody: Prosody<'_>, words: &[PhonemeWord], phonemes: &PhonemeIds) -> Option<Bend> {
    let said: Vec<(&PhonemeWord, &Range<usize>)> = words
        .iter()
        .zip(&phonemes.words)
        .filter(|(word, ids)| !word.punctuation && !ids.is_empty())
        .filter(|(word, _)| word.source.end > rise.range.start && word.source.start < rise.range.end)
        .collect();
    let (last, last_ids) = said.last()?;
    // In a sentence of several rows, the end may be in a later one. A word's bytes may lack a mark of it.
    if last.source.end + 3 < rise.range.end {
        return None;
    }
    let accented = said.iter().rev().take(REACH).position(|(word, _)| word.phonemes.contains(PRIMARY));
    let from = match rise.size {
        RiseSize::Mora => 0,
        RiseSize::Question | RiseSize::Alternative => accented.unwrap_or(0),
    };
    let (word, ids) = said[said.len() - 1 - from];
    let is_own = |word: &PhonemeWord| prosody.leaves_pitch_alone(word.source.start);
    if !said[said.len() - 1 - from..].iter().all(|(word, _)| is_own(word)) {
        return None;
    }
    let start = match rise.size {
        RiseSize::Mora => word
            .phonemes
            .chars()
            .rev()
            .position(is_vowel)
            .map(|back| word.phonemes.chars().count() - 1 - back),
        RiseSize::Question | RiseSize::Alternative => accent(&word.phonemes),
    };
    // Symbols that the network does not know have no id.
    let start = ids.start + start.unwrap_or(0).min(ids.len() - 1);
    let checked = last.phonemes.chars().rev().take_while(|&symbol| !is_sung(symbol)).count();
    let end = last_ids.end.saturating_sub(checked).max(start + 1);
    Some(Bend { ids: start..end, is_checked: checked > 0, size: rise.size })
}

/// Whether a symbol is a vowel of any language that has rises.
fn is_vowel(symbol: char) -> bool {
    is_english_vowel(symbol) || matches!(symbol, 'e' | 'o' | 'ɯ' | 'ɨ' | 'y' | 'ø' | 'œ' | 'ɐ')
}

/// Whether a sound carries a pitch that can be heard.
fn is_sung(symbol: char) -> bool {
    is_vowel(symbol)
        || matches!(
            symbol,
            'm' | 'n' | 'ŋ' | 'l' | 'ɹ' | 'r' | 'ɾ' | 'j' | 'w' | 'ɲ' | 'ʎ' | 'ɴ' | 'ː' | '\u{303}'
        )
}

/// The symbol of a word from which its last accent sounds.
fn accent(phonemes: &str) -> Option<usize> {
    let symbols: Vec<char> = phonemes.chars().collect();
    let last = |is: &dyn Fn(char) -> bool| symbols.iter().rposition(|&symbol| is(symbol));
    last(&|symbol| symbol == PRIMARY)
        .or_else(|| last(&|symbol| symbol == SECONDARY))
        .or_else(|| symbols.iter().position(|&symbol| is_vowel(symbol)))
}

/// The pitch of each frame that sounds, in semitones above 1 Hz, without what a single frame does.
fn own_course(pitch_hz: &[f32]) -> Vec<Option<f32>> {
    let semitones = |hertz: f32| 12.0 * hertz.log2();
    let near = |at: usize| {
        let range = at.saturating_sub(NEAR)..(at + NEAR + 1).min(pitch_hz.len());
        median(pitch_hz[range].iter().filter(|hertz| **hertz >= LOWEST_HZ).map(|&hertz| semitones(hertz)))
    };
    let course = |(at, hertz): (usize, &f32)| if *hertz >= LOWEST_HZ { near(at) } else { None };
    pitch_hz.iter().enumerate().map(course).collect()
}

fn median(values: impl Iterator<Item = f32>) -> Option<f32> {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Delivered, Delivery};

    const GRID: Grid = Grid { hop: 300, ahead: 1350, rate_hz: 24_000 };

    fn word(phonemes: &str, source: Range<usize>) -> PhonemeWord {
        let phonemes = phonemes.to_owned();
        PhonemeWord { phonemes, source, space_after: true, punctuation: false, starts_phrase: false }
    }

    /// "Is it ready?": ten frames a symbol, falling from 220 to 150 Hz.
    fn row() -> (Vec<PhonemeWord>, PhonemeIds, Vec<usize>, Vec<f32>) {
        let words = vec![word("ɪz", 0..2), word("ɪt", 3..5), word("ɹˈɛdi", 6..11)];
        let phonemes = PhonemeIds { ids: (0..13).collect(), words: vec![1..3, 4..6, 7..12] };
        let pitch_hz = (0..130).map(|at| if at < 115 { 220.0 - 0.6 * at as f32 } else { 0.0 }).collect();
        (words, phonemes, vec![10; 13], pitch_hz)
    }

    fn bent(rises: &[Rise], deliveries: &[Delivered]) -> Vec<f32> {
        let (words, phonemes, lengths, pitch_hz) = row();
        let prosody = Prosody { deliveries, courses: &[] };
        Intonation::of(rises, prosody, &words, &phonemes, GRID).bent(&lengths, &pitch_hz)
    }

    fn asked(size: RiseSize) -> Vec<Rise> {
        vec![Rise { range: 0..11, size }]
    }

    #[test]
    fn a_question_rises_smoothly_from_its_last_accent() {
        let own = row().3;
        let bent = bent(&asked(RiseSize::Question), &[]);
        assert_eq!(bent[..55], own[..55], "before the accent the voice is its own");
        assert_eq!(bent[115..], own[115..], "silence stays silence");
        let semitones = |from: f32, to: f32| 12.0 * (to / from).log2();
        assert!((3.5..8.0).contains(&semitones(bent[80], bent[114])), "{bent:?}");
        let steps = bent[..115].windows(2).map(|pair| semitones(pair[0], pair[1]).abs());
        assert!(steps.fold(0.0, f32::max) < 0.8);
    }

    // Not seen to fail yet: without the ramp of `ENTRY` frames, there is a step of 3.5 semitones.
    #[test]
    fn a_high_accent_is_not_left_by_a_jump() {
        let (words, phonemes, lengths, _) = row();
        let pitch = |at: usize| [200.0, 260.0, 0.0][usize::from(at >= 64) + usize::from(at >= 115)];
        let own: Vec<f32> = (0..130).map(pitch).collect();
        let intonation =
            Intonation::of(&asked(RiseSize::Question), Prosody::default(), &words, &phonemes, GRID);
        let bent = intonation.bent(&lengths, &own);
        let steps = bent[66..115].windows(2).map(|pair| 12.0 * (pair[1] / pair[0]).log2().abs());
        assert!(steps.fold(0.0, f32::max) < 1.0, "{bent:?}");
    }

    #[test]
    fn an_alternative_rises_less_and_nothing_changes_without_a_rise() {
        let end = |size| bent(&asked(size), &[])[114];
        assert!(end(RiseSize::Alternative) < end(RiseSize::Question));
        assert_eq!(bent(&[], &[]), row().3);
    }

    // Negative control, seen: with the filter of `effort` left out, an alternative has one.
    #[test]
    fn the_end_of_a_question_takes_effort_and_that_of_an_alternative_none() {
        let effort = |size| {
            let (words, phonemes, lengths, pitch_hz) = row();
            let intonation = Intonation::of(&asked(size), Prosody::default(), &words, &phonemes, GRID);
            intonation.effort(&lengths, &pitch_hz)
        };
        let of_question = effort(RiseSize::Question);
        assert!(of_question[..70].iter().chain(&of_question[120..]).all(|effort| *effort == 0.0));
        assert!(of_question[114] > 0.5 && of_question.iter().all(|effort| (0.0..=1.0).contains(effort)));
        assert!(effort(RiseSize::Alternative).iter().all(|effort| *effort == 0.0));
    }

    // Negative control: with 300 in place of 3 in the check of `last.source.end`, this row rises.
    #[test]
    fn a_rise_whose_end_is_in_a_later_row_is_not_in_this_one() {
        let later = Rise { range: 0..30, size: RiseSize::Question };
        assert_eq!(bent(&[later], &[]), row().3);
    }

    // Negative control: with `is_own` left out, the first row rises.
    #[test]
    fn a_pitch_of_its_own_goes_first() {
        let with = |range: Range<usize>, delivery: Delivery| {
            bent(&asked(RiseSize::Question), &[Delivered { range, delivery }])
        };
        let flat = Delivery { range: 0.5, ..Delivery::default() };
        assert_eq!(with(6..11, flat), row().3);
        assert_ne!(with(0..2, flat), row().3);
        assert_ne!(with(6..11, Delivery { rate: 0.8, ..Delivery::default() }), row().3);
    }

    #[test]
    fn a_short_rise_is_said_slower_and_the_silence_after_it_is_not() {
        let (words, phonemes, ..) = row();
        let intonation =
            Intonation::of(&asked(RiseSize::Question), Prosody::default(), &words, &phonemes, GRID);
        let mut durations = [2.0; 13];
        durations[11] = 13.0;
        intonation.make_room(&mut durations);
        assert!(
            durations[..8].iter().all(|steps| (steps - 2.0).abs() < 1e-6),
            "before the accent the pace is the voice's own"
        );
        let rise = [durations[8], durations[9], durations[10], durations[11] - 8.0];
        assert!((rise.iter().sum::<f32>() - ROOM).abs() < 1e-3, "{durations:?}");
        let (mut long, mut short) = ([6.0; 13], [1.0; 13]);
        intonation.make_room(&mut long);
        intonation.make_room(&mut short);
        assert!(long.iter().all(|steps| (steps - 6.0).abs() < 1e-6), "{long:?}");
        assert!(short[8..12].iter().all(|steps| (steps - MOST_SLOWER).abs() < 1e-6), "{short:?}");
    }

    #[test]
    fn odd_rows_are_left_alone() {
        let (words, phonemes, ..) = row();
        let intonation =
            Intonation::of(&asked(RiseSize::Question), Prosody::default(), &words, &phonemes, GRID);
        assert_eq!(intonation.bent(&[10; 13], &[0.0; 130]), [0.0; 130]);
        assert!(intonation.bent(&[], &[]).is_empty());
        intonation.make_room(&mut []);
        intonation.bent(&[1; 13], &[200.0; 13]);
        let none = PhonemeIds { ids: vec![0, 0], words: vec![1..1, 1..1, 1..1] };
        assert!(Intonation::of(&asked(RiseSize::Mora), Prosody::default(), &words, &none, GRID).is_empty());
    }
}
