//! What a Romance language brings to the reading of its texts: tables of words, and the few things
//! that it says in its own way.

use std::fmt;

use super::words::{Abbreviation, BibleBook};
use crate::front_end::normalize::symbols::Names;

/// How a number agrees with the noun that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front_end) enum Form {
    /// Without a following noun: `uno`, `doscientos`.
    Alone,
    /// Before a masculine noun: `un`, `veintiún`, `doscientos`.
    Masculine,
    /// Before a feminine noun, or instead of one: `una`, `doscientas`.
    Feminine,
}

/// What a word that can be read consists of: runs of consonants between vowels.
#[derive(Debug)]
pub(in crate::front_end) struct Syllables {
    pub(in crate::front_end) vowels: &'static str,
    /// Consonants that r may follow at the start of a syllable, and those that l may follow.
    pub(in crate::front_end) before_r: &'static str,
    pub(in crate::front_end) before_l: &'static str,
    /// Other pairs that a syllable may begin with.
    pub(in crate::front_end) onsets: &'static [&'static str],
    /// Consonants that may end a syllable inside a word.
    pub(in crate::front_end) codas: &'static str,
    /// Consonants that cannot end a word, and runs that can.
    pub(in crate::front_end) not_final: &'static str,
    pub(in crate::front_end) endings: &'static [&'static str],
}

/// A word of a clause.
#[derive(Debug, Clone)]
pub(in crate::front_end) struct Word<'a> {
    pub(in crate::front_end) text: &'a str,
    /// Phonemes that were given, which no rule changes.
    pub(in crate::front_end) given: Option<String>,
}

/// A currency: as written, one, many, its gender, and a hundredth of it, one and many.
#[derive(Debug)]
pub(in crate::front_end) struct Currency {
    pub(in crate::front_end) written: &'static [&'static str],
    pub(in crate::front_end) one: &'static str,
    pub(in crate::front_end) many: &'static str,
    pub(in crate::front_end) form: Form,
    pub(in crate::front_end) cents: Option<(&'static str, &'static str)>,
}

impl Currency {
    /// A currency that is seldom divided.
    pub(in crate::front_end) const fn whole(
        written: &'static [&'static str],
        (one, many): (&'static str, &'static str),
        form: Form,
    ) -> Self {
        Self { written, one, many, form, cents: None }
    }

    /// The same currency with the names of its hundredth, one and many.
    pub(in crate::front_end) const fn with(self, one: &'static str, many: &'static str) -> Self {
        Self { cents: Some((one, many)), ..self }
    }
}

/// A unit's sign, its singular and plural names, and its gender.
pub(in crate::front_end) type Unit = (&'static str, &'static str, &'static str, Form);

/// What must follow a sign for it to have its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front_end) enum Before {
    /// No letter: the sign is a word of its own.
    Edge,
    /// A number, after a space at most.
    Digit,
    /// A capital letter, after a space at most.
    Capital,
    /// Anything.
    Anything,
}

