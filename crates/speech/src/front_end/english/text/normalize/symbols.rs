//! Everything that is neither a number nor a word: punctuation that stays, quotes and footnote
//! marks that go, signs that have a name.

use super::{English, Reader, chemistry, emoji, lexemes, maths, money, reading, scan};
use crate::front_end::{
    english::text::words,
    normalize::symbols::{self, Names, Symbols, sign, smiley, subscript, superscript},
};

impl<'a> Symbols<'a> for English<'a> {
    fn names(&self) -> &'static Names {
        &Names {
            arrow: "to",
            equals: "equals",
            plus: "plus",
            minus: "minus",
            less: "less than",
            less_or_equal: "less than or equal to",
            greater: "greater than",
            greater_or_equal: "greater than or equal to",
            times: "times",
            divided_by: "divided by",
            backslash: "backslash",
            about: "about",
            about_before: "$£€",
            squared: "squared",
            cubed: "cubed",
            to_the_power: "to the power of",
            and: "and",
            n: "N",
        }
    }
}

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        '0'..='9' => reading::inside(r),
        ' ' => r.copy(next),
        '"' => quote(r),
        '\'' => apostrophe(r),
        '-' => hyphen(r),
        '–' | '—' | '−' => dash(r, c),
        '.' | '…' => stops(r),
        '!' if maths::is_factorial(r) => r.say("factorial", next),
        '!' | '?' => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '!' | '?'));
            r.copy(end.min(r.at + 3));
            r.skip(end);
        }
        ',' | ';' => {
            r.copy(next);
            r.skip(scan::run(r.t, next, |c| matches!(c, ',' | ';')));
        }
        ':' | '<' if face(r) => {}
        ':' => colon(r),
        '/' if is_quotient(r) => r.say("over", next),
        '<' | '>' | '=' | '+' | '*' | '/' | '\\' | '~' | '^' | '_' => sign(r, c),
        '|' if maths::absolute(r) => {}
        '|' => {
            r.out.comma(r.at..next);
            r.skip(next);
        }
        '(' | ')' => bracket(r, next),
        '#' => {
            let musical = r.before().is_some_and(|c| matches!(c, 'A'..='G')) && scan::edge(r.t, next);
            if musical {
                r.say("sharp", next);
            } else if let Some(end) = chord(r, next) {
                r.say("sharp minor", end);
            } else if ["press", "dial"].contains(&r.word_before().to_lowercase().as_str())
                && scan::edge(r.t, next)
                && !scan::digit_at(r.t, scan::past_space(r.t, next))
            {
                // Of a telephone.
                r.say("pound", next);
            } else {
                r.skip(next);
            }
        }
        '&' => {
            let end = if r.rest().starts_with("&amp;") { r.at + 5 } else { next };
            r.say("and", end);
        }
        '²' | '³' | '¹' | '⁰'..='⁹' if chemistry::isotope(r) => {}
        '²' | '³' | '¹' | '⁰'..='⁹' | '⁺' | '⁻' | 'ⁿ' => superscript(r),
        '₀'..='₉' => subscript(r),
        c if c.is_alphabetic() => return false,
        c => named(r, c),
    }
    true
}

/// Where the `m` of a minor chord ends after a sharp at `at`: `C#m`, `F#m7`.
fn chord(r: &Reader<'_>, at: usize) -> Option<usize> {
    let end = at + 1;
    let number = scan::digits(r.t, end);
    let named = r.before().is_some_and(|c| matches!(c, 'A'..='G'));
    (named && scan::tail(r.t, at).starts_with('m') && scan::edge(r.t, number)).then_some(end)
}

/// A sign with a name, an emoji, or something that says nothing.
fn named(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let name = match c {
        '@' => "at",
        '%' => "percent",
        '‰' => "per mille",
        '$' => "dollar",
        '€' => "euro",
        '£' => "pound",
        '¥' => "yen",
        '₹' => "rupee",
        '¢' => "cent",
        '°' => "degrees",
        '§' if scan::tail(r.t, next).starts_with('§') => return r.say("sections", next + c.len_utf8()),
        '§' => "section",
        '¶' if scan::tail(r.t, next).starts_with('¶') => return r.say("paragraphs", next + c.len_utf8()),
        '¶' => "paragraph",
        '©' => "copyright",
        '×' if is_of_sides(r, next) => "by",
        '×' | '⨯' => "times",
        '÷' => "divided by",
        '±' => "plus or minus",
        '≈' | '≃' if scan::slice(r.t, ..r.at).trim_end().ends_with(char::is_alphanumeric) => {
            "is approximately"
        }
        '≈' | '≃' => "approximately",
        '≠' => "is not equal to",
        '≤' => "less than or equal to",
        '≥' => "greater than or equal to",
        '≡' => "is equivalent to",
        '→' if chemistry::is_reaction(r.t, r.at) => "yields",
        '→' | '⇒' | '➔' | '➜' => "to",
        '♩' if is_tempo(r, next) => "quarter note",
        '♪' if is_tempo(r, next) => "eighth note",
        '∞' => "infinity",
        '∠' => "angle",
        '√' => "the square root of",
        '∑' => "the sum of",
        '∫' => "the integral of",
        '∂' => "partial",
        '∆' | '∇' => "delta",
        '∈' => "in",
        '∪' => "union",
        '∩' => "intersection",
        '⅓' => "one third",
        '♯' => "sharp",
        '♭' => "flat",
        _ => {
            if !emoji::read(r) {
                // A sign without a name is silent, but keeps its neighbors apart.
                let keeps_apart = !lexemes::is_sayable(c)
                    && !matches!(c, '®' | '™' | '†' | '‡' | '¿' | '¡' | '{' | '}' | '[' | ']' | '`');
                if keeps_apart {
                    r.out.space(r.at..next);
                }
                r.skip(next);
            }
            return;
        }
    };
    r.say(name, next);
}

