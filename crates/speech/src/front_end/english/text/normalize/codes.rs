//! Numbers that name instead of count: telephone numbers, ISBNs, serial numbers, network addresses,
//! versions.

use super::{
    Reader, chemistry, reading,
    scan::{self, Quantity},
    scores,
};
use crate::front_end::english::text::figures;

/// `802.11ac`, `802.3`: the standards of networks have no decimals.
fn network(r: &mut Reader<'_>) -> bool {
    let Some(part) = r.rest().strip_prefix("802.") else { return false };
    let start = r.at + "802.".len();
    let end = scan::digits(r.t, start);
    let mut letters = scan::run(r.t, end, |c| c.is_ascii_alphabetic());
    let is_lettered = letters > end && letters <= end + 2;
    // "802.11b/g/n"
    while is_lettered && scan::tail(r.t, letters).starts_with('/') {
        let next = scan::run(r.t, letters + 1, |c| c.is_ascii_lowercase());
        if next == letters + 1 || next > letters + 3 {
            break;
        }
        letters = next;
    }
    let named = is_lettered
        || r.word_before() == "IEEE"
        || ["Wi-Fi", "WiFi", "Ethernet", "802.11"].iter().any(|word| r.t.contains(word));
    if !part.starts_with(|c: char| c.is_ascii_digit())
        || end > start + 2
        || !scan::edge(r.t, letters)
        || !named
    {
        return false;
    }
    let words = r.language.figures.cardinal(scan::slice(r.t, start..end));
    r.say(&format!("eight oh two point {words}"), end);
    for at in end..letters {
        match scan::slice(r.t, at..=at) {
            "a" => chemistry::pronounce_a(r, at + 1),
            "/" => r.skip(at + 1),
            letter => r.say(&letter.to_uppercase(), at + 1),
        }
    }
    true
}

/// `212/555-0188`: an area before a slash.
fn slashed(r: &mut Reader<'_>) -> bool {
    let area = scan::digits(r.t, r.at);
    let (parts, end) = parts(r.t, area + 1, '-');
    let &[(from, middle), (rest, _)] = parts.as_slice() else { return false };
    let is_number = area - r.at == 3
        && scan::tail(r.t, area).starts_with('/')
        && (middle - from, end - rest) == (3, 4)
        && scan::edge(r.t, end);
    if is_number {
        groups(r, &[(r.at, area), (from, middle), (rest, end)]);
    }
    is_number
}

/// Reads a code that starts with a digit.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    network(r) || slashed(r) || dotted(r) || hexadecimal(r) || lettered(r) || hyphened(r)
}

/// `Case No. 21-1234`: two numbers of a name, and not a range.
pub(super) fn docket(r: &mut Reader<'_>, first: &Quantity<'_>) -> bool {
    let end = scan::digits(r.t, first.end + 1);
    let named = ["No.", "Case", "Docket", "Number", "number", "no."].contains(&r.word_before())
        || is_airliner(r.word_before(), &first.whole, scan::slice(r.t, first.end + 1..end));
    let tied = scan::tail(r.t, first.end).starts_with('-') && end > first.end + 1 && scan::edge(r.t, end);
    if !named || !first.is_plain() || !tied || scan::tail(r.t, end).starts_with('-') {
        return false;
    }
    for (from, to) in [(first.start, first.end), (first.end + 1, end)] {
        let words = reading::name_number(r, scan::slice(r.t, from..to));
        r.skip(from);
        r.say(&words, to);
    }
    true
}

/// `747-400`: a type of airliner and its series, which no range looks like.
fn is_airliner(maker: &str, number: &str, series: &str) -> bool {
    let is_type = matches!(number.as_bytes(), [b'7', _, b'7'] | [b'3', b'2'..=b'8', b'0']);
    let is_named = ["Boeing", "Airbus"].contains(&maker);
    is_type && series.len() == 3 && series.ends_with("00") && (is_named || series < number)
}

/// `1-800-FLOWERS`: the word is said, not dialled.
fn lettered(r: &mut Reader<'_>) -> bool {
    let (parts, end) = parts(r.t, r.at, '-');
    let &[(from, to), (area, area_end)] = parts.as_slice() else { return false };
    let word = scan::slice(r.t, end..).strip_prefix('-').unwrap_or("");
    let capitals = word.bytes().take_while(u8::is_ascii_uppercase).count();
    if scan::slice(r.t, from..to) != "1" || area_end - area != 3 || capitals < 2 {
        return false;
    }
    r.say("one", to);
    r.skip(area);
    let digits = scan::slice(r.t, area..area_end);
    let words =
        if digits.ends_with("00") { r.language.figures.cardinal(digits) } else { figures::each(digits) };
    r.say(&words, area_end);
    r.out.space(end..end + 1);
    r.skip(end + 1);
    true
}

