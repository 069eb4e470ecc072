//! The people of a book: which names belong together, and whether they are men or women.

use std::collections::HashMap;

use super::{
    PersonId,
    lexicon::{Gender, Lexicon},
    phrases::Phrase,
};

/// The most names that are kept. A text of made-up words must not fill the memory.
const MOST_FORMS: usize = 20_000;
/// The most forms with one word in common that are compared.
const MOST_NAMESAKES: usize = 50;
/// The most characters of a name in markup.
const LONGEST_NAME: usize = 100;

/// One way of naming somebody.
#[derive(Debug, Clone, Default)]
struct Form {
    /// As it is written most, or first.
    display: String,
    title: Option<String>,
    /// In lower case, without the title.
    words: Vec<String>,
    is_role: bool,
    count: u32,
    tags: u32,
    vocatives: u32,
    his: u32,
    hers: u32,
}

/// Where a name was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Mention,
    Tag,
    Vocative,
}

/// Collects names over a whole book.
#[derive(Debug, Default)]
pub(super) struct Survey {
    forms: Vec<Form>,
    by_key: HashMap<String, usize>,
    /// How many tags are the narrator's own.
    pub first_person: u32,
}

impl Survey {
    pub(super) fn see(&mut self, phrase: &Phrase, seen: Seen, lexicon: &Lexicon) -> Option<usize> {
        let (text, is_role) = match phrase {
            Phrase::Name(name) => (name, false),
            Phrase::Role(role) | Phrase::Owned(role) => (role, true),
            Phrase::First if seen == Seen::Tag => {
                self.first_person += 1;
                return None;
            }
            _ => return None,
        };
        let key = key(text);
        let index = if let Some(&index) = self.by_key.get(&key) {
            index
        } else {
            if self.forms.len() >= MOST_FORMS || text.chars().count() > LONGEST_NAME || key.is_empty() {
                return None;
            }
            let (title, words) = parts(&key, lexicon);
            let form = Form { display: text.clone(), title, words, is_role, ..Form::default() };
            self.forms.push(form);
            self.by_key.insert(key, self.forms.len() - 1);
            self.forms.len() - 1
        };
        let form = &mut self.forms[index];
        // A name in capitals is a role no more: "the Time Traveller".
        form.is_role &= is_role;
        form.count += 1;
        match seen {
            Seen::Mention => {}
            Seen::Tag => form.tags += 1,
            Seen::Vocative => form.vocatives += 1,
        }
        Some(index)
    }

    /// Counts a pronoun that probably stands for a form.
    pub(super) fn vote(&mut self, form: usize, gender: Gender) {
        match gender {
            Gender::Male => self.forms[form].his += 1,
            Gender::Female => self.forms[form].hers += 1,
            Gender::Unknown => {}
        }
    }

    pub(super) fn people(self, lexicon: &Lexicon) -> People {
        Merge::new(self.forms, lexicon).people(self.by_key)
    }
}

/// Somebody who may speak.
#[derive(Debug, Clone)]
pub(super) struct Person {
    /// The name that is offered.
    pub name: String,
    pub gender: Gender,
    /// Tags over the whole book.
    pub tags: u32,
    pub mentions: u32,
    /// Whether only a noun names him or her: the butler.
    pub is_role: bool,
    pub is_titled: bool,
    /// Whether the noun is one for anybody: the man.
    pub is_generic: bool,
}

/// The people of a book, and how names lead to them.
#[derive(Debug, Default)]
pub(super) struct People {
    pub all: Vec<Person>,
    by_key: HashMap<String, PersonId>,
    /// By surname: those who have a given name as well.
    families: HashMap<String, Vec<PersonId>>,
}

