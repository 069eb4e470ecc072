//! Words that are shortened: `Dr.`, `e.g.`, `No. 5`, `Dr Smith`, `U.S. Pat. No.`. What they stand for is in the table of
//! [`abbreviations`]; here is where they stand for it.

use super::{Reader, addresses, dates, scan};
use crate::front_end::english::text::{
    abbreviations::{self, Abbreviation},
    figures, short_forms, words,
};

/// Reads a word shortened by a period, or a title without one.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if rules_of_court(r) {
        return true;
    }
    let run_end = scan::run(r.t, r.at, |c| c.is_alphabetic() || c == '.');
    let mut end = r.at + scan::slice(r.t, r.at..run_end).trim_end_matches('.').len();
    let word = scan::slice(r.t, r.at..end);
    let stopped = scan::tail(r.t, end).starts_with('.');
    if !word.contains('.') && (!stopped || words::is_numbered_war(word)) {
        return title_without_stop(r, word);
    }
    let Some((said, kind)) =
        abbreviations::expansion(word).filter(|_| stopped && !scan::tail(r.t, end).starts_with(".."))
    else {
        return false;
    };
    let Some(said) = said_here(r, (word, said, kind), end) else { return false };
    // The stop that also ends the sentence is kept.
    if said.ends_with('.') || !dates::ends_here(r.t, end + 1) {
        end += 1;
    }
    r.say(said, end);
    if said == "for example" || said == "that is" {
        breath_after(r);
    }
    true
}

/// `Fed. R. Civ. P. 12(b)(6)`.
fn rules_of_court(r: &mut Reader<'_>) -> bool {
    const RULES: [(&str, &str); 4] = [
        ("Fed. R. Civ. P.", "Federal Rule of Civil Procedure"),
        ("Fed. R. Crim. P.", "Federal Rule of Criminal Procedure"),
        ("Fed. R. App. P.", "Federal Rule of Appellate Procedure"),
        ("Fed. R. Evid.", "Federal Rule of Evidence"),
    ];
    let Some((written, said)) = RULES.iter().find(|(written, _)| r.rest().starts_with(written)) else {
        return false;
    };
    let end = r.at + written.len();
    r.say(said, end - usize::from(dates::ends_here(r.t, end)));
    true
}

/// Where an abbreviation stands.
struct Place<'a> {
    /// What is before it in the text.
    head: &'a str,
    before: &'a str,
    /// The byte after its stop.
    end: usize,
    /// The word that follows, and where.
    next: &'a str,
    next_at: usize,
    next_is_name: bool,
    number_follows: bool,
    /// A name is before it, or an ordinal: `52nd St.`
    name_before: bool,
}

impl<'a> Place<'a> {
    fn of(r: &Reader<'a>, end: usize) -> Self {
        let next_at = scan::past_space(r.t, end + 1);
        let next = scan::word(r.t, next_at);
        let next_is_name = capitalized(next);
        let rest = scan::slice(r.t, next_at..);
        let number_follows = scan::digit_at(r.t, next_at)
            || rest.starts_with(['#', '-', '−'])
            || (rest.starts_with('(') && scan::digit_at(r.t, next_at + 1))
            || figures::roman(&next.to_uppercase()).is_some_and(|_| next.len() > 1 || next_is_name);
        let before = r.word_before();
        let name_before =
            (capitalized(before) && !words::starts_sentence(before)) || short_forms::is_ordinal(before);
        let head = scan::slice(r.t, ..r.at);
        Self { head, before, end: end + 1, next, next_at, next_is_name, number_follows, name_before }
    }
}

/// What a rule says of an abbreviation: its words, or that it is none.
type Verdict = Option<&'static str>;