/// `192.168.0.1`, `2.0.1`, `555.123.4567`.
fn dotted(r: &mut Reader<'_>) -> bool {
    let (parts, end) = parts(r.t, r.at, '.');
    if parts.len() < 3 {
        return false;
    }
    let telephone = parts.len() == 3
        && (parts[0].1 - parts[0].0, parts[1].1 - parts[1].0, parts[2].1 - parts[2].0) == (3, 3, 4);
    let address = parts.len() == 4 && parts.iter().all(|&(from, to)| to - from <= 3);
    for (index, &(from, to)) in parts.iter().enumerate() {
        if index > 0 {
            if telephone {
                r.out.comma(r.at..from);
                r.skip(from);
            } else {
                r.say(if address { "dot" } else { "point" }, from);
            }
        }
        let digits = scan::slice(r.t, from..to);
        let words = if address || telephone || digits.len() > 3 {
            figures::each(digits)
        } else {
            r.language.figures.cardinal(digits)
        };
        r.say(&words, to);
    }
    debug_assert_eq!(r.at, end);
    true
}

/// Runs of digits with one sign between: each one's start and end, and where the last one ends.
fn parts(t: &str, at: usize, sign: char) -> (Vec<(usize, usize)>, usize) {
    let mut parts = Vec::new();
    let mut from = at;
    loop {
        let to = scan::digits(t, from);
        if to == from {
            break;
        }
        parts.push((from, to));
        if !(scan::tail(t, to).starts_with(sign) && scan::digit_at(t, to + sign.len_utf8())) {
            break;
        }
        from = to + sign.len_utf8();
    }
    let end = parts.last().map_or(at, |last| last.1);
    (parts, end)
}

/// `555-1234`, `1-800-555-1234`, `978-3-16-148410-0`, `123-45-6789`.
fn hyphened(r: &mut Reader<'_>) -> bool {
    let (parts, end) = parts(r.t, r.at, '-');
    let check = scan::tail(r.t, end);
    // The last sign of an ISBN may be an X.
    let x =
        (check.starts_with("-X") || check.starts_with("-x")) && scan::edge(r.t, end + 2) && parts.len() >= 3;
    let local = parts.len() == 2
        && parts[0].1 - parts[0].0 == 3
        && parts[1].1 - parts[1].0 == 4
        && parts[0].0 == r.at;
    if let Some(words) = scores::season(r, &parts, end) {
        r.say(&words, end);
        return true;
    }
    if !(parts.len() >= 3 || local) || (!x && !scan::edge(r.t, end)) {
        return spaced(r);
    }
    groups(r, &parts);
    if x {
        r.out.comma(end..end + 1);
        r.skip(end + 1);
        r.say("X", end + 2);
    }
    true
}

/// `020 7946 0958`: groups of digits with spaces, of which the first starts with a zero.
fn spaced(r: &mut Reader<'_>) -> bool {
    let (parts, end) = parts(r.t, r.at, ' ');
    let count: usize = parts.iter().map(|(from, to)| to - from).sum();
    let telephone = scan::slice(r.t, r.at..).starts_with('0')
        && (2..=6).contains(&parts.len())
        && (8..=14).contains(&count);
    let local = parts.len() == 2
        && (parts[0].1 - parts[0].0, parts[1].1 - parts[1].0) == (3, 4)
        && scan::tail(r.t, end).trim_start_matches([' ', ',']).starts_with("ext");
    // `GB 123 4567 89`, `grid ref. TQ 302 804`: groups after two letters of a register.
    let before = r.word_before();
    let registered = before.len() == 2
        && before.bytes().all(|byte| byte.is_ascii_uppercase())
        && ["VAT", "rid ref", "rid Ref"].iter().any(|word| r.t.contains(word))
        && (6..=12).contains(&count);
    let card = parts.len() == 4 && parts.iter().all(|(from, to)| to - from == 4);
    if !(telephone || card || local || (registered && parts.len() >= 2)) || !scan::edge(r.t, end) {
        return false;
    }
    groups(r, &parts);
    true
}

