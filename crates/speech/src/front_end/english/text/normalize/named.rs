//! Plain numbers that are names: the answer of a server (`HTTP 404`), a number of a register (`no. 1234567`), of a lot (`lot no.
//! 4417`), of what one rides or dials (`flight 2150`, `ext. 204`, "call 911"); postal codes.

use super::{
    Reader, addresses, reading,
    scan::{self, Quantity},
};
/// What 101 is the first course of, and roads of that number.
const COURSES: &[&str] = &[
    "Art",
    "Bio",
    "Biology",
    "Chem",
    "Chemistry",
    "Econ",
    "Economics",
    "English",
    "Flight",
    "French",
    "Geology",
    "Highway",
    "History",
    "Interstate",
    "Math",
    "Philosophy",
    "Physics",
    "Psych",
    "Psychology",
    "Route",
    "Sociology",
    "Spanish",
];

/// What is ridden or dialed by a number, or stands in a building.
const RIDDEN: [&str; 7] = ["flight", "channel", "locker", "suite", "ste.", "extension", "ext."];

/// The words of a plain number that is a name; `None` where it counts.
pub(super) fn read(r: &Reader<'_>, quantity: &Quantity<'_>) -> Option<String> {
    let digits = quantity.whole.as_str();
    let is_name = is_course(r, digits)
        || is_boxed(r, digits)
        || is_status(r, quantity)
        || is_ridden(r, quantity)
        || is_registered(r, digits);
    is_name.then(|| match digits.len() {
        3 => reading::name_number(r, digits),
        _ => reading::name_code(r, digits),
    })
}

/// The word after a number.
fn next<'a>(r: &Reader<'a>, quantity: &Quantity<'_>) -> &'a str {
    scan::word(r.t, scan::past_space(r.t, quantity.end))
}

/// The word before the word before.
fn earlier<'a>(r: &Reader<'a>) -> &'a str {
    let head = scan::slice(r.t, ..r.at).trim_end().trim_end_matches(r.word_before());
    scan::word_ending(head, head.len())
}

/// "Bio 101", "Highway 101".
fn is_course(r: &Reader<'_>, digits: &str) -> bool {
    digits == "101" && COURSES.contains(&r.word_before())
}

/// `P.O. Box 7718`.
fn is_boxed(r: &Reader<'_>, digits: &str) -> bool {
    let head = scan::slice(r.t, ..r.at);
    (3..=4).contains(&digits.len())
        && ["P.O. Box ", "PO Box ", "P.O.Box "].iter().any(|name| head.ends_with(name))
}

/// `HTTP 404`, "the 404 error page".
fn is_status(r: &Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let before = r.word_before();
    let is_fault = matches!(quantity.whole.as_bytes(), [b'4' | b'5', _, _]);
    let after_error = scan::slice(r.t, quantity.end..)
        .trim_start()
        .strip_prefix("error")
        .map(|rest| scan::word(rest, scan::past_space(rest, 0)));
    is_fault
        && (before == "HTTP"
            || (["error", "status"].contains(&before.to_lowercase().as_str()))
            || after_error.is_some_and(|next| next == "page" || !reading::is_noun_like(next)))
}

/// "Flight UA 237", "Train 2150 calls"; "a channel 150 feet wide" is measured.
fn is_ridden(r: &Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let (before, earlier, next) = (r.word_before(), earlier(r), next(r, quantity));
    let is_alone = !reading::is_noun_like(next);
    let is_carrier =
        before.len() == 2 && before.bytes().all(|byte| byte.is_ascii_uppercase()) && earlier == "Flight";
    let is_train = before == "Train"
        && (is_alone || ["calls", "departs", "leaves", "stops", "arrives", "runs"].contains(&next));
    let is_of_kind = RIDDEN.contains(&before.to_lowercase().as_str())
        && (is_alone || next == "now")
        && !["a", "an"].contains(&earlier);
    (3..=4).contains(&quantity.whole.len()) && (is_carrier || is_train || is_of_kind)
}

/// `no. 1234567`, `lot no. 4417`.
fn is_registered(r: &Reader<'_>, digits: &str) -> bool {
    ["No.", "no.", "No"].contains(&r.word_before())
        && (digits.len() >= 5 || reading::names_something(earlier(r), digits))
}

/// Numbers in front of which a word tells how they are read: a postal code, an emergency number.
pub(super) fn digit_by_digit(r: &mut Reader<'_>) -> bool {
    let end = scan::digits(r.t, r.at);
    let before = r.word_before();
    let state = (before.len() == 2 && before.bytes().all(|byte| byte.is_ascii_uppercase()))
        || before == "D.C."
        || (addresses::ends_with_state(scan::slice(r.t, ..r.at).trim_end())
                // "In Cleveland, Ohio 15000 people marched."
                && !reading::is_noun_like(scan::word(r.t, scan::past_space(r.t, end))));
    let zip = end - r.at == 5 && state && before != "AD" && before != "BC";
    let emergency = (scan::slice(r.t, r.at..end) == "911"
        && !["the", "a", "porsche"].contains(&before.to_lowercase().as_str()))
        || is_dialled(r, end);
    let long_zip = zip
        && scan::tail(r.t, end).starts_with('-')
        && scan::digits(r.t, end + 1) == end + 5
        && scan::edge(r.t, end + 5);
    if !(zip || emergency)
        || !scan::edge(r.t, end)
        || !long_zip && scan::tail(r.t, end).starts_with([',', '.', '-', '%']) && scan::digit_at(r.t, end + 1)
    {
        return false;
    }
    let words = reading::code(scan::slice(r.t, r.at..end));
    r.say(&words, end);
    if long_zip {
        r.out.comma(end..end + 1);
        r.skip(end + 1);
        let words = reading::code(scan::slice(r.t, end + 1..end + 5));
        r.say(&words, end + 5);
    }
    true
}

/// Whether a short number up to `end` is one to call or to text: "Call 112", "Text STOP to 88222".
fn is_dialled(r: &Reader<'_>, end: usize) -> bool {
    let head = scan::slice(r.t, ..r.at).to_lowercase();
    let mut words = head.rsplit(' ').filter(|word| !word.is_empty());
    let verb = |word: Option<&str>| {
        word.is_some_and(|word| ["call", "dial", "phone", "ring", "text"].contains(&word))
    };
    let before = words.next();
    // "He had called 411": other numbers are what something is called.
    let did = before.is_some_and(|word| {
        ["called", "calling", "dialed", "dialing", "dialled", "phoned", "rang"].contains(&word)
    }) && matches!(
        scan::slice(r.t, r.at..end),
        "112" | "211" | "311" | "411" | "511" | "611" | "711" | "811" | "911" | "999"
    );
    let called =
        did || verb(before) || (before == Some("or") && words.next().is_some() && verb(words.next()));
    let texted = before == Some("to") && head.split(' ').any(|word| word == "text" || word == "sms");
    let length = end - r.at;
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let things = next.ends_with('s') || ["people", "men", "women", "of"].contains(&next);
    // "Text 85258."
    let texted = texted || before == Some("text") && next.is_empty();
    (called && length == 3 && !things) || (texted && (4..=6).contains(&length))
}