/// How an abbreviation that ends at `end` is said where it stands; `None` where it is none.
fn said_here(r: &Reader<'_>, (word, said, kind): (&str, &'static str, Abbreviation), end: usize) -> Verdict {
    let place = Place::of(r, end);
    let rule = among_names(r, &place, word, said)
        .or_else(|| among_numbers(r, &place, word, said))
        .or_else(|| in_small_print(r, &place, word, said));
    if let Some(verdict) = rule {
        return verdict;
    }
    let Place { head, before, next_is_name, number_follows, name_before, .. } = place;
    let is_none = match kind {
        _ if ALWAYS.contains(&word) => false,
        _ if abbreviations::is_state(word) => !follows_city(head),
        Abbreviation::BeforeNumber => !number_follows,
        Abbreviation::Place => {
            !(name_before
                || (word == "Hwy" && number_follows)
                || before.ends_with(|c: char| c.is_ascii_digit()))
        }
        Abbreviation::Title => capitalized(word) && !next_is_name,
        Abbreviation::Month => {
            let alone = head.trim().is_empty() || (word == "Sun" && before.eq_ignore_ascii_case("the"));
            dates::ends_here(r.t, place.end) && alone
        }
        _ => false,
    };
    (!is_none).then_some(said)
}

/// Abbreviations that are never anything else.
const ALWAYS: [&str; 13] =
    ["a.m", "p.m", "A.M", "P.M", "etc", "Mr", "Mrs", "Ms", "vs", "e.g", "i.e", "E.g", "I.e"];

/// Rules for what stands beside names: streets, people, companies, stations.
fn among_names(r: &Reader<'_>, place: &Place<'_>, word: &str, said: &'static str) -> Option<Verdict> {
    let &Place { head, before, end, next, next_is_name, number_follows, name_before, .. } = place;
    Some(match word {
        "St" | "Dr" => {
            let street = if word == "St" { "Street" } else { "Drive" };
            // "Dr. St. John" is a person.
            // "902 N. St. Clair Dr.": a saint whose street it is.
            let is_saint = word == "St"
                && next_is_name
                && addresses::direction_of(before).is_some()
                && addresses::street_follows(scan::slice(r.t, place.next_at..));
            if is_saint {
                return Some(Some(said));
            }
            let titled = words::STOPLESS_TITLES.contains(&before.trim_end_matches('.')) && next_is_name;
            let ends_name =
                name_before && !titled && (!next_is_name || words::starts_sentence(next) || word == "St");
            Some(if ends_name { street } else { said })
        }
        "apt" if !short_forms::is_home(head, scan::slice(r.t, place.next_at..)) => None,
        "Apt" if head.trim().is_empty() && ["for", "to"].contains(&next) => Some("Apartment"),
        // "in Del Mar."
        "Mar" if before == "Del" => None,
        "Cir" => short_forms::is_ordinal(before).then_some(said),
        "Sta" if next_is_name || !name_before => None,
        "Ins" if !name_before => None,
        "Lv" if number_follows => Some("Level"),
        "Lv" | "Ar" | "ar" if !next_is_name || !r.t.contains(':') => None,
        "Arr" | "Dep" if next_is_name && r.t.contains(':') => Some(said),
        // "Col. Reed, Ret."
        "Ret" if !head.trim_end().ends_with([',', '(']) => None,
        // "Max. Weber" is a person.
        "Max" | "Min" if next_is_name || dates::ends_here(r.t, end) => None,
        "Ft" if before.ends_with(|c: char| c.is_ascii_digit()) => None,
        "Reg" if ["No", "in"].contains(&next) => Some("Registered"),
        "reg" if next == "no" => Some("registration"),
        "No" | "no" if short_forms::is_of_register(head) => Some(said),
        "No" if next == "of" => Some(said),
        "Bldg" if number_follows => Some(said),
        _ => return None,
    })
}

