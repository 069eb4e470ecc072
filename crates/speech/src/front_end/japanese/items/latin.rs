//! Words in Latin letters. Those that Japanese has taken over are said as the dictionary says
//! (Google: グーグル), abbreviations are spelled, all others are English.

use super::{Like, Said, Scanner, figures, is_letter, units};
use crate::front_end::{
    japanese::{
        kana,
        numbers::{self, Number},
    },
    scan,
};

/// The names of the letters.
const LETTERS: [&str; 26] = [
    "エー",
    "ビー",
    "シー",
    "ディー",
    "イー",
    "エフ",
    "ジー",
    "エイチ",
    "アイ",
    "ジェー",
    "ケー",
    "エル",
    "エム",
    "エヌ",
    "オー",
    "ピー",
    "キュー",
    "アール",
    "エス",
    "ティー",
    "ユー",
    "ブイ",
    "ダブリュー",
    "エックス",
    "ワイ",
    "ゼット",
];

/// Words that stand for others.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("No.1", "ナンバーワン"),
    ("No.", "ナンバー"),
    ("no.", "ナンバー"),
    ("NO.", "ナンバー"),
    ("Vol.", "ボリューム"),
    ("vol.", "ボリューム"),
    ("Ver.", "バージョン"),
    ("ver.", "バージョン"),
    ("Mr.", "ミスター"),
    ("Mrs.", "ミセス"),
    ("Ms.", "ミズ"),
    ("Dr.", "ドクター"),
    ("St.", "セント"),
    ("etc.", "エトセトラ"),
    ("vs.", "バーサス"),
    ("vs", "バーサス"),
    ("P.S.", "ピーエス"),
    ("a.m.", "エーエム"),
    ("p.m.", "ピーエム"),
    ("e-mail", "イーメール"),
    ("E-mail", "イーメール"),
    ("Wi-Fi", "ワイファイ"),
    ("wifi", "ワイファイ"),
    ("CO2", "シーオーツー"),
    ("H2O", "エイチツーオー"),
    ("H2O2", "エイチツーオーツー"),
    ("SO2", "エスオーツー"),
    ("NO2", "エヌオーツー"),
    ("CH4", "シーエイチフォー"),
    ("NH3", "エヌエイチスリー"),
    ("H2SO4", "エイチツーエスオーフォー"),
    ("CaCO3", "シーエーシーオースリー"),
    ("NaHCO3", "エヌエーエイチシーオースリー"),
    ("NaCl", "エヌエーシーエル"),
    ("NaOH", "エヌエーオーエイチ"),
    ("HCl", "エイチシーエル"),
    ("IoT", "アイオーティー"),
    ("PoC", "ピーオーシー"),
    ("SaaS", "サース"),
    ("mRNA", "エムアールエヌエー"),
    ("eSIM", "イーシム"),
    ("Lv.", "レベル"),
    ("Ctrl", "コントロール"),
    ("Alt", "オルト"),
    ("Shift", "シフト"),
    ("Esc", "エスケープ"),
    ("Del", "デリート"),
    ("Enter", "エンター"),
    ("W杯", "ワールドカップ"),
    ("J1", "ジェーワン"),
    ("J2", "ジェーツー"),
    ("J3", "ジェースリー"),
    ("F1", "エフワン"),
    ("G7", "ジーセブン"),
    ("G8", "ジーエイト"),
    ("G20", "ジートゥエンティ"),
    ("MP3", "エムピースリー"),
    ("MP4", "エムピーフォー"),
];

/// This many words in a row are English.
const PHRASE: usize = 3;

/// The longest word that is spelled for its capitals alone.
const LONGEST_SPELLED: usize = 5;

/// The longest word that is looked up or read at all; longer ones are cut.
const LONGEST_WORD: usize = 60;

