//! How long a Japanese text lasts, without a dictionary: kana are morae, kanji nearly two.

use super::{kana, rules::Japanese, written};
use crate::front_end::split;

/// The voices say about seven and a half morae a second.
const MORA_MS: u64 = 133;

/// The duration of a text without markup at speed 1, in milliseconds, including the pauses between
/// its sentences.
pub(super) fn duration_ms(text: &str) -> u64 {
    let spans = split::split(text, 0..text.len(), &Japanese);
    let of_span = |range: std::ops::Range<usize>| text[range].chars().map(tenths).sum::<u64>() * MORA_MS / 10;
    spans.into_iter().map(|span| of_span(span.range) + u64::from(span.pause.ms())).sum()
}

/// Tenths of a mora that a character is said with.
fn tenths(c: char) -> u64 {
    match c {
        'ゃ' | 'ゅ' | 'ょ' | 'ャ' | 'ュ' | 'ョ' => 0,
        'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' => 3,
        'ー' => 10,
        c if kana::is_hiragana(c) || kana::is_katakana(c) => 10,
        c if written::is_kanji(c) => 18,
        '0'..='9' | '０'..='９' => 28,
        'A'..='Z' => 20,
        c if c.is_alphanumeric() => 7,
        '、' | ',' | '，' | '：' | '；' => 20,
        '%' | '％' | '℃' | '$' | '¥' => 40,
        _ => 0,
    }
}
