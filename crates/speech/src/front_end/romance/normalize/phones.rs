//! Telephone numbers: groups of digits, each read as a number with a pause after it.

use super::Reader;
use crate::front_end::{
    romance::figures::{self, Form},
    scan,
};

/// Reads `612 345 678`, `91 234 56 78`, `06 12 34 56 78`, `612345678`.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if card(r) || coded(r) || account(r) || identity(r) || postal(r) || named(r) {
        return true;
    }
    let (groups, sign) = groups(r.t, r.at, 2);
    let Some(&(_, end)) = groups.last() else { return false };
    let goes_on = scan::char_at(r.t, end)
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '€' | '$'))
        || (scan::tail(r.t, end).starts_with(['.', ',', '/', ':']) && scan::digit_at(r.t, end + 1));
    let tail = scan::tail(r.t, end);
    let hours = tail.strip_prefix(" de ").is_some_and(|rest| is_weekday(r, scan::word(rest, 0)));
    let amount = [" de ", " di ", " d'"].iter().any(|next| tail.starts_with(next)) && !hours;
    let measured = super::units::at(r, end).is_some() || super::currencies::currency_after(r, end).is_some();
    if goes_on || amount || measured {
        return false;
    }
    let counted = super::counting::noun(r, false, end).is_some();
    let written: Vec<&str> = groups.iter().map(|&(from, to)| scan::slice(r.t, from..to)).collect();
    if !r.grammar().is_phone(&written, sign, counted) {
        return false;
    }
    if let [(from, to)] = groups[..] {
        let groups = in_groups(r, from, to);
        say(r, &groups);
    } else {
        say(r, &groups);
    }
    true
}

/// "Ligue 808 200 300 de segunda a sexta."
fn is_weekday(r: &Reader<'_>, word: &str) -> bool {
    let word = word.to_lowercase();
    r.words().weekdays.iter().any(|names| names.contains(&word.as_str()))
}

/// Reads a number after the word for a telephone, whatever sets its groups apart: `tel. 555-0134`,
/// `Tel. 02/8765.4321`; and that of a taxpayer of Portugal, `NIF 123 456 789`.
fn named(r: &mut Reader<'_>) -> bool {
    const WORDS: [&str; 11] = [
        "teléfono",
        "téléphone",
        "telefono",
        "telefone",
        "móvil",
        "cellulare",
        "celular",
        "telemóvel",
        "fax",
        "whatsapp",
        "tel",
    ];
    let said = r.out.text.trim_end_matches([' ', ':', '.']);
    let last = said.rsplit(' ').next().unwrap_or("").to_lowercase();
    let taxpayer = last == "nif";
    if !taxpayer && !WORDS.contains(&last.as_str()) {
        return false;
    }
    let mut groups = Vec::new();
    let mut at = r.at;
    loop {
        let end = scan::digits(r.t, at);
        groups.push((at, end));
        let sign = scan::char_at(r.t, end).filter(|c| matches!(c, ' ' | '-' | '.' | '/'));
        match sign.filter(|_| end > at && scan::digits(r.t, end + 1) > end + 2) {
            Some(_) => at = end + 1,
            None => break,
        }
    }
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    let ends = groups.last().is_some_and(|&(_, end)| scan::edge(r.t, end));
    let fits = if taxpayer { total == 9 } else { (6..=13).contains(&total) };
    // A number without spaces is shorter only where it is no telephone's: "fax 2000".
    if !fits || !ends || groups.len() < 2 && !(9..=11).contains(&total) {
        return false;
    }
    if let [(from, to)] = groups[..] {
        groups = in_groups(r, from, to);
    }
    say(r, &groups);
    true
}

/// Reads the number of a card or an account, four groups of four digits or more, digit by digit.
fn card(r: &mut Reader<'_>) -> bool {
    let mut groups = Vec::new();
    let mut at = r.at;
    while scan::digits(r.t, at) == at + 4 {
        groups.push((at, at + 4));
        let next = scan::tail(r.t, at + 4).starts_with([' ', '-']) && scan::digit_at(r.t, at + 5);
        at += 5;
        if !next {
            break;
        }
    }
    let Some(&(_, mut end)) = groups.last() else { return false };
    // The last group may be shorter.
    let stop = scan::digits(r.t, end + 1);
    if scan::tail(r.t, end).starts_with(' ') && stop > end + 1 && stop < end + 5 && groups.len() > 3 {
        groups.push((end + 1, stop));
        end = stop;
    }
    if groups.len() < 4 || !scan::edge(r.t, end) {
        return false;
    }
    digit_by_digit(r, &groups);
    true
}