/// Reads the word or the phrase that starts here.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    let short = ABBREVIATIONS.iter().find(|(written, _)| {
        s.rest().strip_prefix(written).is_some_and(|after| {
            written.ends_with('.') || !after.starts_with(|c: char| is_letter(c) || c.is_ascii_digit())
        })
    });
    if let Some((written, said)) = short.filter(|_| !s.before().is_some_and(is_letter)) {
        s.word(s.at + written.len(), said, Like::Noun);
        return true;
    }
    // The size of an earthquake: M7.3.
    if s.rest().starts_with('M')
        && scan::digit_at(s.t, s.at + 1)
        && ["地震", "震源", "震度"].iter().any(|word| s.t.contains(word))
    {
        s.word(s.at + 1, "マグニチュード", Like::Noun);
        return true;
    }
    if half_of_day(s) || roman(s) {
        return true;
    }
    let (words, end) = phrase(s.t, s.at);
    if words >= PHRASE {
        s.push(end, Said::English, Like::Noun);
        return true;
    }
    word(s);
    true
}

/// 0x80070005: sign by sign.
pub(super) fn hexadecimal(s: &mut Scanner<'_>) -> bool {
    let from = s.at + "0x".len();
    let end = scan::run(s.t, from, |c| c.is_ascii_hexdigit());
    let fresh = !s.before().is_some_and(|c| c.is_ascii_alphanumeric());
    if !fresh || !(s.rest().starts_with("0x") || s.rest().starts_with("0X")) || end <= from {
        return false;
    }
    let said =
        |c: char| spelled(&c.to_string()).unwrap_or_else(|| numbers::one_by_one(&c.to_string()).concat());
    let mut words = vec!["ゼロ".to_owned(), "エックス".to_owned()];
    words.extend(s.t[from..end].chars().map(said));
    s.say(end, words, Like::Noun);
    true
}

/// AM and PM before a time: AM9:00.
fn half_of_day(s: &mut Scanner<'_>) -> bool {
    const HALVES: [(&str, &str); 4] = [("AM", "ゴゼン"), ("PM", "ゴゴ"), ("am", "ゴゼン"), ("pm", "ゴゴ")];
    let found = HALVES.iter().find(|(written, _)| s.rest().starts_with(written));
    let Some((written, said)) = found.filter(|_| !s.before().is_some_and(is_letter)) else { return false };
    let start = scan::past_space(s.t, s.at + written.len());
    let end = scan::digits(s.t, start);
    let is_time = end > start && scan::tail(s.t, end).starts_with([':', '時']);
    if is_time {
        s.word(s.at + written.len(), said, Like::Noun);
    }
    is_time
}

/// A Roman numeral of two letters or more: II, VIII.
fn roman(s: &mut Scanner<'_>) -> bool {
    const NUMERALS: [&str; 14] =
        ["II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII"];
    const VALUES: [u128; 14] = [2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17];
    let end = word_end(s.t, s.at);
    let index = NUMERALS.iter().position(|numeral| *numeral == &s.t[s.at..end]);
    let Some(index) = index.filter(|_| !s.before().is_some_and(is_letter)) else { return false };
    figures::amount(s, Number::of(VALUES[index]), end);
    true
}

/// How many English words stand in a row, and the end of the last.
fn phrase(t: &str, at: usize) -> (usize, usize) {
    let (mut words, mut end) = (0, at);
    let mut next = at;
    loop {
        let stop = word_end(t, next);
        if stop == next || stop - at > 300 {
            return (words, end);
        }
        let is_word = !t[next..stop].chars().all(char::is_uppercase) || stop - next == 1;
        words += usize::from(is_word);
        end = stop;
        let rest = scan::tail(t, stop);
        let gap = [", ", " ", "-"].iter().find(|gap| rest.starts_with(**gap));
        let Some(gap) = gap else { return (words, end) };
        next = stop + gap.len();
    }
}

