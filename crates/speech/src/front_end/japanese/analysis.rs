//! From a written text to the words that are said: the dictionary's words and the items between them
//! in one row, numerals in kanji with what they count, and which words hang together.

use std::ops::Range;

use super::{
    beside,
    counters::{self, Place},
    items::{self, Item, Like, Said},
    kana,
    mecab::{Dictionary, Entry, Fixed, Node, Source},
    models::Models,
    numbers::{self, Last, Number},
    readings::{self, Seen},
    written::Written,
};
use crate::phonemes::Lexicon;

/// A word as it is said.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Its bytes in the written text.
    pub(super) range: Range<usize>,
    pub(super) said: Said,
    /// Whether a phrase (bunsetsu) begins here.
    pub(super) starts_phrase: bool,
}

/// What the dictionary reads wrongly wherever it stands.
const CORRECTIONS: &[(&str, &str)] = &[("一見", "イッケン")];

/// A word before it is known what it hangs together with.
struct Token<'a> {
    range: Range<usize>,
    surface: &'a str,
    said: Said,
    class: Class<'a>,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Class<'a> {
    /// The part of speech, and two finer ones.
    kind: &'a str,
    finer: &'a str,
    finest: &'a str,
    base: &'a str,
    form: &'a str,
    like: Option<Like>,
}

impl<'a> Class<'a> {
    fn of_item(like: Like) -> Self {
        let (kind, finer) = match like {
            Like::Noun => ("名詞", "一般"),
            Like::Number | Like::Amount => ("名詞", "数"),
            Like::Particle => ("助詞", "格助詞"),
            Like::Mark(_) => ("記号", "一般"),
        };
        Self { kind, finer, finest: "*", base: "", form: "", like: Some(like) }
    }

    fn of(feature: &'a str) -> Self {
        let mut fields = feature.split(',');
        let mut next = || fields.next().unwrap_or("");
        let (kind, finer, finest) = (next(), next(), next());
        let (_, _, form, base) = (next(), next(), next(), next());
        Self { kind, finer, finest, base, form, like: None }
    }

    fn is_number(&self) -> bool {
        self.kind == "名詞" && self.finer == "数"
    }
}

/// The words of a written text, in order.
pub(super) fn words(
    written: &Written,
    dictionary: &Dictionary,
    models: &Models,
    lexicon: &Lexicon,
) -> Vec<Word> {
    let text = written.text.as_str();
    let items = items::of(written, dictionary, lexicon);
    let fixed: Vec<Fixed> = items
        .iter()
        .map(|item| Fixed { start: item.range.start, end: item.range.end, like: models.like(item.like) })
        .collect();
    let nodes = dictionary.analyze(text, &fixed);
    let mut tokens: Vec<Token<'_>> = nodes.iter().map(|node| token(text, dictionary, node, &items)).collect();
    numerals(text, &mut tokens);
    readings(text, &mut tokens);
    joined(&tokens)
}

fn token<'a>(text: &'a str, dictionary: &'a Dictionary, node: &Node, items: &[Item]) -> Token<'a> {
    let range = node.start..node.end;
    let surface = &text[range.clone()];
    let item = match node.source {
        Source::Fixed(index) => items.get(index),
        _ => None,
    };
    if let Some(item) = item {
        return Token { range, surface, said: item.said.clone(), class: Class::of_item(item.like) };
    }
    let feature = dictionary.feature(node);
    let class = Class::of(feature);
    let mut told =
        feature.split(',').nth(8).filter(|told| told.contains(kana::is_katakana)).map(str::to_owned);
    if matches!(node.source, Source::Unknown(_)) {
        told = None;
    }
    let said = told.map_or_else(|| spelled(dictionary, surface), |told| pronounced(&told, surface, class));
    Token { range, surface, said: Said::Kana(vec![said]), class }
}

/// The pronunciation that a dictionary gives, with the long vowels that it leaves out.
fn pronounced(told: &str, surface: &str, class: Class<'_>) -> String {
    if surface.contains('ヴ') && surface.chars().all(kana::is_katakana) {
        return surface.to_owned();
    }
    if let Some((_, reading)) = CORRECTIONS.iter().find(|(written, _)| *written == surface) {
        return (*reading).to_owned();
    }
    let mut told = told
        .replace([':', '’', '、'], "")
        .replace('ヲ', "オ")
        .replace("ョウ", "ョー")
        .replace("ュウ", "ュー");
    // 言う, という, そういう.
    let says = matches!(class.base, "言う" | "いう" | "云う")
        || surface.ends_with("という")
        || surface.ends_with("ういう");
    if says && let Some(stem) = told.strip_suffix("イウ").or_else(|| told.strip_suffix("ユウ")) {
        told = format!("{stem}ユー");
    }
    // 楽しい, 聞いて.
    if matches!(class.kind, "形容詞" | "動詞")
        && let Some(stem) = told.strip_suffix('イ').filter(|stem| kana::vowel(stem) == Some('i'))
    {
        told = format!("{stem}ー");
    }
    told
}