/// How ordinals in figures end: as written, whether it is feminine, whether it is the short form
/// before a noun.
pub(in crate::front_end) type OrdinalEnding = (&'static str, bool, bool);

/// The words of a language. All are in lower case unless they are always capitals.
pub(in crate::front_end) struct Words {
    /// What the heading of a chapter begins with, with the space after it.
    pub(in crate::front_end) chapters: &'static [&'static str],
    /// Abbreviations of one word, without their stop.
    pub(in crate::front_end) abbreviations: &'static [Abbreviation],
    /// Abbreviations of several parts, without their spaces.
    pub(in crate::front_end) joined: &'static [Abbreviation],
    /// Single capitals that are a title before a name, even before a name with an article: `M.`
    pub(in crate::front_end) titles: &'static [&'static str],
    /// Those of the abbreviations that are words, too, at the end of a sentence.
    pub(in crate::front_end) ambiguous: &'static [&'static str],
    /// Signs that stand for a word: `n.°`, `C/`.
    pub(in crate::front_end) signs: &'static [(&'static str, &'static str, Before)],
    /// The months.
    pub(in crate::front_end) months: [&'static str; 12],
    /// Other spellings of months: the number from 1, and how it is said.
    pub(in crate::front_end) other_months: &'static [(&'static str, u8)],
    /// The days of the week, and what else stands before a date without a year.
    pub(in crate::front_end) days: &'static [&'static str],
    /// The names of the days of the week, each with its short forms after it.
    pub(in crate::front_end) weekdays: [&'static [&'static str]; 7],
    /// Capitalized words that likely begin a sentence.
    pub(in crate::front_end) starters: &'static [&'static str],
    /// Function words, which cannot be the noun that a number before them counts.
    pub(in crate::front_end) closed: &'static [&'static str],
    /// Words after which a number is a name and not a count: `página 21`.
    pub(in crate::front_end) numbered: &'static [&'static str],
    /// Words after the number of a floor that are no nouns: `3.º izquierda`.
    pub(in crate::front_end) sides: &'static [&'static str],
    /// Words before a number that show that it counts a feminine noun, or a masculine one.
    pub(in crate::front_end) feminine: &'static [&'static str],
    pub(in crate::front_end) masculine: &'static [&'static str],
    /// Words that begin a clause, words that begin a phrase, and words that belong to the next one.
    pub(in crate::front_end) clauses: &'static [&'static str],
    pub(in crate::front_end) phrases: &'static [&'static str],
    pub(in crate::front_end) leaning: &'static [&'static str],
    /// Single letters that are words.
    pub(in crate::front_end) single_letters: &'static str,
    /// The books of the Bible, by their short forms and their names.
    pub(in crate::front_end) books: &'static [BibleBook],
}

/// How amounts are written and said.
pub(in crate::front_end) struct Amounts {
    pub(in crate::front_end) currencies: &'static [Currency],
    /// Thousands and millions after a number: as written, one and many. The first are thousands.
    pub(in crate::front_end) multipliers: &'static [(&'static str, &'static str, &'static str)],
    /// The word for a thousand, which takes no "of" before what it counts.
    pub(in crate::front_end) thousand: &'static str,
    /// Short multipliers before the sign of a currency: `M€`.
    pub(in crate::front_end) short_multipliers: &'static [(&'static str, &'static str, &'static str)],
    /// Between whole and cents: "con". `None` where cents are said without their name.
    pub(in crate::front_end) cents_join: Option<&'static str>,
    pub(in crate::front_end) units: &'static [Unit],
    /// The end of the names of units of length, which have squares and cubes.
    pub(in crate::front_end) metre: &'static str,
    /// A square and a cube, singular and plural.
    pub(in crate::front_end) square: (&'static str, &'static str),
    pub(in crate::front_end) cube: (&'static str, &'static str),
    /// Signs of units that may be words after a space.
    pub(in crate::front_end) tight_units: &'static [&'static str],
    /// The point of a decimal number: written as a comma, and as a point.
    pub(in crate::front_end) comma: &'static str,
    pub(in crate::front_end) point: &'static str,
    pub(in crate::front_end) percent: &'static str,
    pub(in crate::front_end) per_mille: &'static str,
    /// Between the ends of a range.
    pub(in crate::front_end) to: &'static str,
    /// Between the sides of a rectangle.
    pub(in crate::front_end) by: &'static str,
    /// Between the numbers of a fraction without a name, and of a ratio.
    pub(in crate::front_end) over: &'static str,
    pub(in crate::front_end) ratio: &'static str,
    /// Between a mark and the best one: `7,5/10`.
    pub(in crate::front_end) out_of: &'static str,
    /// Between the same hours of two doses, `12/12 h`.
    pub(in crate::front_end) by_turns: Option<&'static str>,
    /// "Every", before the hours between two doses: `1 comp./8 h`.
    pub(in crate::front_end) every: &'static str,
    /// Between the two pressures of blood: `120/80 mmHg`.
    pub(in crate::front_end) pressure: &'static str,
    /// Between a page and the number of all pages: `página 3/12`.
    pub(in crate::front_end) of_all: &'static str,
    /// A half alone, before a masculine noun, before a feminine one.
    pub(in crate::front_end) half: (&'static str, &'static str, &'static str),
    /// A half after a whole number, masculine and feminine: "y medio".
    pub(in crate::front_end) and_half: (&'static str, &'static str),
    /// Between a whole number and a fraction.
    pub(in crate::front_end) and: &'static str,
    /// Between metres and centimetres in `1,80 m`; `None` where it is a decimal number, as elsewhere.
    pub(in crate::front_end) metres_join: Option<&'static str>,
    /// How ordinals in figures end, beside `º` and `ª`.
    pub(in crate::front_end) ordinal_endings: &'static [OrdinalEnding],
}

