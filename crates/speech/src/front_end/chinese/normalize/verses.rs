//! Verses of the Bible by chapter and verse: 约翰福音3:16, 《创世记》1:1-5.

use super::Reader;
use crate::front_end::{
    chinese::figures::cardinal,
    scan::{char_at, digits, slice, tail},
};

/// Books whose names are said before a chapter, in both kinds of characters.
const BOOKS: &[&str] = &[
    "创世记",
    "創世記",
    "出埃及记",
    "出埃及記",
    "利未记",
    "利未記",
    "民数记",
    "民數記",
    "申命记",
    "申命記",
    "约书亚记",
    "約書亞記",
    "士师记",
    "士師記",
    "路得记",
    "路得記",
    "撒母耳记上",
    "撒母耳記上",
    "撒母耳记下",
    "撒母耳記下",
    "列王纪上",
    "列王紀上",
    "列王纪下",
    "列王紀下",
    "历代志上",
    "歷代志上",
    "历代志下",
    "歷代志下",
    "以斯拉记",
    "以斯拉記",
    "尼希米记",
    "尼希米記",
    "以斯帖记",
    "以斯帖記",
    "约伯记",
    "約伯記",
    "诗篇",
    "詩篇",
    "箴言",
    "传道书",
    "傳道書",
    "雅歌",
    "以赛亚书",
    "以賽亞書",
    "耶利米书",
    "耶利米書",
    "耶利米哀歌",
    "以西结书",
    "以西結書",
    "但以理书",
    "但以理書",
    "何西阿书",
    "约珥书",
    "阿摩司书",
    "约拿书",
    "約拿書",
    "弥迦书",
    "哈巴谷书",
    "撒迦利亚书",
    "玛拉基书",
    "福音",
    "使徒行传",
    "使徒行傳",
    "罗马书",
    "羅馬書",
    "哥林多前书",
    "哥林多前書",
    "哥林多后书",
    "哥林多後書",
    "加拉太书",
    "加拉太書",
    "以弗所书",
    "以弗所書",
    "腓立比书",
    "腓立比書",
    "歌罗西书",
    "歌羅西書",
    "帖撒罗尼迦前书",
    "帖撒罗尼迦后书",
    "提摩太前书",
    "提摩太后书",
    "提多书",
    "希伯来书",
    "希伯來書",
    "雅各书",
    "雅各書",
    "彼得前书",
    "彼得后书",
    "约翰一书",
    "约翰壹书",
    "启示录",
    "啟示錄",
];

/// Reads a chapter and a verse, or some verses, after the name of a book.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let head = r.head().trim_end_matches(['》', '"', ' ']);
    if !BOOKS.iter().any(|book| head.ends_with(book)) {
        return false;
    }
    let chapter_end = digits(r.t, r.at);
    let verse_end = digits(r.t, chapter_end + 1);
    let is_verse = (1..=3).contains(&(chapter_end - r.at))
        && tail(r.t, chapter_end).starts_with(':')
        && (1..=3).contains(&(verse_end.saturating_sub(chapter_end + 1)));
    if !is_verse {
        return false;
    }
    let chapter = cardinal(slice(r.t, r.at..chapter_end));
    r.number(&format!("{chapter}章"), chapter_end + 1);
    let verse = cardinal(slice(r.t, r.at..verse_end));
    let separator = char_at(r.t, verse_end).filter(|c| matches!(c, '-' | '–' | '—' | '~'));
    let second = verse_end + separator.map_or(0, char::len_utf8);
    let end = digits(r.t, second);
    if separator.is_some() && end > second {
        r.number(&verse, verse_end);
        r.number("到", second);
        r.number(&format!("{}节", cardinal(slice(r.t, second..end))), end);
    } else {
        r.number(&format!("{verse}节"), verse_end);
    }
    true
}