/// A word that has no reading: kana as they are, kanji one by one.
fn spelled(dictionary: &Dictionary, surface: &str) -> String {
    let mut said = String::new();
    for c in surface.chars() {
        if kana::is_hiragana(c) || kana::is_katakana(c) {
            said.push_str(&kana::katakana(&c.to_string()));
            continue;
        }
        let reading = |entry: Entry| dictionary.feature_of(entry).split(',').nth(8).unwrap_or("");
        let entries = dictionary.exact(c.encode_utf8(&mut [0; 4]));
        let best = entries
            .filter(|&entry| reading(entry).contains(kana::is_katakana))
            .min_by_key(|entry| entry.cost);
        said.push_str(best.map_or("", reading));
    }
    said
}

/// Reads numerals in kanji with what they count (三百人), and 何 and 数 with a counter.
fn numerals<'a>(text: &'a str, tokens: &mut Vec<Token<'a>>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(said) = fraction(text, &tokens[at]) {
            let end = tokens[at].range.end + "の".len();
            let used = tokens[at..].iter().take_while(|token| token.range.end <= end).count();
            let range = tokens[at].range.start..end;
            let surface = &text[range.clone()];
            let class = Class::of_item(Like::Number);
            tokens.splice(at..at + used, [Token { range, surface, said: Said::Kana(said), class }]);
            at += 1;
            continue;
        }
        let is_numeral = |token: &Token<'_>| {
            token.class.like.is_none()
                && token.class.is_number()
                && token.surface.chars().all(numbers::is_kanji)
        };
        let which = |token: &Token<'_>| token.class.like.is_none() && matches!(token.surface, "何" | "数");
        let first = &tokens[at];
        let count = if is_numeral(first) {
            tokens[at..].iter().take_while(|token| is_numeral(token)).count()
        } else if which(first) {
            1 + tokens[at + 1..].iter().take_while(|token| is_numeral(token)).count()
        } else {
            at += 1;
            continue;
        };
        let end = tokens[at + count - 1].range.end;
        let range =
            first.range.start..tokens.get(at + count).and_then(|next| whole(text, next)).unwrap_or(end);
        let surface = &text[range.clone()];
        let number = if which(first) { which_number(surface) } else { number_of(surface) };
        let found = counters::starting(&text[range.end..]).and_then(|counter| {
            let end = range.end + counter.written.len();
            let boundary = tokens[at + count..].iter().take(4).position(|token| token.range.end >= end)?;
            (tokens[at + count + boundary].range.end == end).then_some((counter, count + boundary + 1, end))
        });
        let fraction = text[range.end..]
            .strip_prefix("分の")
            .is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit() || numbers::is_kanji(c)));
        let (words, used, like) = match found {
            Some(_) if fraction => {
                let end = range.end + "分の".len();
                let used = tokens[at..].iter().take_while(|token| token.range.end <= end).count();
                (number.ended("ブンノ").words, used, Like::Number)
            }
            Some((counter, used, end)) => {
                let place = Place::of(&text[..range.start], &number);
                let mut words = counter.said(&number, place);
                let more = items::suffix(counter.written, &text[end..], &mut words);
                let suffixed = tokens.get(at + used).is_some_and(|token| token.range.len() == more);
                let (words, used) = if more > 0 && !suffixed {
                    (counter.said(&number, place), used)
                } else {
                    (words, used + usize::from(more > 0))
                };
                (words, used, Like::Amount)
            }
            None if count > 1 => (number.words, count, Like::Number),
            None => {
                at += 1;
                continue;
            }
        };
        let end = tokens[at + used - 1].range.end;
        let said = Said::Kana(words);
        let token = Token {
            range: range.start..end,
            surface: &text[range.start..end],
            said,
            class: Class::of_item(like),
        };
        tokens.splice(at..at + used, [token]);
        at += 1;
    }
}