/// How times are written and said.
pub(in crate::front_end) struct Clock {
    /// What is written after a time: `h`.
    pub(in crate::front_end) hours_after: &'static [&'static str],
    /// What stands before a time that is written with a point: "a las ".
    pub(in crate::front_end) introductions: &'static [&'static str],
    /// One and many hours, minutes, seconds.
    pub(in crate::front_end) hour: (&'static str, &'static str),
    pub(in crate::front_end) minute: (&'static str, &'static str),
    pub(in crate::front_end) second: (&'static str, &'static str),
    /// The genders of minutes and seconds; hours are feminine.
    pub(in crate::front_end) minute_form: Form,
    pub(in crate::front_end) second_form: Form,
    /// What joins hours and minutes in a duration, with the space after it: "y ", nothing in French.
    pub(in crate::front_end) duration_join: &'static str,
    /// Words after which `1h30` lasts an hour and a half.
    pub(in crate::front_end) durations: &'static [&'static str],
}

/// Acronyms, letters and signs.
pub(in crate::front_end) struct Signs {
    /// Acronyms that are spelled out although they could be read as words.
    pub(in crate::front_end) spelled: &'static [&'static str],
    /// Acronyms that are read as words although they could be spelled out.
    pub(in crate::front_end) read: &'static [&'static str],
    /// Acronyms that are read in full, or in a special way.
    pub(in crate::front_end) meant: &'static [(&'static str, &'static str)],
    /// The names of the letters.
    pub(in crate::front_end) letters: &'static [(char, &'static str)],
    /// What a readable word consists of.
    pub(in crate::front_end) syllables: Syllables,
    /// The names of the Greek letters, from alpha to omega.
    pub(in crate::front_end) greek: [&'static str; 24],
    pub(in crate::front_end) names: Names,
    /// The names of other signs.
    pub(in crate::front_end) named: &'static [(char, &'static str)],
    /// The names of signs in addresses.
    pub(in crate::front_end) in_addresses: &'static [(char, &'static str)],
    /// A star of a hotel or a review, one and many.
    pub(in crate::front_end) star: (&'static str, &'static str),
    /// An arrow that stands before a phrase.
    pub(in crate::front_end) arrow_sign: &'static str,
    /// `www`.
    pub(in crate::front_end) www: &'static str,
    /// `#1` and `#MeToo`.
    pub(in crate::front_end) number: &'static str,
    pub(in crate::front_end) hashtag: &'static str,
    /// "times", after the number of an emoji's repetitions.
    pub(in crate::front_end) times: &'static str,
    /// North, south, east and west after a degree.
    pub(in crate::front_end) compass: [&'static str; 4],
    /// The countries of the most common flags.
    pub(in crate::front_end) countries: &'static [(&'static str, &'static str)],
    /// Whether hyphens inside words stay, because words hang together there.
    pub(in crate::front_end) keeps_hyphens: bool,
}