fn groups(r: &mut Reader<'_>, parts: &[(usize, usize)]) {
    for (index, &(from, to)) in parts.iter().enumerate() {
        if index > 0 {
            r.out.comma(r.at..from);
            r.skip(from);
        }
        let digits = scan::slice(r.t, from..to);
        let free_call = digits == "800" && index == 1 && parts.len() == 4;
        let words = if free_call { "eight hundred".to_owned() } else { reading::code(digits) };
        r.say(&words, to);
    }
}

/// `+44 20 7946 0958`, `+1-555-123-4567`.
pub(super) fn international(r: &mut Reader<'_>) -> bool {
    let mut groups_found = Vec::new();
    let mut from = r.at + 1;
    loop {
        let to = scan::digits(r.t, from);
        if to == from {
            break;
        }
        groups_found.push((from, to));
        let gap = scan::tail(r.t, to);
        let skip = if gap.starts_with(" (") || gap.starts_with(") ") {
            2
        } else {
            usize::from(gap.starts_with([' ', '-', '.', '(', ')']))
        };
        if skip == 0 || !scan::digit_at(r.t, to + skip) {
            break;
        }
        from = to + skip;
    }
    let count: usize = groups_found.iter().map(|(from, to)| to - from).sum();
    let end = groups_found.last().map_or(r.at, |last| last.1);
    if !(7..=15).contains(&count)
        || groups_found.first().is_none_or(|(from, to)| to - from > 12)
        || !scan::edge(r.t, end)
    {
        return false;
    }
    // One long number with a plus is a telephone number only when it is as long as one.
    if groups_found.len() == 1 && count < 9 {
        return false;
    }
    r.say("plus", r.at + 1);
    groups(r, &groups_found);
    true
}

/// `(555) 123-4567`, `(0)20 7946 0958`.
pub(super) fn telephone(r: &mut Reader<'_>) -> bool {
    let area_end = scan::digits(r.t, r.at + 1);
    let is_trunk = scan::slice(r.t, r.at..area_end) == "(0" && scan::digit_at(r.t, area_end + 1);
    let is_area = is_trunk || (3..=5).contains(&(area_end - r.at - 1));
    if !is_area || !scan::tail(r.t, area_end).starts_with(')') {
        return false;
    }
    let start = scan::past_space(r.t, area_end + 1);
    let (mut found, mut end) = parts(r.t, start, '-');
    if found.len() < 2 {
        (found, end) = parts(r.t, start, ' ');
    }
    let count: usize = found.iter().map(|(from, to)| to - from).sum();
    let most = if is_trunk { 10 } else { 8 };
    if !(6..=most).contains(&count) || !scan::edge(r.t, end) {
        return false;
    }
    let mut all = vec![(r.at + 1, area_end)];
    all.extend(found);
    groups(r, &all);
    true
}

/// `0x1F`, `0xFF`.
fn hexadecimal(r: &mut Reader<'_>) -> bool {
    let end = scan::alphanumerics(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    let Some(digits) = written
        .strip_prefix("0x")
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()))
    else {
        return false;
    };
    let words = format!("zero X {}", hex_words(digits));
    r.say(&words, end);
    true
}

/// Hexadecimal digits one by one, letters in capitals.
pub(super) fn hex_words(digits: &str) -> String {
    let words: Vec<String> = digits
        .chars()
        .map(|c| {
            if c.is_ascii_digit() {
                figures::each(c.encode_utf8(&mut [0; 4]))
            } else {
                c.to_ascii_uppercase().to_string()
            }
        })
        .collect();
    words.join(" ")
}

/// `v2.0.1`, `V2`: asked where a word starts.
pub(super) fn version(r: &mut Reader<'_>) -> bool {
    if !r.rest().starts_with(['v', 'V']) || !scan::digit_at(r.t, r.at + 1) {
        return false;
    }
    let (parts, end) = parts(r.t, r.at + 1, '.');
    let small = r.rest().starts_with('v');
    if !scan::edge(r.t, end) || (!small && parts.len() < 2) {
        return false;
    }
    if r.word_before().eq_ignore_ascii_case("version") {
        r.skip(r.at + 1);
    } else {
        r.say("version", r.at + 1);
    }
    for (index, &(from, to)) in parts.iter().enumerate() {
        if index > 0 {
            r.say("point", from);
        }
        let words = r.language.figures.cardinal(scan::slice(r.t, from..to));
        r.say(&words, to);
    }
    true
}