/// `♩ = 66`
fn is_tempo(r: &Reader<'_>, next: usize) -> bool {
    scan::tail(r.t, scan::past_space(r.t, next)).starts_with('=')
}

/// `L × W × H`: the names of sides, not variables.
fn is_of_sides(r: &Reader<'_>, next: usize) -> bool {
    let is_side = |word: &str| {
        matches!(word, "L" | "W" | "H" | "D")
            || ["length", "width", "height", "depth"].contains(&word.to_lowercase().as_str())
    };
    !r.t.contains('=') && is_side(r.word_before()) && is_side(scan::word(r.t, scan::past_space(r.t, next)))
}

/// `a/b` in a formula, with one letter on each side.
fn is_quotient(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at);
    let letter = head.ends_with(char::is_alphabetic) && scan::letters(r.t, r.at + 1) == r.at + 2;
    let alone = !head.trim_end_matches(char::is_alphabetic).ends_with(|c: char| c.is_alphanumeric());
    // `1/x`: other letters are units of time.
    let variable = head.ends_with(|c: char| c.is_ascii_digit())
        && matches!(scan::char_at(r.t, r.at + 1), Some('k' | 'n' | 'r' | 'x' | 'y' | 'z'))
        && scan::edge(r.t, r.at + 2);
    if variable {
        return true;
    }
    r.sum && letter && alone && head.chars().rev().take_while(|c| c.is_alphabetic()).count() == 1
}

/// Double quotes have no sound; between letters they are a space.
fn quote(r: &mut Reader<'_>) {
    let next = r.at + 1;
    let between = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, next);
    if between {
        r.out.space(r.at..next);
    }
    r.skip(next);
}

/// An apostrophe stays, a quotation mark goes.
fn apostrophe(r: &mut Reader<'_>) {
    let next = r.at + 1;
    let before = r.before();
    // The bracket that ends `[word](/ipa/)` stands for the word.
    let pronounced = before == Some(')') && r.out.ends_with_pronounced();
    let letter_before = pronounced || before.is_some_and(char::is_alphanumeric);
    let letter_after = !scan::edge(r.t, next);
    match (letter_before, letter_after) {
        // `Q1'24`: a year.
        (true, true) if scan::digit_at(r.t, next) => {
            r.out.space(r.at..next);
            r.skip(next);
        }
        (true, true) => r.copy(next),
        (false, true) => {
            let word = scan::word(r.t, next);
            if r.rest().starts_with("'n'") {
                r.copy(r.at + 3);
            } else if words::is_elided(word) && !(r.rest()[1 + word.len()..].starts_with('\'')) {
                r.copy(next);
            } else {
                r.language.quoted = true;
                r.skip(next);
            }
        }
        (true, false) if !r.language.quoted && matches!(before, Some('s' | 'S' | 'n')) => r.copy(next),
        _ => {
            r.language.quoted = false;
            r.skip(next);
        }
    }
}

/// `-`: in a word, between words, alone, in a row.
fn hyphen(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == '-');
    let next = r.at + 1;
    if scan::tail(r.t, end).starts_with('>') {
        r.say("to", end + 1);
        return;
    }
    let before = r.before();
    let after = scan::char_at(r.t, end);
    if end - r.at > 1 {
        long_dash(r, end);
        return;
    }
    match (before, after) {
        (Some('%' | '°'), Some(a)) if a.is_ascii_digit() => r.say("to", next),
        (Some(' '), Some(a)) if is_option(r, next) && a.is_alphabetic() => r.say("dash", next),
        (Some('A'), Some('Z')) if is_letter_range(r, next) => r.say("to", next),
        _ if is_size_range(r, next) => r.say("to", next),
        (Some(b), Some(a)) if b.is_alphabetic() && a.is_alphabetic() => r.copy(next),
        (Some(' '), Some(' ')) if r.sum => r.say("minus", next),
        (Some(' '), Some(' ')) => long_dash(r, next),
        _ => {
            r.out.space(r.at..next);
            r.skip(next);
        }
    }
}

/// `git commit -m`: one letter after a hyphen, at the end of a word.
fn is_option(r: &Reader<'_>, next: usize) -> bool {
    scan::letters(r.t, next) == next + 1
        && scan::edge(r.t, next + 1)
        && !scan::tail(r.t, next + 1).starts_with(['-', '.', '\''])
}

