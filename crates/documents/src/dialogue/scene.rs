//! The second pass: goes through the paragraphs in order, collects evidence about each turn, and
//! decides scene by scene.

use std::collections::{HashMap, HashSet};

use crate::chapter_names;

use super::{
    PersonId, Quote,
    alternation::{Gap, MOST_SPEAKERS, Step, posteriors},
    confidence,
    evidence::{Base, Evidence},
    layout::{Layout, Quoted},
    lexicon::{Gender, Lexicon},
    names::People,
    phrases::Phrase,
    references::References,
    tags::{self, Strength, Tag},
    words::Words,
};

/// A longer stretch of narration ends a scene, in bytes.
const SCENE_GAP: usize = 3_000;
/// A longer stretch ends the alternation.
const LONG_GAP: usize = 400;
/// A scene is decided after this number of turns at the latest.
const MOST_TURNS: usize = 400;
/// The most names that are noted of those that a speaker calls out.
const MOST_ADDRESSED: usize = 20;
/// Below this probability, nobody is offered.
const LEAST: f32 = 0.3;

/// Some quotes in a row that one person speaks.
#[derive(Debug)]
struct Turn {
    /// The last of its quotes and the one after: indices into the result.
    quotes: std::ops::Range<usize>,
    evidence: Evidence,
    gap: Gap,
    /// Whom the speaker addresses by name.
    addressed: Vec<PersonId>,
}

/// The state between paragraphs.
pub(super) struct Scenes<'a> {
    lexicon: &'a Lexicon,
    people: &'a People,
    single: bool,
    turns: Vec<Turn>,
    result: Vec<Quote>,
    references: References<'a>,
    /// Bytes of narration since the last turn.
    gap: usize,
    /// The paragraph before: its tag, when it had no quotes after it.
    lead: Option<Tag>,
    /// The last quote was not closed.
    open: bool,
    /// A letter is being quoted.
    letter: bool,
}

impl<'a> Scenes<'a> {
    pub(super) fn new(
        lexicon: &'a Lexicon,
        people: &'a People,
        narrator: Option<PersonId>,
        single: bool,
    ) -> Self {
        Self {
            lexicon,
            people,
            single,
            turns: Vec::new(),
            result: Vec::new(),
            references: References::new(lexicon, people, narrator),
            gap: usize::MAX,
            lead: None,
            open: false,
            letter: false,
        }
    }

    pub(super) fn finish(mut self) -> Vec<Quote> {
        self.decide();
        self.result
    }

    /// Reads the next paragraph, which starts at a byte of the whole text.
    pub(super) fn read(&mut self, text: &str, start: usize) {
        let layout = Layout::of(text, self.lexicon, self.single);
        self.references.paragraph += 1;
        if is_heading(text) {
            self.decide();
            self.references.forget();
            self.gap = usize::MAX;
        }
        if !layout.quotes.iter().any(|quote| quote.is_speech) {
            self.open = false;
            self.letter = false;
            self.narrate(&layout);
            self.gap = self.gap.saturating_add(text.len());
            if self.gap > SCENE_GAP {
                self.decide();
            }
            return;
        }
        let continues = self.open && super::marks::starts_quoted(text, self.lexicon, self.single);
        if !continues {
            self.letter = false;
        }
        self.letter |= starts_letter(&layout, self.lexicon);
        let opens_with_narration = layout.narration.first().is_some_and(|words| !words.words.is_empty());
        let gap = match self.gap {
            0 if opens_with_narration => Gap::Short,
            0 => Gap::None,
            gap if gap <= LONG_GAP => Gap::Short,
            _ => Gap::Long,
        };
        self.turns_of(&layout, start, continues, gap);
        self.gap = 0;
        if self.turns.len() >= MOST_TURNS {
            self.decide();
        }
    }

    /// A paragraph without speech.
    fn narrate(&mut self, layout: &Layout) {
        for words in &layout.narration {
            self.references.mention(words);
        }
        self.lead = layout.narration.last().and_then(|words| tags::lead(words, self.lexicon));
    }