/// The end of a numeral whose last figure the dictionary has in one word with what is counted: 三, 千円.
fn whole(text: &str, next: &Token<'_>) -> Option<usize> {
    let counted = next.surface.trim_start_matches(numbers::is_unit);
    let end = next.range.end - counted.len();
    let found = counters::starting(&text[end..])?;
    (counted.len() < next.surface.len() && found.written == counted).then_some(end)
}

/// 三分の一, where the dictionary has 三分 as a word.
fn fraction(text: &str, token: &Token<'_>) -> Option<Vec<String>> {
    let numeral = token.surface.strip_suffix('分').filter(|_| token.class.like.is_none())?;
    let after = text[token.range.end..].strip_prefix('の')?;
    let is_numeral = !numeral.is_empty() && numeral.chars().all(numbers::is_kanji);
    let divided = is_numeral && after.starts_with(|c: char| c.is_ascii_digit() || numbers::is_kanji(c));
    divided.then(|| number_of(numeral).ended("ブンノ").words)
}

/// A numeral in kanji; 二三 stands for two numbers.
fn number_of(numeral: &str) -> Number {
    // Marks that stand for a name: 〇〇さん.
    if numeral.chars().all(|c| c == '〇') {
        return Number::said(numeral.chars().map(|_| "マル".to_owned()).collect());
    }
    if numeral == "七五三" {
        return Number::said(vec!["シチゴサン".to_owned()]);
    }
    let digits: Vec<u128> = numeral.chars().filter_map(numbers::digit_value).collect();
    if digits.len() == 2 && numeral.chars().count() == 2 && digits[0] > 0 && digits[1] == digits[0] + 1 {
        let [first, second] = [digits[0], digits[1]].map(Number::of);
        return Number {
            words: vec![first.words.concat() + &second.words.concat()],
            last: second.last,
            value: None,
        };
    }
    match numbers::value_of(numeral) {
        Some(value) => Number::of(value),
        None => Number::said(digits.iter().map(|&digit| Number::of(digit).words.concat()).collect()),
    }
}

/// 何, 数, 何百, 数十.
fn which_number(numeral: &str) -> Number {
    let is_which = numeral.starts_with('何');
    let mut said = if is_which { "ナン" } else { "スー" }.to_owned();
    let mut last = if is_which { Last::Which } else { Last::Other };
    for c in numeral.chars().skip(1) {
        said.push_str(match (c, last) {
            ('百', Last::Which) => "ビャク",
            ('百', _) => "ヒャク",
            ('千', Last::Which) => "ゼン",
            ('千', _) => "セン",
            ('十', _) => "ジュー",
            ('万', _) => "マン",
            ('億', _) => "オク",
            ('兆', _) => "チョー",
            _ => "",
        });
        last = match c {
            '十' => Last::Ten,
            '百' => Last::Hundred,
            '千' => Last::Thousand,
            '万' => Last::TenThousand,
            _ => Last::Other,
        };
    }
    Number { words: vec![said], last, value: None }
}

/// Readings that the words around decide.
fn readings(text: &str, tokens: &mut [Token<'_>]) {
    let seen: Vec<Seen<'_>> = tokens.iter().map(|token| (token.surface, token.class.base)).collect();
    for (at, token) in tokens.iter_mut().enumerate() {
        let Said::Kana(words) = &token.said else { continue };
        if token.class.like.is_some() {
            continue;
        }
        let [reading] = words.as_slice() else { continue };
        let near = |by: usize| seen.get(at + by).map_or("", |(surface, _)| *surface);
        let before = at.checked_sub(1).map_or("", |before| seen[before].0);
        let (head, tail) = (&text[..token.range.start], &text[token.range.end..]);
        let other = match token.surface {
            "薬" if is_amount(before) => Some("クスリ"),
            "何" if token.class.kind == "名詞" => which(near(1)),
            "金" if is_money(near(1)) && !matches!(before, "お" | "の") => Some("キン"),
            "行っ" if before == "を" && !beside::is_way(head) => Some("オコナッ"),
            "方" => beside::person(head, tail),
            word => beside::told(head, word, tail),
        };
        let other = other.map(str::to_owned).or_else(|| readings::told(&seen, at, reading));
        if let Some(other) = other {
            token.said = Said::Kana(vec![other]);
        }
    }
}

/// Whether a word is a number with what it counts, as far as its letters tell.
fn is_amount(before: &str) -> bool {
    before.starts_with(|c: char| c.is_ascii_digit() || numbers::is_kanji(c)) && before.chars().count() > 1
}

/// 何 before other words.
fn which(next: &str) -> Option<&'static str> {
    if next != "など" && next.starts_with(['で', 'と', 'の', 'だ', 'な']) {
        return Some("ナン");
    }
    next.starts_with(['を', 'が', 'も', 'か', 'に', 'は']).then_some("ナニ")
}