impl People {
    /// Those who may be meant by a title and surname, such as `Miss Bennet` of several sisters.
    pub(super) fn family(&self, name: &str, lexicon: &Lexicon) -> &[PersonId] {
        let (title, words) = parts(&key(name), lexicon);
        match (title, words.as_slice()) {
            (Some(_), [surname]) => self.families.get(surname).map_or(&[], Vec::as_slice),
            _ => &[],
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<PersonId> {
        self.by_key.get(&key(name)).copied()
    }

    /// The husband or wife, by the name: `Mrs. Bennet` of `Mr. Bennet`.
    pub(super) fn spouse(&self, of: PersonId, lexicon: &Lexicon) -> Option<PersonId> {
        let key = key(&self.all.get(of)?.name);
        let (title, surname) = key.split_once(' ').unwrap_or(("", key.as_str()));
        lexicon.couples.iter().find_map(|(husband, wife)| match title {
            "" => None,
            title if title == *husband => self.find(&format!("{wife} {surname}")),
            title if title == *wife => self.find(&format!("{husband} {surname}")),
            _ => None,
        })
    }

    pub(super) fn add(&mut self, name: &str, gender: Gender) -> PersonId {
        let id = self.all.len();
        self.all.push(Person {
            name: name.to_owned(),
            gender,
            tags: 0,
            mentions: 0,
            is_role: false,
            is_titled: false,
            is_generic: false,
        });
        id
    }
}

/// A name in the form of the table: lower case, without periods.
fn key(name: &str) -> String {
    name.to_lowercase().replace(['.', '[', ']'], "").replace('’', "'")
}

fn parts(key: &str, lexicon: &Lexicon) -> (Option<String>, Vec<String>) {
    let mut words: Vec<String> = key.split_whitespace().map(str::to_owned).collect();
    let titled = words.len() > 1 && lexicon.titles.contains_key(words[0].as_str());
    let title = titled.then(|| words.remove(0));
    (title, words)
}

/// Joins the forms of one person.
struct Merge<'a> {
    forms: Vec<Form>,
    lexicon: &'a Lexicon,
    parent: Vec<usize>,
    /// At most [`MOST_NAMESAKES`] each: with more of them, a name is ambiguous.
    by_words: HashMap<String, Vec<usize>>,
    by_title: HashMap<String, Vec<usize>>,
}

impl<'a> Merge<'a> {
    fn new(forms: Vec<Form>, lexicon: &'a Lexicon) -> Self {
        let parent = (0..forms.len()).collect();
        let mut by_words: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_title: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, form) in forms.iter().enumerate().filter(|(_, form)| !form.is_role) {
            // By the surname, by the given name, and by all words.
            let mut keys = vec![form.words.join(" ")];
            if form.words.len() > 1 {
                keys.extend([form.words.first(), form.words.last()].into_iter().flatten().cloned());
            }
            for key in keys {
                push(&mut by_words, key, index);
            }
            if let Some(title) = &form.title {
                push(&mut by_title, title.clone(), index);
            }
        }
        Self { forms, lexicon, parent, by_words, by_title }
    }

    fn people(mut self, by_key: HashMap<String, usize>) -> People {
        // What is unclear may become clear by what was joined: Lizzy is Elizabeth once Elizabeth is
        // Elizabeth Bennet.
        for _ in 0..2 {
            for form in 0..self.forms.len() {
                if let Some(other) = self.same_person(form) {
                    self.join(form, other);
                }
            }
        }
        let mut people = People::default();
        let mut ids: HashMap<usize, PersonId> = HashMap::new();
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for form in 0..self.forms.len() {
            groups.entry(self.root(form)).or_default().push(form);
        }
        // In the order of the text, so that the result is the same each time.
        for form in 0..self.forms.len() {
            let root = self.root(form);
            if ids.contains_key(&root) {
                continue;
            }
            let Some(members) = groups.get(&root) else { continue };
            if !members.iter().any(|&member| self.is_person(member)) {
                continue;
            }
            let id = people.all.len();
            ids.insert(root, id);
            let full = members.iter().map(|&member| &self.forms[member]).find(|form| form.words.len() > 1);
            if let Some(surname) = full.filter(|form| !form.is_role).and_then(|form| form.words.last()) {
                push(&mut people.families, surname.clone(), id);
            }
            people.all.push(self.person(members));
        }
        for (key, form) in by_key {
            let root = self.root(form);
            if let Some(&id) = ids.get(&root) {
                people.by_key.insert(key, id);
            }
        }
        people
    }

