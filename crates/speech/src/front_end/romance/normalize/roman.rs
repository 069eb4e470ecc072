//! Roman numerals: `siglo XXI`, `Felipe VI`, `capítulo IV`, `II Guerra Mundial`.

use super::Reader;
use crate::front_end::{roman::value, romance::figures::Form, scan};

/// Reads the numeral at the current position, if it is one.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if ordinal(r) {
        return true;
    }
    let end = scan::letters(r.t, r.at);
    let numeral = scan::slice(r.t, r.at..end);
    if !numeral.starts_with(|c: char| "IVXLCDM".contains(c)) {
        return false;
    }
    let Some(value) = value(numeral).filter(|_| scan::edge(r.t, end)) else { return false };
    if road(r, value, end) || item(r, value, end) || other_throne(r, value, end) {
        return true;
    }
    let gap = r.before() == Some(' ');
    let before = if gap { r.word_before().trim_end_matches('.') } else { "" };
    // "L'acte II": the elided article belongs to no name.
    let before = before.rsplit('\'').next().unwrap_or(before);
    let lower = before.to_lowercase();
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let next_spaced = scan::tail(r.t, end).starts_with(' ') && !next.is_empty();
    let romans = r.grammar().romans();
    let words = r.words();
    // "Súmula 331, IV", "art. 5º, XI": a part of what has a number.
    let part = r.at >= 3
        && scan::slice(r.t, ..r.at)
            .strip_suffix(", ")
            .is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '°' | 'º' | 'ª')));
    let after_century = romans.century.contains(&lower.as_str())
        || (words.leaning.contains(&lower.as_str()) && lower.chars().count() <= 3 && follows_century(r))
        || (matches!(r.before(), Some('-' | '–')) && joins_numeral(r) && follows_century(r))
        || precedes_century(r, end);
    let regal = romans.regal.contains(&before);
    let small = numeral.bytes().all(|byte| b"IVX".contains(&byte));
    let capital = before.starts_with(char::is_uppercase)
        && before.chars().count() > 2
        && !words.starts_sentence(before);
    let shortened = words.abbreviation_before_number(before).is_some();
    let counted = words.numbers(before) || shortened;
    // As in `IV Congreso`, `II Guerra Mundial`, `XX aniversario`.
    let before_name = next_spaced
        && ((next.starts_with(char::is_uppercase)
            && next.chars().count() > 2
            && next.chars().any(char::is_lowercase))
            || romans.things.contains(&next)
            || (numeral.len() > 1 && follows_article(r, &lower, next)));
    // "Talla XL" is no number.
    let size = ["talla", "taille", "taglia", "tamanho", "tam", "size"].contains(&lower.as_str());
    if size && numeral.contains(['X', 'L', 'M']) {
        return false;
    }
    // "Bloco C" and "código X-45" are letters.
    let coded = scan::tail(r.t, end).starts_with('-') && scan::digit_at(r.t, end + 1);
    if counted && (!small || coded) && numeral.len() == 1 {
        return false;
    }
    let grammar = r.grammar();
    let said = if small && numeral.len() > 1 && before_month(r, end) {
        r.number(value, Form::Alone)
    } else if after_century {
        grammar.century(value)
    } else if regal || (capital && small && numeral.len() > 1 && !counted) {
        grammar.regal(value, before)
    } else if part && small && numeral.len() > 1 && !before_name {
        r.number(value, Form::Alone)
    } else if counted {
        grammar.numbered(value, &lower)
    } else if before_name
        && (small || value < 90)
        && (numeral.len() > 1 || romans.articles.contains(&lower.as_str()))
    {
        let article = romans.feminine_articles.contains(&lower.as_str());
        let feminine = article || grammar.is_feminine(&next.to_lowercase());
        let ordinal = grammar.ordinal_before(value, feminine);
        let many = lower.ends_with('s') && next.ends_with('s') && romans.articles.contains(&lower.as_str());
        if many { grammar.ordinals(ordinal) } else { ordinal }
    } else if numeral.len() > 2
        && (small || (numeral.len() > 3 && ((1000..2100).contains(&value) || value < 90)))
    {
        r.number(value, Form::Alone)
    } else {
        return false;
    };
    r.say(&said, end);
    true
}

/// `N-II`, `A-IV`: a road is named by a letter and a number.
fn road(r: &mut Reader<'_>, value: u64, end: usize) -> bool {
    let mut head = scan::slice(r.t, ..r.at).chars().rev();
    let letter = head.next() == Some('-') && head.next().is_some_and(char::is_uppercase);
    let named = letter && head.next().is_none_or(|c| !c.is_alphanumeric()) && end > r.at + 1;
    if named {
        let words = r.number(value, Form::Alone);
        r.say(&words, end);
    }
    named
}

/// `II) Desarrollo`, `I - os direitos`, `III. Titre`: the number of an item or a heading. A single
/// letter with a stop may be an initial.
fn item(r: &mut Reader<'_>, value: u64, end: usize) -> bool {
    let head = scan::slice(r.t, ..r.at).trim_end();
    let numeral = scan::slice(r.t, r.at..end);
    let small = numeral.bytes().all(|byte| b"IVX".contains(&byte));
    let mark =
        [") ", " - ", " – ", " — ", ". "].into_iter().find(|mark| scan::tail(r.t, end).starts_with(mark));
    let Some(mark) = mark.filter(|mark| small && (numeral.len() > 1 || *mark != ". ")) else { return false };
    if !(head.is_empty() || head.ends_with([';', ':'])) {
        return false;
    }
    let words = r.number(value, Form::Alone);
    r.say(&words, end);
    r.out.comma(end..end);
    r.skip(end + mark.trim_end().len());
    true
}

