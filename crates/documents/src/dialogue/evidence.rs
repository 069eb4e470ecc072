//! What the text says about one turn: a weight for each person.

use super::{PersonId, confidence, lexicon::Gender, names::Person};

/// The most factors that are kept for a speech, so that long ones stay cheap.
const MOST_FACTORS: usize = 200;

/// What is sure about who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Open,
    /// A man or a woman.
    Pronoun(Gender),
    Person(PersonId),
    /// Several people, or nobody who has a name.
    Nobody,
}

/// The evidence about a turn.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub base: Base,
    pub most: f32,
    /// Factors for single people: above 1 in favor, below 1 against.
    pub factors: Vec<(PersonId, f32)>,
    /// A factor for all of a gender.
    pub gender: Option<(Gender, f32)>,
}

impl Default for Evidence {
    fn default() -> Self {
        Self { base: Base::Open, most: confidence::IMPLIED, factors: Vec::new(), gender: None }
    }
}

impl Evidence {
    pub(super) fn favor(&mut self, person: PersonId, factor: f32) {
        self.factors.push((person, factor));
    }

    /// Adds the evidence of another quote of the same speech.
    pub(super) fn join(&mut self, mut other: Self) {
        self.set(other.base, other.most);
        if self.factors.len() < MOST_FACTORS {
            self.factors.append(&mut other.factors);
        }
        self.gender = self.gender.or(other.gender);
    }

    /// Takes over what is surer.
    pub(super) fn set(&mut self, base: Base, most: f32) {
        let rank = |base: Base| match base {
            Base::Open => 0,
            Base::Nobody => 1,
            Base::Pronoun(_) => 2,
            Base::Person(_) => 3,
        };
        if rank(base) > rank(self.base) {
            self.base = base;
            self.most = most;
        }
    }

    /// Whether only the turns around speak for a person.
    pub(super) fn is_bare(&self, person: PersonId) -> bool {
        self.base == Base::Open && !self.factors.iter().any(|(one, factor)| *one == person && *factor >= 8.0)
    }

    /// Who it is for sure.
    pub(super) fn person(&self) -> Option<PersonId> {
        match self.base {
            Base::Person(person) => Some(person),
            _ => None,
        }
    }

    /// How well a person fits.
    pub(super) fn weight(&self, id: PersonId, person: &Person, is_narrator: bool) -> f32 {
        const NEVER: f32 = 1e-5;
        let base = match self.base {
            Base::Person(one) => {
                return if one == id { 1.0 } else { NEVER };
            }
            Base::Pronoun(_) if is_narrator => NEVER,
            Base::Pronoun(gender) if person.gender == gender => 1.0,
            Base::Pronoun(_) if person.gender == Gender::Unknown => 0.3,
            Base::Pronoun(_) => NEVER,
            Base::Open => 1.0,
            Base::Nobody => 0.01,
        };
        let factors = || self.factors.iter().filter(|(one, _)| *one == id).map(|(_, factor)| *factor);
        // Somebody whom no tag of the book names speaks seldom.
        let voice = match person.tags {
            // Another man in each scene.
            _ if person.is_generic => 0.1,
            _ if is_narrator || factors().any(|factor| factor >= 4.0) => 1.0,
            0 if person.is_titled => 0.35,
            0 if person.mentions < 3 => 0.08,
            0 => 0.2,
            1 if person.is_role => 0.3,
            1 => 0.7,
            _ => 1.0,
        };
        let mut weight = base * voice;
        // Several beats of one paragraph say the same thing.
        weight *= factors().product::<f32>().clamp(1e-3, 60.0);
        if let Some((gender, factor)) = self.gender {
            if is_narrator || person.gender.contradicts(gender) {
                weight /= factor;
            } else if person.gender == gender {
                weight *= factor;
            }
        }
        weight
    }

    /// How well nobody of the known people fits.
    pub(super) fn weight_of_nobody(&self) -> f32 {
        match self.base {
            Base::Open | Base::Nobody => 1.0,
            Base::Pronoun(_) => 0.05,
            Base::Person(_) => 1e-5,
        }
    }
}