    fn turns_of(&mut self, layout: &Layout, start: usize, continues: bool, gap: Gap) {
        let first_turn = self.turns.len();
        let lead = self.lead.take();
        let mut fresh = !continues || self.turns.is_empty();
        let subject = if fresh { self.references.subject.take() } else { None };
        let mut index = 0;
        for (quote_index, quote) in layout.quotes.iter().enumerate() {
            self.references.mention(&layout.narration[quote_index]);
            if !quote.is_speech {
                continue;
            }
            let mut evidence = Evidence::default();
            let addressed = self.references.addressed(quote, &mut evidence);
            self.hear(layout, quote_index, quote, &mut evidence);
            if index == 0 && fresh && layout.narration[0].words.is_empty() {
                self.hear_lead(lead.as_ref(), subject, &mut evidence);
            }
            if self.letter {
                evidence = Evidence { base: Base::Nobody, most: 0.0, ..Evidence::default() };
            }
            let range = start + quote.range.start..start + quote.range.end;
            // Much narration in between makes it less sure that the paragraph is one person's.
            let is_far = index > 0
                && evidence.base == Base::Open
                && layout.narration[quote_index].sentences(self.lexicon).len() > 3;
            self.result.push(Quote {
                range,
                speaker: None,
                confidence: if is_far { confidence::FAR } else { 1.0 },
            });
            let quotes = self.result.len() - 1..self.result.len();
            let joined = (!fresh || index > 0)
                && self.turns.last().is_some_and(|turn| may_join(&turn.evidence, &evidence));
            if let Some(turn) = self.turns.last_mut().filter(|_| joined) {
                turn.quotes.end = quotes.end;
                turn.evidence.join(evidence);
                if turn.addressed.len() < MOST_ADDRESSED {
                    turn.addressed.extend(addressed);
                }
            } else {
                let gap = if self.turns.len() > first_turn { Gap::Short } else { gap };
                self.turns.push(Turn { quotes, evidence, gap, addressed });
            }
            fresh = true;
            index += 1;
        }
        let last = layout.narration.last();
        if let Some(words) = last {
            self.references.mention(words);
        }
        self.open = layout.quotes.last().is_some_and(|quote| !quote.closed);
        // `… Mrs. Hurst began again.` at the end leads to the next paragraph.
        self.lead = last
            .filter(|words| {
                let is_tag = layout.quotes.last().is_some_and(|quote| quote.after.is_some());
                words.words.len() > 1 && (!is_tag || words.sentences(self.lexicon).len() > 1)
            })
            .and_then(|words| tags::lead(words, self.lexicon))
            .filter(|tag| tag.strength == Strength::Tag);
    }

    /// The tag of the paragraph before.
    fn hear_lead(&self, lead: Option<&Tag>, subject: Option<PersonId>, evidence: &mut Evidence) {
        let Some(tag) = lead else { return };
        match tag.strength {
            Strength::Tag if evidence.base != Base::Open => {}
            Strength::Tag => {
                self.references.name_speaker(tag, evidence);
                if let (Base::Pronoun(_), Some(subject)) = (evidence.base, subject) {
                    evidence.favor(subject, 20.0);
                }
                evidence.most = evidence.most.min(confidence::LED);
            }
            // `Ines looked up. ¶ “No,” she said`
            _ if matches!(evidence.base, Base::Pronoun(_)) => {
                self.references.refer(&tag.phrase, evidence, 20.0);
            }
            _ => self.references.refer(&tag.phrase, evidence, 8.0),
        }
    }

    /// The narration around a quote.
    fn hear(&mut self, layout: &Layout, index: usize, quote: &Quoted, evidence: &mut Evidence) {
        let strongest = [&quote.after, &quote.before]
            .into_iter()
            .flatten()
            .max_by_key(|tag| (tag.strength, matches!(tag.phrase, Phrase::Name(_) | Phrase::First)));
        if let Some(tag) = strongest.filter(|tag| tag.strength >= Strength::Weak) {
            self.references.name_speaker(tag, evidence);
            if let Base::Person(person) = evidence.base {
                self.references.speaks(person);
            }
            if let Some(to) = tag.to.as_ref().and_then(|to| self.references.person(to)) {
                evidence.favor(to, 0.02);
            }
            return;
        }
        let before = &layout.narration[index];
        let sentence = before.sentences(self.lexicon).pop();
        if let Some(sentence) = sentence.filter(|_| !before.words.is_empty())
            && let Some(tag) = tags::beat(before, &sentence, self.lexicon)
        {
            self.references.refer(&tag.phrase, evidence, 15.0);
        }
        let after = &layout.narration[index + 1];
        if before.words.is_empty()
            && let Some(sentence) = after.sentences(self.lexicon).first()
            && let Some(tag) = tags::beat(after, sentence, self.lexicon)
        {
            self.references.refer(&tag.phrase, evidence, 8.0);
        }
    }

