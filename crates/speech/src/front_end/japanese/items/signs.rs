//! Marks and signs, by the words or the pauses that they stand for.

use super::{Like, Said, Scanner, figures, weekdays};
use crate::front_end::{
    japanese::{kana, numbers, written},
    scan,
};

/// Signs that are words.
const WORDS: &[(&str, &str)] = &[
    ("&", "アンド"),
    ("@", "アットマーク"),
    ("%", "パーセント"),
    ("+", "プラス"),
    ("=", "イコール"),
    ("≒", "ニアリーイコール"),
    ("≠", "ノットイコール"),
    ("≦", "ショーナリイコール"),
    ("≤", "ショーナリイコール"),
    ("≧", "ダイナリイコール"),
    ("≥", "ダイナリイコール"),
    ("×", "カケル"),
    ("÷", "ワル"),
    ("±", "プラスマイナス"),
    ("√", "ルート"),
    ("∞", "ムゲンダイ"),
    ("°", "ド"),
    ("¥", "エン"),
    ("$", "ドル"),
    ("€", "ユーロ"),
    ("£", "ポンド"),
    ("〒", "ユービンバンゴー"),
    ("℡", "デンワ"),
    ("²", "ニジョー"),
    ("³", "サンジョー"),
    ("○", "マル"),
    ("◯", "マル"),
    ("△", "サンカク"),
    ("(株)", "カブシキガイシャ"),
    ("(有)", "ユーゲンガイシャ"),
    ("(笑)", "ワライ"),
    ("(仮)", "カリ"),
];

/// Words that the dictionary cuts in the wrong place.
const PHRASES: &[(&str, &str)] = &[
    ("晴れのち曇り", "ハレノチクモリ"),
    ("晴れのち雨", "ハレノチアメ"),
    ("晴れ時々曇り", "ハレトキドキクモリ"),
    ("晴れ一時雨", "ハレイチジアメ"),
    ("三千里", "サンゼンリ"),
    ("紀元前", "キゲンゼン"),
    ("某日", "ボージツ"),
    ("三十六計", "サンジューロッケー"),
    ("十中八九", "ジッチューハック"),
    ("五十歩百歩", "ゴジッポヒャッポ"),
    ("二、三日", "ニサンニチ"),
    ("二三日", "ニサンニチ"),
    ("二十四節気", "ニジューシセッキ"),
    ("二人前", "ニニンマエ"),
    ("人参", "ニンジン"),
    ("木綿豆腐", "モメンドーフ"),
    ("仮名交じり", "カナマジリ"),
    ("話し中", "ハナシチュー"),
    ("億万長者", "オクマンチョージャ"),
    ("何色", "ナニイロ"),
    ("酸性雨", "サンセーウ"),
    ("出エジプト記", "シュツエジプトキ"),
    ("月〜金", "ゲツカラキン"),
    ("月〜土", "ゲツカラド"),
    ("火〜金", "カカラキン"),
    ("火〜土", "カカラド"),
    ("七夕", "タナバタ"),
    ("錦織圭", "ニシコリケー"),
    ("四股名", "シコナ"),
    ("五つ星", "イツツボシ"),
    ("三つ星", "ミツボシ"),
];

/// The kanji that a reading in brackets may be for are not more than these.
const LONGEST_BASE: usize = 30;

/// Reads the sign that starts here; what Japanese words are made of is left to the dictionary.
pub(super) fn read(s: &mut Scanner<'_>, c: char) -> bool {
    if weekdays::read(s) || figures::money(s, c) || figures::signed(s, c) || ruby(s, c) {
        return true;
    }
    if c == '.' && figures::pointed(s) {
        return true;
    }
    if matches!(c, '〜' | '~') {
        return wave(s, c);
    }
    if matches!(c, '-' | '−' | '–' | '‐') {
        return dash(s, c);
    }
    if compared(s, c) {
        return true;
    }
    if c == '#' && s.before().is_some_and(|c| c.is_ascii_alphabetic()) {
        s.word(s.at + 1, "シャープ", Like::Noun);
        return true;
    }
    if c == '#' && scan::digit_at(s.t, s.at + 1) {
        s.word(s.at + 1, "ナンバー", Like::Noun);
        return true;
    }
    let between = |s: &Scanner<'_>| {
        let next = scan::char_at(s.t, s.at + 1);
        s.before().is_some_and(|c| c.is_ascii_alphanumeric())
            && next.is_some_and(|c| c.is_ascii_alphanumeric())
    };
    if c == '_' && between(s) {
        s.word(s.at + 1, "アンダーバー", Like::Noun);
        return true;
    }
    if power(s) {
        return true;
    }
    if c == '#' && s.rest()[1..].starts_with(char::is_alphabetic) {
        s.word(s.at + 1, "ハッシュタグ", Like::Noun);
        return true;
    }
    if let Some((written, said)) = WORDS.iter().find(|(written, _)| s.rest().starts_with(written)) {
        s.word(s.at + written.len(), said, Like::Noun);
        return true;
    }
    if let Some((written, said)) = PHRASES.iter().find(|(written, _)| s.rest().starts_with(written)) {
        s.word(s.at + written.len(), said, Like::Noun);
        return true;
    }
    let end = s.at + c.len_utf8();
    let mark = match c {
        '。' => ".",
        '、' | ',' | '(' | ')' => ",",
        '.' if !s.rest()[1..].starts_with(|c: char| c.is_alphanumeric()) => ".",
        '!' => "!",
        '?' => "?",
        '…' | '‥' => "…",
        ':' => ":",
        ';' => ";",
        '—' => "—",
        ' ' => return false,
        c if written::is_wide(c) && !matches!(c, '「' | '」' | '《' | '》' | '・') => return false,
        c if c.is_alphanumeric() => return false,
        _ => "",
    };
    // A run of marks is one.
    let run = scan::run(s.t, end, |next| next == c && !matches!(c, '(' | ')'));
    s.push(run, Said::Mark(mark), Like::Mark(c));
    true
}