/// Whether a word is an amount of money: 500万円.
fn is_money(word: &str) -> bool {
    is_amount(word) && word.ends_with('円')
}

/// Joins endings to what they end, and marks where phrases begin.
fn joined(tokens: &[Token<'_>]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::with_capacity(tokens.len());
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        let starts_phrase = before.is_none_or(|before| starts_phrase(before, token));
        match &token.said {
            Said::Longer => lengthen(&mut words, token, "ー"),
            Said::Kana(said) if said.len() == 1 && said[0].starts_with('ー') => {
                lengthen(&mut words, token, &said[0]);
            }
            Said::Kana(said) => {
                let ends = before.is_some_and(|before| is_ending(before, token));
                let last = words.last_mut().filter(|_| ends);
                if let (Some(Word { said: Said::Kana(parts), range, .. }), [said]) = (last, said.as_slice())
                    && let Some(part) = parts.last_mut()
                {
                    part.push_str(if token.surface == "う" { "ー" } else { said });
                    range.end = token.range.end;
                } else {
                    for (index, part) in said.iter().enumerate() {
                        let starts_phrase = starts_phrase && index == 0;
                        let said = Said::Kana(vec![part.clone()]);
                        words.push(Word { range: token.range.clone(), said, starts_phrase });
                    }
                }
            }
            said => words.push(Word { range: token.range.clone(), said: said.clone(), starts_phrase }),
        }
        // Nothing is heard of a bracket that closes before a particle.
        if !starts_phrase
            && before.is_some_and(|before| before.surface == ")")
            && let Some(at) = words.len().checked_sub(2)
            && matches!(words[at].said, Said::Mark(_))
            && !matches!(token.said, Said::Mark(_))
        {
            words[at].said = Said::Mark("");
        }
        before = Some(token);
    }
    words
}

/// Adds to a word what belongs to its last vowel, and what follows in one go.
fn lengthen(words: &mut [Word], token: &Token<'_>, more: &str) {
    if let Some(Word { said: Said::Kana(parts), range, .. }) = words.last_mut()
        && let Some(part) = parts.last_mut()
        && range.end == token.range.start
    {
        part.push_str(if part.ends_with('ー') { more.trim_start_matches('ー') } else { more });
        range.end = token.range.end;
    }
}

/// Whether a word is an ending of the one before it: た, て, ない, ます.
fn is_ending(before: &Token<'_>, token: &Token<'_>) -> bool {
    let inflected = matches!(before.class.kind, "動詞" | "形容詞" | "助動詞");
    let kind = token.class.kind;
    if !inflected || before.range.end != token.range.start {
        return false;
    }
    match kind {
        "助動詞" => match token.class.base {
            "た" | "だ" => before.class.kind != "助動詞" || before.class.base != "です",
            "ない" | "ん" | "う" | "ぬ" => true,
            "ます" => token.class.form == "基本形",
            _ => false,
        },
        "助詞" => {
            token.class.finer == "接続助詞" && matches!(token.surface, "て" | "で" | "ば" | "ちゃ" | "じゃ")
        }
        _ => false,
    }
}

/// Whether a phrase (a word with all that hangs on it) begins with a word.
fn starts_phrase(before: &Token<'_>, token: &Token<'_>) -> bool {
    let class = token.class;
    match class.kind {
        "助詞" | "助動詞" => false,
        "記号" => matches!(token.said, Said::Mark("")) && class.like == Some(Like::Mark('「')),
        "名詞" => {
            let is_amount = class.like == Some(Like::Amount) || class.like == Some(Like::Number);
            match before.class.kind {
                "接頭詞" => false,
                "名詞" if class.finer == "接尾" || class.finest == "助動詞語幹" => false,
                "名詞" if is_amount => {
                    before.class.like == Some(Like::Amount) || before.class.finer == "副詞可能"
                }
                "名詞" => before.class.finer == "副詞可能" && class.finer != "副詞可能",
                _ => {
                    class.finer != "接尾"
                        && !(class.finer == "非自立" && matches!(token.surface, "の" | "ん"))
                }
            }
        }
        "動詞" => {
            let is_helper = matches!(class.finer, "非自立" | "接尾");
            let of_noun = class.base == "する" && before.class.kind == "名詞";
            !is_helper && !of_noun
        }
        "形容詞" => !matches!(class.finer, "非自立" | "接尾"),
        _ => true,
    }
}