/// Reads what stands after `ISBN` and the like, groups of digits, digit by digit.
fn coded(r: &mut Reader<'_>) -> bool {
    const CODES: [&str; 7] = ["ISBN", "ISSN", "EAN", "SIRET", "SIREN", "ISBN-13", "ISBN-10"];
    let before = scan::slice(r.t, ..r.at).trim_end_matches([' ', ':']);
    if !CODES.contains(&before.rsplit(' ').next().unwrap_or("")) {
        return false;
    }
    let mut groups = Vec::new();
    let mut at = r.at;
    loop {
        let end = scan::digits(r.t, at);
        if end == at || groups.len() > 8 {
            break;
        }
        groups.push((at, end));
        at = end + usize::from(scan::tail(r.t, end).starts_with(['-', ' ']) && scan::digit_at(r.t, end + 1));
        if at == end {
            break;
        }
    }
    digit_by_digit(r, &groups);
    !groups.is_empty()
}

/// Reads `98765-4` after the word for an account or a branch of a bank, digit by digit.
fn account(r: &mut Reader<'_>) -> bool {
    const WORDS: [&str; 9] =
        ["agência", "conta", "corrente", "cuenta", "corriente", "compte", "conto", "bancaria", "bancária"];
    let last = r.out.text.trim_end_matches([' ', ':']).rsplit(' ').next().unwrap_or("").to_lowercase();
    let hyphen = scan::digits(r.t, r.at);
    let end = scan::digits(r.t, hyphen + 1);
    let fits = hyphen > r.at + 2 && scan::tail(r.t, hyphen).starts_with('-') && end == hyphen + 2;
    if !fits || !WORDS.contains(&last.as_str()) || !scan::edge(r.t, end) {
        return false;
    }
    digit_by_digit(r, &[(r.at, hyphen), (hyphen + 1, end)]);
    true
}

/// Says groups digit by digit, with a breath between them.
fn digit_by_digit(r: &mut Reader<'_>, groups: &[(usize, usize)]) {
    for (index, &(from, to)) in groups.iter().enumerate() {
        if index > 0 {
            r.out.comma(from..from);
        }
        r.skip(from);
        let words = figures::each(r.grammar(), scan::slice(r.t, from..to));
        r.say(&words, to);
    }
}

/// Reads the code of a city before its name, `20121 Milano`, `1100-053 Lisboa`, digit by digit.
fn postal(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at, |c| c.is_ascii_digit() || c == '-');
    let name = scan::tail(r.t, end).strip_prefix(' ').map_or("", |rest| scan::word(rest, 0));
    let written = scan::slice(r.t, r.at..end);
    let hyphen = written.contains('-');
    let named = name.starts_with(char::is_uppercase) && (hyphen || name.chars().any(char::is_lowercase));
    let head = scan::slice(r.t, ..r.at).trim_end();
    let apart = head.is_empty()
        || head.ends_with([',', '-', '–', '—', '(', ':'])
        || hyphen && head.ends_with(['.', '\n']);
    if !named || !apart || !r.grammar().is_postal_code(written) {
        return false;
    }
    let stop = scan::digits(r.t, r.at);
    let mut groups = vec![(r.at, stop)];
    if stop < end {
        groups.push((stop + 1, end));
    }
    digit_by_digit(r, &groups);
    true
}

/// Reads the number of a person or a company, `123.456.789-09`, digit by digit.
fn identity(r: &mut Reader<'_>) -> bool {
    // No such number is longer.
    const LONGEST: usize = 25;
    let end = scan::run(r.t, r.at, |c| c.is_ascii_digit() || matches!(c, '.' | '-' | '/'));
    let written = scan::slice(r.t, r.at..end).trim_end_matches(['.', '-', '/']);
    if written.len() > LONGEST || !written.contains('-') || !r.grammar().is_identity(written) {
        return false;
    }
    let end = r.at + written.len();
    while r.at < end {
        let stop = scan::digits(r.t, r.at);
        let words = figures::each(r.grammar(), scan::slice(r.t, r.at..stop));
        r.say(&words, stop);
        if stop < end {
            r.out.comma(stop..stop);
            r.skip(stop + 1);
        }
    }
    true
}