/// How Roman numerals are read.
pub(in crate::front_end) struct Romans {
    /// Names of kings, queens and popes, after which even a single letter is a numeral.
    pub(in crate::front_end) regal: &'static [&'static str],
    /// What stands before the number of a century, with the plural and the short forms.
    pub(in crate::front_end) century: &'static [&'static str],
    /// Common nouns after an ordinal: `XX aniversario`.
    pub(in crate::front_end) things: &'static [&'static str],
    /// Articles before an ordinal of one letter: feminine, and others.
    pub(in crate::front_end) feminine_articles: &'static [&'static str],
    pub(in crate::front_end) articles: &'static [&'static str],
}

/// What a language or a variety of it brings.
pub(in crate::front_end) trait Grammar: fmt::Debug + Send + Sync {
    fn words(&self) -> &'static Words;
    fn amounts(&self) -> &'static Amounts;
    fn clock(&self) -> &'static Clock;
    fn signs(&self) -> &'static Signs;
    fn romans(&self) -> &'static Romans;

    /// A whole number in words.
    fn number(&self, value: u64, form: Form) -> String;

    /// An ordinal; a number without one becomes a cardinal.
    fn ordinal(&self, value: u64, feminine: bool) -> String;

    /// An ordinal before a noun.
    fn ordinal_before(&self, value: u64, feminine: bool) -> String {
        self.ordinal(value, feminine)
    }