fn word_end(t: &str, at: usize) -> usize {
    let mut end = at;
    for (index, c) in scan::tail(t, at).char_indices() {
        let apostrophe = c == '\'' && index > 0 && scan::char_at(t, at + index + 1).is_some_and(is_letter);
        if !is_letter(c) && !apostrophe || index > LONGEST_WORD {
            break;
        }
        end = at + index + c.len_utf8();
    }
    end
}

/// Reads one word.
fn word(s: &mut Scanner<'_>) {
    let end = word_end(s.t, s.at);
    let written = &s.t[s.at..end];
    if let Some(given) = s.lexicon.get(written) {
        s.push(end, Said::Given(given.to_owned()), Like::Noun);
        return;
    }
    let after_number = s.before().is_some_and(|c| matches!(c, '何' | '数') || numbers::is_kanji(c));
    if after_number && let Some((unit, bytes)) = units::starting(s.rest()) {
        s.word(s.at + bytes, unit.2, Like::Noun);
        return;
    }
    match japanese(s, written) {
        Some(said) => s.word(end, &said, Like::Noun),
        None => s.push(end, Said::English, Like::Noun),
    }
}

/// The word in kana, if it is not to be read as English.
pub(super) fn japanese(s: &Scanner<'_>, written: &str) -> Option<String> {
    let letters = written.chars().count();
    let capitals = written.chars().all(|c| c.is_ascii_uppercase());
    let spelling = spelled(written);
    // y=ax+b.
    if letters == 1 || letters == 2 && !capitals && s.in_sum() {
        return spelling;
    }
    let known = known(s, written);
    if capitals {
        let vowels = written.contains(['A', 'E', 'I', 'O', 'U']);
        let told =
            known.filter(|known| spelling.as_deref().is_none_or(|spelling| !is_spelled(known, spelling)));
        return told.or_else(|| spelling.filter(|_| letters <= LONGEST_SPELLED || !vowels));
    }
    let vowels = written.contains(|c: char| "aeiouyAEIOUY".contains(c) || !c.is_ascii());
    known.or_else(|| spelling.filter(|_| !vowels && letters <= LONGEST_SPELLED))
}

/// What the dictionary says of a word, which it writes in wide letters.
fn known(s: &Scanner<'_>, written: &str) -> Option<String> {
    let look = |word: &str| {
        let wide: String = word.chars().map(wide).collect();
        let entries = s.dictionary.exact(&wide);
        let best = entries
            .filter(|&entry| s.dictionary.feature_of(entry).starts_with("名詞,"))
            .filter(|&entry| !s.dictionary.feature_of(entry).starts_with("名詞,接尾"))
            .min_by_key(|entry| entry.cost)?;
        let said = s.dictionary.feature_of(best).split(',').nth(8)?.replace(':', "");
        said.chars().any(kana::is_katakana).then_some(said)
    };
    let lower = written.to_lowercase();
    look(written).or_else(|| {
        if lower == written {
            look(&capitalized(&lower))
        } else if written.chars().skip(1).any(char::is_uppercase) {
            None
        } else {
            look(&lower)
        }
    })
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn wide(c: char) -> char {
    match c {
        '!'..='~' => char::from_u32(c as u32 + 0xFEE0).unwrap_or(c),
        c => c,
    }
}

/// The names of a word's letters; `None` when one has none.
pub(in super::super) fn spelled(word: &str) -> Option<String> {
    word.chars()
        .map(|c| c.is_ascii_alphabetic().then(|| LETTERS[usize::from(c.to_ascii_lowercase() as u8 - b'a')]))
        .collect()
}

/// Whether a reading of the dictionary is the names of the letters, however long vowels are written.
fn is_spelled(known: &str, spelling: &str) -> bool {
    let plain = |text: &str| {
        text.replace("エイ", "エー")
            .replace("ケイ", "ケー")
            .replace("エッチ", "エーチ")
            .replace("ブイ", "ヴィー")
    };
    plain(known) == plain(spelling)
}