/// Rules for what stands beside numbers: floors, editions, places on the globe, dates.
fn among_numbers(r: &Reader<'_>, place: &Place<'_>, word: &str, said: &'static str) -> Option<Verdict> {
    let &Place { head, before, end, next, next_at, number_follows, .. } = place;
    Some(match word {
        "approx" if ["a", "an", "the", "An", "The"].contains(&before) && !number_follows => {
            Some("approximate")
        }
        "exp" | "Exp" if !short_forms::is_month(scan::slice(r.t, next_at..)) => None,
        "Pat" => {
            let is_patent = ["No", "Nos", "Pending"].contains(&next) || scan::digit_at(r.t, next_at);
            (is_patent && ["U.S.", "US"].contains(&before)).then_some(said)
        }
        // `dec. +22°`
        "dec" => is_angle(r.t, next_at).then_some(said),
        "Dec" if is_angle(r.t, next_at) => Some("declination"),
        // "2 lg. eggs"
        "lg" | "sm" | "med" => (before.starts_with(char::is_numeric)
            && SIZED.contains(&next.trim_end_matches('s')))
        .then_some(said),
        "long" if !r.t.contains("lat") && !r.t.contains("Lat") => None,
        "est" if !number_follows => next.starts_with(char::is_lowercase).then_some("estimated"),
        "Est" if !is_year(r.t, next_at) => None,
        // `fl. 1450` and `fl. oz.` are no floors.
        "fl" | "Fl" if !short_forms::is_ordinal(before) => None,
        // "I heard a pop. 20 people came."
        "pop" | "Pop" if !head.trim_end().ends_with(['(', ',', ';']) => None,
        "ed" => ["st", "nd", "rd", "th"].iter().any(|ending| before.ends_with(ending)).then_some(said),
        "Tel" | "tel" if scan::tail(r.t, end).starts_with(':') || number_follows => Some(said),
        "dia"
            if !before.starts_with(|c: char| c.is_ascii_digit())
                && !head.trim_end().ends_with(['m', '"', 't']) =>
        {
            None
        }
        // "13.5% by vol."
        "vol" if before == "by" => Some(said),
        // `at mm. 12–16`: elsewhere millimeters.
        "mm" if before.ends_with(|c: char| c.is_ascii_digit()) => None,
        _ => return None,
    })
}

/// What recipes count by size, without the `s` of several.
const SIZED: [&str; 18] = [
    "apple", "avocado", "banana", "bowl", "can", "carrot", "clove", "egg", "eggplant", "garlic", "head",
    "jar", "lemon", "onion", "pot", "potatoe", "shallot", "tomatoe",
];

/// Rules for laws, scripture, references and labels.
fn in_small_print(r: &Reader<'_>, place: &Place<'_>, word: &str, said: &'static str) -> Option<Verdict> {
    let &Place { head, end, next, next_at, next_is_name, number_follows, .. } = place;
    let rest = scan::slice(r.t, next_at..);
    Some(match word {
        // "cf. v. 24"
        "v" if number_follows && is_verse(r, next_at) => Some("verse"),
        "v" if !next_is_name => None,
        "incl" if dates::ends_here(r.t, end) || scan::tail(r.t, end).starts_with(')') => Some("included"),
        // "Acme inc."
        "inc" if !["VAT", "tax", "p&p", "postage", "delivery", "all", "breakfast"].contains(&next) => None,
        "Reg" if rest.starts_with("(E") => Some(said),
        "ex" if !short_forms::is_exception(head, next) => None,
        "exc" if words::weekday(next.trim_end_matches('s')).is_none() && next != "Bank" => None,
        "Ref" | "ref" => short_forms::is_reference(head, rest).then_some(said),
        "Ex" => short_forms::is_exhibit(head, rest).then_some(said),
        "Sched" | "Sch" | "Fig" if short_forms::is_lettered(rest) => Some(said),
        "Const" => ["art", "amend", "Art", "Amend"].contains(&next).then_some(said),
        _ => return None,
    })
}

/// Whether a city and a comma end a text: "Mobile, Ala." "Oh, La." has none.
fn follows_city(head: &str) -> bool {
    let Some(head) = head.trim_end().strip_suffix(',') else { return false };
    let city = scan::word_ending(head, head.len());
    capitalized(city) && city.len() > 2 && !["No", "Oh", "Well", "Yes"].contains(&city)
}