/// A small digit or minus above the line, as on it.
fn raised(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10)?,
        '⁻' => '-',
        _ => return None,
    })
}

/// A power that is no square or cube: 10²³, 10⁻⁵; `10^8` is the same. Those of one sign have words of
/// their own.
fn power(s: &mut Scanner<'_>) -> bool {
    let small: String = s.rest().chars().map_while(raised).collect();
    let caret = s.rest().strip_prefix('^').unwrap_or_default();
    let minus = usize::from(caret.starts_with('-'));
    let (exponent, end) = if small.is_empty() {
        let digits = scan::digits(caret, minus);
        (caret.get(..digits).unwrap_or_default().to_owned(), s.at + 1 + digits)
    } else {
        (small, scan::run(s.t, s.at, |c| raised(c).is_some()))
    };
    let value = exponent.trim_start_matches('-');
    let follows = s.before().is_some_and(|c| c.is_ascii_alphanumeric() || c == ')');
    if value.is_empty() || !follows || end == s.at + '²'.len_utf8() && matches!(s.char(), Some('²' | '³'))
    {
        return false;
    }
    let mut words = vec![if exponent.starts_with('-') { "ノマイナス" } else { "ノ" }.to_owned()];
    words.extend(numbers::Number::cardinal(value).ended("ジョー").words);
    s.say(end, words, Like::Number);
    true
}

/// A sign between what is compared: x>0.
fn compared(s: &mut Scanner<'_>, sign: char) -> bool {
    let name = if sign == '>' { "ダイナリ" } else { "ショーナリ" };
    let is_term =
        |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '(' | ')' | '-'));
    let end = s.at + sign.len_utf8();
    let next = scan::char_at(s.t, scan::past_space(s.t, end));
    let compares =
        matches!(sign, '<' | '>') && is_term(s.head().trim_end().chars().next_back()) && is_term(next);
    if compares {
        s.word(end, name, Like::Noun);
    }
    compares
}

/// 漢字《かんじ》: the reading of the kanji before it stands in the brackets.
fn ruby(s: &mut Scanner<'_>, c: char) -> bool {
    // Where the base begins, if it is marked.
    if c == '|' && s.rest().chars().take(LONGEST_BASE).any(|c| c == '《') {
        s.push(s.at + 1, Said::Mark(""), Like::Mark('「'));
        return true;
    }
    if !written::is_kanji(c) || s.before().is_some_and(written::is_kanji) {
        return false;
    }
    let base_end = scan::run(s.t, s.at, written::is_kanji);
    let Some(inner) = scan::tail(s.t, base_end).strip_prefix('《') else { return false };
    let end = inner.find(|c: char| !kana::is_hiragana(c) && !kana::is_katakana(c)).unwrap_or(inner.len());
    if end == 0 || !inner[end..].starts_with('》') {
        return false;
    }
    let said = kana::katakana(&inner[..end]);
    s.word(base_end + "《".len() + end + "》".len(), &said, Like::Noun);
    true
}

/// A wave: from one to another, or a lengthened vowel.
fn wave(s: &mut Scanner<'_>, c: char) -> bool {
    let end = scan::run(s.t, s.at, |next| next == c);
    let next = scan::char_at(s.t, end);
    let before = s.before();
    let is_kana = |c: char| kana::is_hiragana(c) || kana::is_katakana(c);
    let counts = |c: char| c.is_ascii_digit() || numbers::is_kanji(c);
    let follows = before.is_some_and(|c| is_content(c) || is_kana(c) || matches!(c, '%' | '°'));
    let ends_amount = s.last().is_some_and(|item| item.like == Like::Amount);
    if ends_amount
        || follows && next.is_some_and(counts)
        || (next.is_some_and(is_content) && before.is_some_and(is_content))
        || before == Some(')') && next == Some('(')
    {
        s.word(end, "カラ", Like::Particle);
    } else if before.is_some_and(is_kana) {
        s.push(end, Said::Longer, Like::Particle);
    } else {
        s.push(end, Said::Mark(""), Like::Mark('「'));
    }
    true
}

/// Whether a character is one that names are written with.
fn is_content(c: char) -> bool {
    written::is_kanji(c) || kana::is_katakana(c) || c.is_ascii_alphanumeric()
}

/// A dash: a lengthened vowel after katakana, from one number to another, or a pause.
fn dash(s: &mut Scanner<'_>, c: char) -> bool {
    let end = scan::run(s.t, s.at, |next| next == c);
    let next = scan::char_at(s.t, end);
    let one = end == s.at + c.len_utf8();
    let is_term = |c: char| c.is_ascii_alphanumeric() || matches!(c, '(' | ')' | '²' | '³');
    if one && s.before().is_some_and(is_term) && next.is_some_and(is_term) && s.in_sum() {
        s.word(end, "マイナス", Like::Noun);
    } else if one
        && s.last().is_some_and(|item| matches!(item.like, Like::Amount | Like::Number))
        && scan::digit_at(s.t, end)
    {
        s.word(end, "カラ", Like::Particle);
    } else if one
        && s.before().is_some_and(kana::is_katakana)
        && next.is_none_or(|c| !c.is_ascii_alphanumeric())
    {
        s.push(end, Said::Longer, Like::Particle);
    } else {
        s.push(end, Said::Mark(if one && c != '–' { "" } else { "—" }), Like::Mark('「'));
    }
    true
}
