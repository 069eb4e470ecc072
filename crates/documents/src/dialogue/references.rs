//! Whom names, nouns and pronouns refer to at a place in the text, as evidence about a speaker.

use std::collections::HashMap;

use super::{
    PersonId, confidence,
    evidence::{Base, Evidence},
    layout::{Quoted, vocatives},
    lexicon::{Gender, Lexicon, Possessor},
    names::People,
    phrases::{Phrase, name_or_owner, phrase, subject},
    tags::Tag,
    words::Words,
};

/// A mention in passing weighs as much as a sentence about the person this many paragraphs ago.
const ASIDE: usize = 3;

/// The people on the reader's mind.
#[derive(Debug)]
pub(super) struct References<'a> {
    lexicon: &'a Lexicon,
    people: &'a People,
    pub narrator: Option<PersonId>,
    recent: Recent,
    /// How often the scene's narration names each person.
    pub mentions: HashMap<PersonId, u16>,
    /// The number of the paragraph.
    pub paragraph: usize,
    /// The subject that the narration named last.
    pub subject: Option<PersonId>,
}

impl<'a> References<'a> {
    pub(super) fn new(lexicon: &'a Lexicon, people: &'a People, narrator: Option<PersonId>) -> Self {
        Self {
            lexicon,
            people,
            narrator,
            recent: Recent::default(),
            mentions: HashMap::new(),
            paragraph: 0,
            subject: None,
        }
    }

    /// A new chapter begins.
    pub(super) fn forget(&mut self) {
        self.recent = Recent::default();
    }

    /// A tag names somebody.
    pub(super) fn speaks(&mut self, person: PersonId) {
        self.recent.mention(person, self.paragraph);
        self.subject = Some(person);
    }