    fn is_person(&self, form: usize) -> bool {
        let form = &self.forms[form];
        let is_given =
            || form.words.first().is_some_and(|word| self.lexicon.given.contains_key(word.as_str()));
        form.tags > 0 || (!form.is_role && (form.title.is_some() || form.vocatives > 1 || is_given()))
    }

    fn person(&self, members: &[usize]) -> Person {
        let forms = || members.iter().map(|&member| &self.forms[member]);
        let best = forms().max_by_key(|form| (form.count, form.display.len()));
        let mut name = best.map(|form| form.display.clone()).unwrap_or_default();
        name.retain(|c| !matches!(c, '[' | ']') && !c.is_control());
        if let Some(first) = name.chars().next().filter(|c| c.is_lowercase()) {
            name = first.to_uppercase().chain(name.chars().skip(1)).collect();
        }
        if let Some((end, _)) = name.char_indices().nth(LONGEST_NAME) {
            name.truncate(end);
        }
        let known = forms().map(|form| self.gender(form)).find(|gender| *gender != Gender::Unknown);
        let gender = known.unwrap_or_else(|| {
            let his: u32 = forms().map(|form| form.his).sum();
            let hers: u32 = forms().map(|form| form.hers).sum();
            match (his, hers) {
                (his, hers) if his > 2 * hers => Gender::Male,
                (his, hers) if hers > 2 * his => Gender::Female,
                _ => Gender::Unknown,
            }
        });
        let tags = forms().map(|form| form.tags).sum();
        let mentions = forms().map(|form| form.count).sum();
        let is_role = forms().all(|form| form.is_role);
        let is_titled = forms().any(|form| form.title.is_some());
        let is_generic = forms().all(|form| {
            form.words.len() == 1
                && form.title.is_none()
                && self.lexicon.generic.contains(form.words[0].as_str())
        });
        Person { name, gender, tags, mentions, is_role, is_titled, is_generic }
    }

    /// What a form itself says.
    fn gender(&self, form: &Form) -> Gender {
        let lexicon = self.lexicon;
        let of_title = form.title.as_deref().and_then(|title| lexicon.titles.get(title));
        if let Some(&gender) = of_title.filter(|gender| **gender != Gender::Unknown) {
            return gender;
        }
        if form.is_role || (form.words.len() == 1 && form.title.is_none()) {
            let head = form.words.last().map(String::as_str).unwrap_or_default();
            let of_noun = lexicon.nouns.get(head).or_else(|| lexicon.kin.get(head));
            if let Some(&gender) = of_noun {
                return gender;
            }
        }
        let first = form.words.first().map(String::as_str).unwrap_or_default();
        if form.is_role { Gender::Unknown } else { lexicon.given.get(first).copied().unwrap_or_default() }
    }