/// Whether a verse is what is numbered at `at`, and not a version.
fn is_verse(r: &Reader<'_>, at: usize) -> bool {
    let end = scan::digits(r.t, at);
    let told = ["cf.", "see", "See", "and", "in"].contains(&r.word_before()) && r.t.contains(':');
    told && (1..=3).contains(&(end - at))
        && !(scan::tail(r.t, end).starts_with('.') && scan::digit_at(r.t, end + 1))
}

/// Whether there are degrees at `at`.
fn is_angle(t: &str, at: usize) -> bool {
    let start = at + scan::char_at(t, at).filter(|c| matches!(c, '+' | '-' | '−')).map_or(0, char::len_utf8);
    scan::quantity(t, start).is_some_and(|degrees| scan::tail(t, degrees.end).starts_with('°'))
}

/// A comma after "for example", as it is said, unless one is written.
fn breath_after(r: &mut Reader<'_>) {
    if r.rest().starts_with(' ') {
        r.out.comma(r.at..r.at);
    }
}

/// `Dr Smith`, `vs`, `No 5`.
fn title_without_stop(r: &mut Reader<'_>, word: &str) -> bool {
    let end = r.at + word.len();
    if !scan::edge(r.t, end) {
        return false;
    }
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let is_title =
        words::STOPLESS_TITLES.contains(&word) && capitalized(next) && scan::tail(r.t, end).starts_with(' ');
    let is_saint = word == "St"
        && capitalized(next)
        && !capitalized(r.word_before())
        && scan::tail(r.t, end).starts_with(' ');
    let before = r.word_before();
    let named = r.before() == Some(' ')
        && (capitalized(before) || before.ends_with("th") || short_forms::is_ordinal(before))
        && !words::starts_sentence(before);
    let is_street = named
        && (!next_is_close(r.t, end, next)
            || is_unit(next)
            || addresses::is_quarter(r.t, scan::past_space(r.t, end)));
    let after = scan::tail(r.t, end);
    let numbered =
        after.starts_with(' ') && scan::digit_at(r.t, end + 1 + usize::from(after.starts_with(" #")));
    // "Tel: +1 …", "Fwd: Q3 report"
    let label = match word {
        _ if !scan::tail(r.t, end).starts_with(':') => None,
        "tel" | "Tel" => Some("telephone"),
        "Fwd" | "FWD" | "Fw" => Some("Forwarded"),
        "Attn" | "ATTN" => Some("Attention"),
        _ => None,
    };
    let said = if label.is_some() {
        label
    } else if word == "approx" && ["a", "an", "the", "An", "The"].contains(&before) {
        Some("approximate")
    } else if word == "Fl"
        && numbered
        && scan::digits(r.t, end + 1) <= end + 4
        && scan::slice(r.t, ..r.at).trim_end().ends_with(',')
    {
        Some("Floor")
    } else if numbered && let Some(said) = words::place(word) {
        Some(said)
    } else if is_street && let Some(said) = words::street(word) {
        Some(said)
    } else if is_title || is_saint || ["Mr", "Ms"].contains(&word) {
        abbreviations::expansion(word).map(|(said, _)| said)
    } else {
        words::shorthand(word)
    };
    let Some(said) = said else { return false };
    r.say(said, end);
    true
}

/// Whether a part of a building follows a street: "4520 Oak Blvd Ste 300".
fn is_unit(word: &str) -> bool {
    ["Apt", "Bldg", "Rm", "Ste", "Suite", "Unit"].contains(&word)
}

/// Whether a name or a number follows after one space, so that an abbreviation may belong to it.
fn next_is_close(t: &str, end: usize, next: &str) -> bool {
    scan::tail(t, end).starts_with(' ') && (capitalized(next) || next.is_empty())
}

/// Whether the number at `at` may be a year.
fn is_year(t: &str, at: usize) -> bool {
    let digits = scan::slice(t, at..scan::digits(t, at));
    digits.len() == 4 && digits.starts_with(['1', '2'])
}

fn capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}
