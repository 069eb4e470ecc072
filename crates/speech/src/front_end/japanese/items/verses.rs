//! Verses of the Bible by chapter and verse: マタイ5:3-10, ヨハネの福音書3:16.

use super::{Like, Scanner};
use crate::front_end::{
    japanese::{
        counters::{self, Place},
        numbers::Number,
    },
    scan,
};

/// What the names of books end with.
const BOOKS: &[&str] = &[
    "福音書",
    "福音",
    "の手紙",
    "への手紙",
    "書簡",
    "言行録",
    "使徒行伝",
    "使徒の働き",
    "黙示録",
    "マタイ",
    "マルコ",
    "ルカ",
    "ヨハネ",
    "使徒",
    "ローマ",
    "ロマ",
    "コリント",
    "ガラテヤ",
    "エペソ",
    "エフェソ",
    "ピリピ",
    "フィリピ",
    "コロサイ",
    "テサロニケ",
    "テモテ",
    "テトス",
    "ピレモン",
    "ヘブル",
    "ヘブライ",
    "ヤコブ",
    "ペテロ",
    "ペトロ",
    "ユダ",
    "創世記",
    "出エジプト記",
    "出エジプト",
    "レビ記",
    "民数記",
    "申命記",
    "ヨシュア記",
    "士師記",
    "ルツ記",
    "サムエル記上",
    "サムエル記下",
    "列王記上",
    "列王記下",
    "列王記",
    "歴代誌",
    "エズラ記",
    "ネヘミヤ記",
    "エステル記",
    "ヨブ記",
    "詩篇",
    "詩編",
    "箴言",
    "伝道の書",
    "伝道者の書",
    "コヘレト",
    "雅歌",
    "イザヤ書",
    "イザヤ",
    "エレミヤ書",
    "エレミヤ",
    "哀歌",
    "エゼキエル書",
    "ダニエル書",
    "ホセア書",
    "ヨエル書",
    "アモス書",
    "ヨナ書",
    "ミカ書",
    "ハバクク書",
    "ゼカリヤ書",
    "マラキ書",
];

/// Reads a chapter and a verse, or some verses, after the name of a book.
pub(super) fn read(s: &mut Scanner<'_>) -> bool {
    let head = s.head().trim_end_matches([' ', '」', '》']);
    let chapter_end = scan::digits(s.t, s.at);
    let verse_end = scan::digits(s.t, chapter_end + 1);
    let is_verse = (1..=3).contains(&(chapter_end - s.at))
        && scan::tail(s.t, chapter_end).starts_with(':')
        && (1..=3).contains(&(verse_end.saturating_sub(chapter_end + 1)))
        && BOOKS.iter().any(|book| head.ends_with(book));
    if !is_verse {
        return false;
    }
    let counted = |digits: &str, counter: &str| {
        let number = Number::cardinal(digits);
        counters::starting(counter).map_or_else(Vec::new, |counter| counter.said(&number, Place::Elsewhere))
    };
    let mut words = counted(&s.t[s.at..chapter_end], "章");
    words.extend(counted(&s.t[chapter_end + 1..verse_end], "節"));
    let separator = scan::char_at(s.t, verse_end).filter(|c| matches!(c, '-' | '−' | '–' | '〜' | '~'));
    let second = verse_end + separator.map_or(0, char::len_utf8);
    let mut end = verse_end;
    if separator.is_some() && scan::digit_at(s.t, second) {
        end = scan::digits(s.t, second);
        if let Some(last) = words.last_mut() {
            last.push_str("カラ");
        }
        words.extend(counted(&s.t[second..end], "節"));
    }
    s.say(end, words, Like::Amount);
    true
}