/// The groups in which a number without spaces is said.
fn in_groups(r: &Reader<'_>, from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut at = from;
    let mut groups = Vec::new();
    for length in r.grammar().phone_groups(scan::slice(r.t, from..to)) {
        let next = (at + length).min(to);
        groups.push((at, next));
        at = next;
    }
    if at < to {
        groups.push((at, to));
    }
    groups
}

/// Reads `+34 612 345 678`.
pub(super) fn international(r: &mut Reader<'_>) -> bool {
    let (mut groups, _) = groups(r.t, r.at + 1, 1);
    // `+33 (0)1 23 45`: the zero is for calls from inside the country.
    if let [(_, end)] = groups[..]
        && scan::tail(r.t, end).starts_with(" (0)")
    {
        let at = scan::past_space(r.t, end + " (0)".len());
        groups.extend(self::groups(r.t, at, 1).0);
    }
    let total: usize = groups.iter().map(|(from, to)| to - from).sum();
    if !(9..=15).contains(&total) {
        return false;
    }
    r.say(r.signs().names.plus, r.at + 1);
    let mut parts = groups;
    if let [(from, to)] = parts[..] {
        let code = from + country_code(scan::slice(r.t, from..to));
        parts = vec![(from, code)];
        parts.extend(in_groups(r, code, to));
    }
    // The code of the country is a number.
    if let Some((from, to)) = parts.first().copied().filter(|(from, to)| to - from <= 3) {
        r.skip(from);
        let code = r.cardinal(scan::slice(r.t, from..to), Form::Alone);
        r.say(&code, to);
        parts.remove(0);
        if let Some(&(from, _)) = parts.first() {
            r.out.comma(from..from);
        }
    }
    say(r, &parts);
    true
}

/// How many digits the code of a country has that a number begins with (ITU-T E.164).
fn country_code(digits: &str) -> usize {
    const OF_TWO: [&str; 37] = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48",
        "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81",
        "82", "84", "86",
    ];
    match digits.as_bytes() {
        [b'1' | b'7', ..] => 1,
        // 90 to 95, and 98.
        [b'9', b'0'..=b'5' | b'8', ..] => 2,
        _ if OF_TWO.iter().any(|code| digits.starts_with(code)) => 2,
        _ => 3,
    }
}

/// Groups of digits set apart by one sign, the first at `at`, and the sign. The others have at least
/// `shortest` digits.
fn groups(t: &str, at: usize, shortest: usize) -> (Vec<(usize, usize)>, Option<char>) {
    let mut groups = Vec::new();
    let mut from = at;
    let mut sign = None;
    loop {
        let to = scan::digits(t, from);
        let fits = if groups.is_empty() { to > from } else { (shortest..=8).contains(&(to - from)) };
        if !fits {
            return (groups, sign);
        }
        groups.push((from, to));
        // `02/12345678`
        let prefix = groups.len() == 1
            && scan::slice(t, from..to).starts_with('0')
            && scan::digits(t, to + 1) > to + 5;
        let next = scan::char_at(t, to)
            .filter(|&c| (matches!(c, ' ' | '-' | '.') || (c == '/' && prefix)) && scan::digit_at(t, to + 1));
        let Some(c) = next else { return (groups, sign) };
        // The sign must be the same between all groups, or a hyphen in the last place:
        // `11 98765-4321`.
        if groups.len() > 5 || (sign.is_some_and(|sign| sign != c) && (sign, c) != (Some(' '), '-')) {
            return (groups, sign);
        }
        sign = Some(c);
        from = to + 1;
    }
}

fn say(r: &mut Reader<'_>, groups: &[(usize, usize)]) {
    for (index, &(from, to)) in groups.iter().enumerate() {
        if index > 0 {
            r.out.comma(from..from);
        }
        r.skip(from);
        let words = r.grammar().phone_group(scan::slice(r.t, from..to));
        r.say(&words, to);
    }
}