/// `Carlos I de España y V de Alemania`: the number of the same king elsewhere.
fn other_throne(r: &mut Reader<'_>, value: u64, end: usize) -> bool {
    let and = format!(" {} ", r.signs().names.and);
    let Some(head) = scan::slice(r.t, ..r.at).strip_suffix(&and) else { return false };
    let land = [" de ", " di ", " d'"].into_iter().find(|of| scan::tail(r.t, end).starts_with(of));
    let named = land.is_some_and(|of| scan::char_at(r.t, end + of.len()).is_some_and(char::is_uppercase));
    // The name, its numeral and its land: `Carlos`, `I`, `de`, `España`.
    let words: Vec<&str> = head.rsplit(' ').take(4).collect();
    let [_, _, numeral, name] = words[..] else { return false };
    let regal = r.grammar().romans().regal.contains(&name) && self::value(numeral).is_some();
    if !(named && regal) {
        return false;
    }
    let words = r.grammar().regal(value, name);
    r.say(&words, end);
    true
}

/// `la XXV feria`: an article before the numeral, a noun of its gender after it.
fn follows_article(r: &Reader<'_>, article: &str, next: &str) -> bool {
    let romans = r.grammar().romans();
    let noun = next.chars().count() > 3
        && next.chars().all(char::is_lowercase)
        && !next.ends_with(['ó', 'é', 'ò', 'á', 'à'])
        && !r.words().closed.contains(&next);
    let feminine = romans.feminine_articles.contains(&article);
    noun && romans.articles.contains(&article) && feminine == r.grammar().is_feminine(next)
}

/// `XV de Novembro`, `XX Settembre`: a street that is named after a day.
fn before_month(r: &Reader<'_>, end: usize) -> bool {
    let rest = scan::tail(r.t, end).strip_prefix(r.grammar().before_month());
    rest.is_some_and(|rest| r.words().months.contains(&scan::word(rest, 0).to_lowercase().as_str()))
}

/// Whether a century was named a few words before: `siglos XV y XVI`, `del siglo V al X`.
fn follows_century(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at);
    let near = &head[head.ceil_char_boundary(head.len().saturating_sub(32))..];
    let century = |word: &str| word.len() > 2 && r.grammar().romans().century.contains(&word);
    let short = [" s. ", " ss. "].iter().any(|short| near.contains(short));
    let named =
        short && romans_have_s(r) || near.split(' ').any(|word| century(word.trim_end_matches(['.', ','])));
    named && near.trim_end_matches('.').chars().all(|c| !matches!(c, ';' | ':'))
}

/// Whether a dash joins the numeral to one before it: `IV-III`.
fn joins_numeral(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at).trim_end_matches(['-', '–']);
    let start = head.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| at + 1);
    value(head.get(start..).unwrap_or("")).is_some()
}

/// Whether `s.` is short for a century.
fn romans_have_s(r: &Reader<'_>) -> bool {
    r.grammar().romans().century.contains(&"s")
}

/// `tra il III e il V sec.`: only articles and numerals stand before the word for a century.
fn precedes_century(r: &Reader<'_>, end: usize) -> bool {
    let romans = r.grammar().romans();
    for (words, word) in scan::tail(r.t, end).split(' ').skip(1).take(6).enumerate() {
        let plain = word.trim_end_matches(['.', ',']);
        if romans.century.contains(&plain) {
            // "I secoli passati" begins with an article.
            return plain.len() > 2 && (words > 0 || !plain.ends_with(['i', 's']));
        }
        let belongs =
            value(plain).is_some() || plain == r.signs().names.and || romans.articles.contains(&plain);
        if !belongs {
            return false;
        }
    }
    false
}

/// `XIXe`, `IIIᵉ`, `Ier`: a numeral with the ending of an ordinal.
fn ordinal(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    let capitals = written.find(|c: char| !"IVXLCDM".contains(c)).unwrap_or(written.len());
    let (numeral, ending) = written.split_at(capitals);
    if ending.is_empty() {
        return false;
    }
    let (Some(value), Some(feminine)) = (value(numeral), r.grammar().roman_ending(numeral, ending)) else {
        return false;
    };
    // `XIVe-XVe s.`, `aux XIVe et XVe s.`
    let head = scan::slice(r.t, ..r.at);
    let many = head.ends_with(['-', '–']) || (head.ends_with(" et ") && follows_numeral(head));
    let words = r.grammar().ordinal(value, feminine);
    r.say(&words, end);
    let short = scan::tail(r.t, end).starts_with(" s.") && r.grammar().romans().century.contains(&"s");
    if short && !scan::char_at(r.t, end + 3).is_some_and(char::is_alphanumeric) {
        let stop = super::ends_here(r.t, end + 3);
        r.skip(end + 1);
        let [one, all] = [0, 1].map(|at| r.grammar().romans().century.get(at).copied().unwrap_or("s"));
        r.say(if many { all } else { one }, end + 3 - usize::from(stop));
    }
    true
}

/// Whether the word before "et" is a numeral with an ending.
fn follows_numeral(head: &str) -> bool {
    let word = head.trim_end_matches(" et ").rsplit(' ').next().unwrap_or("");
    word.ends_with('e') && value(word.trim_end_matches(|c: char| c.is_lowercase())).is_some()
}