    /// Decides the turns so far.
    fn decide(&mut self) {
        let turns = std::mem::take(&mut self.turns);
        let mentions = std::mem::take(&mut self.references.mentions);
        if turns.is_empty() {
            return;
        }
        let (speakers, prior) = self.speakers(&turns, &mentions);
        let steps: Vec<Step> = turns
            .iter()
            .enumerate()
            .map(|(index, turn)| {
                let before = index.checked_sub(1).map(|before| &turns[before]);
                let mut evidence = turn.evidence.clone();
                if let Some(before) = before.filter(|_| turn.gap != Gap::Long) {
                    let factor = if turn.gap == Gap::None { 40.0 } else { 4.0 };
                    before.addressed.iter().for_each(|&person| evidence.favor(person, factor));
                }
                let weight =
                    |&id| evidence.weight(id, &self.people.all[id], Some(id) == self.references.narrator);
                let mut weights: Vec<f32> = speakers.iter().map(weight).collect();
                weights.push(turn.evidence.weight_of_nobody());
                Step { weights, gap: turn.gap }
            })
            .collect();
        let named: HashSet<PersonId> = turns.iter().filter_map(|turn| turn.evidence.person()).collect();
        // Whom the turn before calls.
        let mut called: Vec<PersonId> = Vec::new();
        for (turn, posterior) in turns.iter().zip(posteriors(&steps, &prior, named.len())) {
            let best = posterior.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
            let (best, probability) =
                best.map_or((speakers.len(), 0.0), |(best, &probability)| (best, probability));
            let is_offered = probability >= LEAST && turn.evidence.most > 0.0;
            let person = speakers.get(best).copied().filter(|_| is_offered);
            let is_bare =
                person.is_some_and(|person| turn.evidence.is_bare(person) && !called.contains(&person));
            let most = if is_bare && named.len() > 2 { confidence::IN_COMPANY } else { turn.evidence.most };
            called.clone_from(&turn.addressed);
            let person = person.map(|id| &self.people.all[id]);
            for quote in &mut self.result[turn.quotes.clone()] {
                quote.speaker = person.map(|person| person.name.clone());
                // Until now, it was the limit for this quote.
                quote.confidence = person.map_or(0.0, |_| quote.confidence.min(probability).min(most));
            }
        }
    }

    /// Who may speak in a scene, with how probable each is beforehand.
    fn speakers(&self, turns: &[Turn], mentions: &HashMap<PersonId, u16>) -> (Vec<PersonId>, Vec<f32>) {
        let mut scores: HashMap<PersonId, f32> = HashMap::new();
        for turn in turns {
            if let Base::Person(person) = turn.evidence.base {
                *scores.entry(person).or_default() += 1.0;
            }
            for &person in &turn.addressed {
                *scores.entry(person).or_default() += 0.3;
            }
            for &(person, factor) in turn.evidence.factors.iter().filter(|(_, factor)| *factor > 1.0) {
                *scores.entry(person).or_default() += (factor * 0.02).min(0.4);
            }
        }
        for (person, age) in self.references.ages() {
            if age < 20 {
                *scores.entry(person).or_default() += 0.05;
            }
        }
        for (&person, &count) in mentions {
            *scores.entry(person).or_default() += 0.05 * f32::from(count.min(6));
        }
        let mut speakers: Vec<(PersonId, f32)> = scores.into_iter().collect();
        speakers.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        speakers.truncate(MOST_SPEAKERS);
        let ids = speakers.iter().map(|(id, _)| *id).collect();
        let mut prior: Vec<f32> = speakers
            .iter()
            .map(|(id, score)| 0.1 + score + 0.1 * self.people.all[*id].tags.min(5) as f32)
            .collect();
        prior.push(0.1);
        let sum: f32 = prior.iter().sum();
        for share in &mut prior {
            *share /= sum;
        }
        (ids, prior)
    }
}

/// Whether two stretches of one paragraph are one person's.
fn may_join(turn: &Evidence, next: &Evidence) -> bool {
    match (turn.base, next.base) {
        (Base::Person(one), Base::Person(other)) => one == other,
        (Base::Pronoun(one), Base::Pronoun(other)) => !Gender::contradicts(one, other),
        (Base::Nobody, Base::Person(_) | Base::Pronoun(_))
        | (Base::Person(_) | Base::Pronoun(_), Base::Nobody) => false,
        _ => true,
    }
}

/// The heading of a chapter.
fn is_heading(paragraph: &str) -> bool {
    paragraph.len() < 200
        && (chapter_names::chapter_line(paragraph).is_some()
            || chapter_names::bare_number(paragraph).is_some())
}

/// `My dear Brother,` as a paragraph of its own.
fn starts_letter(layout: &Layout, lexicon: &Lexicon) -> bool {
    let [quote] = layout.quotes.as_slice() else { return false };
    let words = Words::of(quote.inner);
    layout.narration.iter().all(|narration| narration.words.is_empty())
        && !quote.closed
        && words.words.len() <= 5
        && words.words.iter().take(2).any(|word| lexicon.dear.contains(&*word.lower))
}