/// `A–Z`: single capitals on both sides, in the order of the alphabet.
fn is_letter_range(r: &Reader<'_>, next: usize) -> bool {
    let mut back = scan::slice(r.t, ..r.at).chars().rev();
    let first = back.next().filter(char::is_ascii_uppercase);
    let alone = !back.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '–' | '.'));
    let last = scan::char_at(r.t, next).filter(char::is_ascii_uppercase);
    let ends = scan::edge(r.t, next + 1) && !scan::tail(r.t, next + 1).starts_with(['-', '–', '.']);
    alone && ends && first.zip(last).is_some_and(|(first, last)| first < last)
}

/// `S–XL`: two sizes of clothes, the smaller one first.
fn is_size_range(r: &Reader<'_>, next: usize) -> bool {
    const SIZES: [&str; 9] = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL", "XXXXL"];
    // A single letter may be a name: "the CPI (M-L)".
    let told = scan::has_words(r.t, &["size", "sizes", "Size", "Sizes"]);
    let place = |word: &str| SIZES.iter().position(|size| *size == word);
    let first = scan::word_ending(r.t, r.at);
    (told || first.len() + scan::word(r.t, next).len() > 2)
        && first.len()
            == scan::slice(r.t, ..r.at).len()
                - scan::slice(r.t, ..r.at).trim_end_matches(char::is_alphabetic).len()
        && place(first).zip(place(scan::word(r.t, next))).is_some_and(|(first, last)| first < last)
        && scan::edge(r.t, next + scan::word(r.t, next).len())
}

/// An en dash between numbers is "to", in a word a hyphen, elsewhere a break.
fn dash(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let tight = symbols::is_tight(r, next);
    let number_after = scan::digit_at(r.t, next);
    match c {
        '–' if (tight && number_after)
            || (r.before().is_some_and(char::is_alphanumeric) && money::at(r.t, next)) =>
        {
            r.say("to", next);
        }
        '–' if is_letter_range(r, next) || is_size_range(r, next) => r.say("to", next),
        '–' if tight && r.before().is_some_and(char::is_alphabetic) => {
            r.out.glue("-", r.at..next);
            r.skip(next);
        }
        '−' if r.sum || number_after => r.say("minus", next),
        _ => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '–' | '—'));
            long_dash(r, end.max(next));
        }
    }
}

/// Writes a dash that breaks the sentence, up to `end`.
fn long_dash(r: &mut Reader<'_>, end: usize) {
    if !r.out.text.trim_end().ends_with('—') {
        r.out.glue("—", r.at..end);
    }
    r.skip(end);
}

/// Full stops and ellipses; a row of any length is one ellipsis.
fn stops(r: &mut Reader<'_>) {
    let (end, count) = symbols::stops(r);
    let one = r.at + r.char().map_or(1, char::len_utf8);
    let joins_number = r.before().is_some_and(char::is_alphabetic) && scan::digit_at(r.t, end);
    if count == 1 && joins_number {
        // `X.509`
        r.out.space(r.at..one);
        r.skip(one);
    } else if count == 1 && r.out.text.trim_end().ends_with('.') && r.before() == Some(' ') {
        r.skip(one);
    } else if count == 1 || (count == 3 && end == one) {
        r.copy(one);
    } else if count == 2 {
        r.copy(end.min(r.at + 1));
        r.skip(end);
    } else {
        if r.out.text.ends_with(' ')
            && !r.out.text.trim_end().is_empty()
            && scan::tail(r.t, r.at).starts_with(". .")
        {
            r.out.mark("...", r.at..end);
        } else {
            r.out.glue("...", r.at..end);
        }
        r.skip(end);
    }
}

fn colon(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == ':');
    let inside = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, end);
    if end == r.at + 1 && inside && scan::slice(r.t, ..r.at).ends_with("localhost") {
        r.say("colon", end);
    } else if end - r.at > 1 || (inside && scan::digit_at(r.t, end)) {
        r.out.space(r.at..end);
        r.skip(end);
    } else {
        r.copy(end);
    }
}

/// Smileys made of signs say nothing; a heart does.
fn face(r: &mut Reader<'_>) -> bool {
    if !matches!(r.before(), None | Some(' ' | '.' | '!' | '?')) {
        return false;
    }
    if r.rest().starts_with("<3") && scan::edge(r.t, r.at + 2) && !r.sum {
        r.say("heart", r.at + 2);
        return true;
    }
    let Some(end) = smiley(r) else { return false };
    r.skip(end);
    true
}

/// A bracket inside a word (`word(s)`) is not heard.
fn bracket(r: &mut Reader<'_>, next: usize) {
    if r.rest().starts_with("(s)") && r.before().is_some_and(char::is_alphabetic) {
        r.out.glue("s", r.at..r.at + 3);
        r.skip(r.at + 3);
    } else if r.rest().starts_with("()") {
        r.skip(r.at + 2);
    } else {
        r.copy(next);
    }
}