    /// The day of the week that an ordinal stands for before `rest`: `3ª feira`.
    fn weekday_of(&self, _value: u64, _rest: &str) -> Option<&'static str> {
        None
    }

    /// The plural of an ordinal.
    fn ordinals(&self, ordinal: String) -> String {
        ordinal + "s"
    }

    /// The name of a fraction, singular or plural: `tercio`, `quintos`.
    fn part(&self, bottom: u64, many: bool) -> Option<String>;

    /// The name of a fraction before "parts": `cuartas partes`.
    fn part_of_parts(&self, _bottom: u64, _many: bool) -> Option<String> {
        None
    }

    /// A noun after "of": `de euros`.
    fn of(&self, noun: &str) -> String;

    /// The year of a law after its number: `de 1990` in `8.112/1990`.
    fn of_year(&self, year: &str) -> String {
        self.of(year)
    }

    /// The word for one before a word that changes it: `un'ora`, `uno studente`. One that ends in an
    /// apostrophe is joined to what follows.
    fn one_before(&self, _next: &str, _form: Form) -> Option<&'static str> {
        None
    }

    /// Another form of a shortened title before a name, and whether it is joined to it: `Sant'`.
    fn title(&self, _said: &str, _name: &str) -> Option<(&'static str, bool)> {
        None
    }

    /// What an abbreviation of several parts means after what was said, if it is not what it means
    /// elsewhere.
    fn meaning(&self, _written: &str, _said: &str) -> Option<&'static str> {
        None
    }

    /// How the minute of a match is said that is written with a prime, `45'`, after a word.
    fn minute_of_match(&self, value: u64, before: &str) -> Option<String>;

    /// Whether `1,5` and `0,5` count in the singular: `un virgule cinq litre`.
    fn is_singular_below_two(&self) -> bool {
        false
    }

    /// What one thing is measured in for another: `por hora`.
    fn per(&self, unit: &str) -> String;

    /// From one day of the week or month to another; `opens` says that no word for "from" stands
    /// before it: "dal lunedì al venerdì".
    fn span_of_names(&self, first: &str, second: &str, _opens: bool) -> String {
        format!("{first} {} {second}", self.amounts().to)
    }

    /// A date: `tres de abril de dos mil`.
    fn date(&self, day: u64, month: &str, year: Option<u64>) -> String;

    /// The day of a month, where the month is written after it.
    fn day(&self, day: u64) -> String {
        self.number(day, Form::Alone)
    }

    /// What stands between a day and its month in a written date, with its spaces.
    fn before_month(&self) -> &'static str {
        " "
    }

    /// A time of day; `hours` says whether the text has a word or a sign for hours after it.
    fn time(&self, hour: u64, minute: u64, hours: bool) -> String;

    /// The name of a part of the day, for `a.m.` and `p.m.`
    fn part_of_day(&self, hour: u64, after_noon: bool) -> &'static str;

    /// Whether groups of digits, which are set apart by `sign`, are a telephone number. `counted`
    /// says whether a noun follows that the number may count.
    fn is_phone(&self, groups: &[&str], sign: Option<char>, counted: bool) -> bool;

    /// A telephone number without spaces, in the groups in which it is said.
    fn phone_groups(&self, digits: &str) -> Vec<usize>;

    /// A group of a telephone number.
    fn phone_group(&self, digits: &str) -> String;

    /// Whether one group of three digits after a point, a comma or a space is thousands.
    fn has_thousands(&self, sign: char) -> bool {
        sign == '.'
    }

    /// Whether the degree sign after a number makes an ordinal of it where a noun follows.
    fn has_degrees_as_ordinals(&self) -> bool {
        false
    }

    /// The names of a currency, one and many, as it is written here.
    fn currency_names(&self, currency: &'static Currency, _written: &str) -> (&'static str, &'static str) {
        (currency.one, currency.many)
    }

    /// A preposition and the hour of one, where they are joined: "all'una".
    fn at_one(&self, _preposition: &str) -> Option<&'static str> {
        None
    }

    /// Whether the sides of a picture are said as a fraction: "seize neuvièmes" for `16:9`.
    fn has_sides_as_parts(&self) -> bool {
        false
    }

    /// Whether both years of `2024/25` are said whole.
    fn has_whole_years(&self) -> bool {
        false
    }

    /// Whether the groups of digits, with signs between them, are a number that identifies a person
    /// or a company, said digit by digit: `123.456.789-09`.
    fn is_identity(&self, _written: &str) -> bool {
        false
    }

    /// Whether these digits, which may have a hyphen, are the code of a city that is said digit by digit: `20121 Milano`.
    fn is_postal_code(&self, _written: &str) -> bool {
        false
    }

    /// Whether `3x0` is a score in a text: `head` is before it, `tail` after it.
    fn is_score(&self, _head: &str, _tail: &str) -> bool {
        false
    }

    /// The gender of a noun in lower case.
    fn is_feminine(&self, noun: &str) -> bool;

    /// Whether a word between a number and its noun says nothing about the gender: an adjective.
    fn is_neutral(&self, _word: &str) -> bool {
        false
    }

    /// Whether a noun may be a plural.
    fn is_plural(&self, noun: &str) -> bool {
        noun.ends_with('s')
    }

    /// The number of a century, which may stand before the word "century".
    fn century(&self, value: u64) -> String;

    /// The number of a king, queen or pope.
    fn regal(&self, value: u64, name: &str) -> String;

    /// A Roman numeral after a word that numbers: `capítulo IV`.
    fn numbered(&self, value: u64, _word: &str) -> String {
        self.number(value, Form::Alone)
    }

    /// Whether letters after a Roman numeral make it an ordinal, `XIXe`, and a feminine one.
    fn roman_ending(&self, _numeral: &str, _letters: &str) -> Option<bool> {
        None
    }

    /// Whether the language writes this letter, or one that it reads like one of its own.
    fn can_say(&self, letter: char) -> bool;

    /// The name of an emoji.
    fn emoji(&self, emoji: char) -> Option<&'static str>;

    /// The flag of a country, by its name or by the letters of its code.
    fn flag(&self, country: &str, is_name: bool) -> String;

    /// The phonemes of each word of a clause, which is what is said between two pauses.
    fn clause(&self, words: &[Word<'_>]) -> Vec<String>;
}