    /// Each person who was mentioned lately, with the number of paragraphs since.
    pub(super) fn ages(&self) -> impl Iterator<Item = (PersonId, usize)> + '_ {
        self.recent.ages(self.paragraph)
    }

    /// A tag with a verb of speech.
    pub(super) fn name_speaker(&self, tag: &Tag, evidence: &mut Evidence) {
        match &tag.phrase {
            Phrase::Name(_) | Phrase::First => {
                if let Some(person) = self.person(&tag.phrase) {
                    evidence.set(Base::Person(person), confidence::NAMED);
                }
            }
            Phrase::Role(_) => {
                if let Some(person) = self.person(&tag.phrase) {
                    let known = self.people.all[person].tags > 1;
                    evidence
                        .set(Base::Person(person), if known { confidence::ROLE } else { confidence::VAGUE });
                }
            }
            Phrase::Owned(_) => {
                if let Some(person) = self.person(&tag.phrase) {
                    evidence.set(Base::Person(person), confidence::VAGUE);
                }
            }
            Phrase::Pronoun(gender) => {
                evidence.set(Base::Pronoun(*gender), confidence::PRONOUN);
                for (person, age) in self.ages() {
                    evidence.favor(person, 1.0 + 3.0 / (1.0 + age as f32));
                }
                if let Some(subject) = self.subject {
                    evidence.favor(subject, 20.0);
                }
            }
            Phrase::Kin(..) => self.kin(&tag.phrase, evidence),
            Phrase::Group => evidence.set(Base::Nobody, 0.0),
        }
    }

    fn kin(&self, phrase: &Phrase, evidence: &mut Evidence) {
        let Phrase::Kin(possessor, noun) = phrase else { return };
        let gender = self.lexicon.kin.get(noun.as_str()).copied().unwrap_or_default();
        evidence.set(Base::Pronoun(gender), confidence::VAGUE);
        if let Possessor::Third(of) = possessor
            && let Some(owner) = self.recent.latest(*of, self.people)
        {
            evidence.favor(owner, 0.05);
            if self.lexicon.spouses.contains(noun.as_str())
                && let Some(spouse) = self.people.spouse(owner, self.lexicon)
            {
                evidence.favor(spouse, 60.0);
            }
        }
        if let Some(parent) = self.parent(noun, gender) {
            evidence.favor(parent, 8.0);
        }
        for (person, age) in self.ages() {
            evidence.favor(person, 1.0 + 2.0 / (1.0 + age as f32));
        }
        if let Some(named) = self.people.find(noun) {
            evidence.favor(named, 4.0);
        }
    }

    /// Whom `her father` means: the man with a title who was named last.
    fn parent(&self, noun: &str, gender: Gender) -> Option<PersonId> {
        if !self.lexicon.parents.contains(noun) {
            return None;
        }
        let is_titled = |person: PersonId| {
            let person = &self.people.all[person];
            let name = person.name.to_lowercase();
            let title = name.split(['.', ' ']).next().unwrap_or_default();
            person.gender == gender
                && self.lexicon.couples.iter().any(|(husband, wife)| title == *husband || title == *wife)
        };
        self.ages().map(|(person, _)| person).find(|&person| is_titled(person))
    }

    /// Favors whom a phrase refers to.
    pub(super) fn refer(&self, phrase: &Phrase, evidence: &mut Evidence, factor: f32) {
        match phrase {
            Phrase::Pronoun(gender) => {
                evidence.gender = Some((*gender, factor.sqrt().max(2.0)));
                if let Some(subject) = self.subject.filter(|&id| self.people.all[id].gender == *gender) {
                    evidence.favor(subject, factor);
                } else if let Some(latest) = self.recent.latest(*gender, self.people)
                    && self.people.all[latest].tags > 0
                {
                    evidence.favor(latest, factor.sqrt());
                }
            }
            Phrase::Kin(..) | Phrase::Group => {}
            _ => {
                if let Some(person) = self.person(phrase) {
                    evidence.favor(person, factor);
                }
            }
        }
    }

    pub(super) fn person(&self, phrase: &Phrase) -> Option<PersonId> {
        match phrase {
            Phrase::First => self.narrator,
            Phrase::Name(name) | Phrase::Role(name) | Phrase::Owned(name) => self.people.find(name),
            Phrase::Kin(_, noun) => {
                let gender = self.lexicon.kin.get(noun.as_str()).copied().unwrap_or_default();
                self.parent(noun, gender)
            }
            Phrase::Pronoun(_) | Phrase::Group => None,
        }
    }

    /// Whom a quote addresses; a speaker does not call out to himself.
    pub(super) fn addressed(&mut self, quote: &Quoted, evidence: &mut Evidence) -> Vec<PersonId> {
        let mut addressed = Vec::new();
        for (phrase, _) in vocatives(quote.inner, self.lexicon) {
            if let Some(person) = self.person(&phrase) {
                evidence.favor(person, 0.002);
                let person = self.present(&phrase, person);
                evidence.favor(person, 0.002);
                addressed.push(person);
                self.recent.mention(person, self.paragraph);
            }
        }
        let tags = [&quote.after, &quote.before].into_iter().flatten();
        addressed.extend(tags.filter_map(|tag| tag.to.as_ref()).filter_map(|to| self.person(to)));
        addressed
    }

    /// Which sister `Miss Bennet` is: the one who was mentioned a moment ago.
    fn present(&self, phrase: &Phrase, person: PersonId) -> PersonId {
        let Phrase::Name(name) = phrase else { return person };
        let family = self.people.family(name, self.lexicon);
        let gender = self.people.all[person].gender;
        let mut near = self.ages().take_while(|(_, age)| *age < 12);
        near.find(|(id, _)| {
            family.contains(id) && !self.people.all[*id].gender.contradicts(gender) && *id != person
        })
        .map_or(person, |(id, _)| id)
    }

    /// Notes whom a stretch of narration names.
    pub(super) fn mention(&mut self, words: &Words) {
        for sentence in words.sentences(self.lexicon) {
            let mut at = sentence.start;
            while at < sentence.end {
                let found = if words.words[at].is_capitalized() {
                    name_or_owner(words, at, sentence.end, self.lexicon)
                } else {
                    None
                };
                let found = found.or_else(|| {
                    let lower = &*words.words[at].lower;
                    let is_role = self.lexicon.determiners.contains(lower)
                        || self.lexicon.possessives.contains_key(lower);
                    is_role.then(|| phrase(words, at, sentence.end, self.lexicon)).flatten()
                });
                match found {
                    Some((phrase, end)) => {
                        if let Some(person) = self.person(&phrase) {
                            self.recent.mention(person, self.paragraph.saturating_sub(ASIDE));
                            let count = self.mentions.entry(person).or_default();
                            *count = count.saturating_add(1);
                        }
                        at = end.max(at + 1);
                    }
                    None => at += 1,
                }
            }
            if let Some((phrase, _)) = subject(words, sentence.start, sentence.end, self.lexicon)
                && let Some(person) = self.person(&phrase)
            {
                self.recent.mention(person, self.paragraph);
                self.subject = Some(person);
            }
        }
    }
}

/// Who was mentioned lately, the latest last.
#[derive(Debug, Default)]
struct Recent {
    /// With the paragraph of the mention.
    mentions: Vec<(PersonId, usize)>,
}

impl Recent {
    const MOST: usize = 12;

    fn mention(&mut self, person: PersonId, paragraph: usize) {
        let known = self.mentions.iter().find(|(one, _)| *one == person);
        if known.is_some_and(|(_, at)| *at > paragraph) {
            return;
        }
        self.mentions.retain(|(one, _)| *one != person);
        if self.mentions.len() == Self::MOST {
            self.mentions.remove(0);
        }
        let place = self.mentions.partition_point(|(_, at)| *at <= paragraph);
        self.mentions.insert(place, (person, paragraph));
    }

    /// Each person with the number of paragraphs since.
    fn ages(&self, paragraph: usize) -> impl Iterator<Item = (PersonId, usize)> + '_ {
        self.mentions.iter().rev().map(move |&(person, at)| (person, paragraph.saturating_sub(at)))
    }

    /// The latest person of a gender.
    fn latest(&self, gender: Gender, people: &People) -> Option<PersonId> {
        self.mentions.iter().rev().map(|(id, _)| *id).find(|id| people.all[*id].gender == gender)
    }
}