    /// A longer or plainer form of the same person, where only one is possible.
    fn same_person(&self, index: usize) -> Option<usize> {
        let form = &self.forms[index];
        if form.is_role {
            // "the captain" is Captain Ahab, if there is one captain.
            let [word] = form.words.as_slice() else { return None };
            return self.only(index, self.titled(word));
        }
        let gender = self.gender(form);
        let fits = |other: &Form| !self.gender(other).contradicts(gender);
        match (&form.title, form.words.as_slice()) {
            // "Ines": the one Ines Alvarez, or the one Mr. or Captain of that name.
            (None, [word]) => {
                let longer = |form: &Form| form.words.len() > 1 || form.title.is_some();
                let bearers: Vec<usize> = self
                    .with_word(word)
                    .filter(|&other| longer(&self.forms[other]) && fits(&self.forms[other]))
                    .collect();
                // Kitty who says much beside a Catherine is somebody else.
                let full = self.lexicon.nicknames.get(word.as_str()).filter(|_| form.tags < 2);
                if let Some(&full) = full
                    && let Some(found) = self.only(index, self.with_given(full))
                {
                    return Some(found);
                }
                // A bare surname is the man's, where a man and women bear it.
                let is_male = |&other: &usize| self.gender(&self.forms[other]) == Gender::Male;
                if gender == Gender::Unknown && bearers.iter().any(is_male) {
                    return self.only(index, bearers.iter().copied().filter(is_male));
                }
                self.only(index, bearers.iter().copied())
            }
            // "Miss Alvarez": the one woman of that name. A Mrs. may be her mother.
            (Some(title), [word]) => {
                if matches!(title.as_str(), "mrs" | "madame" | "mme") {
                    return None;
                }
                let longer = self.with_word(word).filter(|&other| {
                    let other = &self.forms[other];
                    other.words.len() > 1 && fits(other) && self.gender(other) != Gender::Unknown
                });
                self.only(index, longer).or_else(|| {
                    // "Miss Lizzy", "Uncle Tom"
                    self.lexicon.given.contains_key(word.as_str()).then(|| self.bare(index, word)).flatten()
                })
            }
            // "Eliza Bennet": Elizabeth Bennet.
            (_, [given, .., surname]) => {
                let full = self.lexicon.nicknames.get(given.as_str()).copied().unwrap_or(given);
                let same = self.with_word(surname).filter(|&other| {
                    let other = &self.forms[other];
                    other.words.len() > 1
                        && other.words.last() == Some(surname)
                        && (other.words[0] == full || other.words[0] == *given)
                        && (form.title.is_some() || other.title.is_none() || other.words == form.words)
                });
                self.only(index, same).or_else(|| self.bare(index, full))
            }
            _ => None,
        }
    }

    fn with_word(&self, word: &str) -> impl Iterator<Item = usize> + '_ {
        self.by_words.get(word).into_iter().flatten().copied()
    }

    /// The form that is only a word.
    fn bare(&self, index: usize, word: &str) -> Option<usize> {
        let bare = |form: &Form| form.words.len() == 1 && form.title.is_none();
        self.only(index, self.with_word(word).filter(|&other| bare(&self.forms[other])))
    }

    fn with_given(&self, given: &str) -> impl Iterator<Item = usize> + '_ {
        let given = given.to_owned();
        self.by_words
            .get(&given)
            .into_iter()
            .flatten()
            .copied()
            .filter(move |&form| self.forms[form].words.first() == Some(&given))
    }

    fn titled(&self, title: &str) -> impl Iterator<Item = usize> + '_ {
        self.by_title.get(title).into_iter().flatten().copied()
    }

    /// The only person among forms, if they are one.
    fn only(&self, index: usize, forms: impl Iterator<Item = usize>) -> Option<usize> {
        let mut found: Option<usize> = None;
        for form in forms.filter(|&form| form != index) {
            match found {
                Some(before) if !self.alike(before, form) => return None,
                Some(_) => {}
                None => found = Some(form),
            }
        }
        found
    }

    fn alike(&self, one: usize, other: usize) -> bool {
        self.root(one) == self.root(other) || self.forms[one].words == self.forms[other].words
    }

    fn root(&self, mut form: usize) -> usize {
        while self.parent[form] != form {
            form = self.parent[form];
        }
        form
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parent[one.max(other)] = one.min(other);
        }
    }
}

fn push(table: &mut HashMap<String, Vec<usize>>, key: String, form: usize) {
    let forms = table.entry(key).or_default();
    if forms.len() < MOST_NAMESAKES {
        forms.push(form);
    }
}
