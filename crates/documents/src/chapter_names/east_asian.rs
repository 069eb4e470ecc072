//! Chapter lines in Chinese and Japanese: `第一章 海港`, `第12回`, `その一`, `卷一`, `序章`, `プロローグ`.

use super::numbers::is_east_asian_digit;

/// Units that may stand directly before a title without a space: `第一章海港`.
const CHAPTER_UNITS: &[char] = &['章', '回', '节', '節', '话', '話'];

/// Other units: volumes, parts, acts.
const OTHER_UNITS: &[char] =
    &['卷', '巻', '部', '篇', '編', '编', '幕', '集', '场', '場', '折', '夜', '讲', '講', '册', '冊', '巻'];

/// Units of parts above chapters.
const PART_UNITS: &[char] = &['卷', '巻', '部', '篇', '編', '编', '册', '冊'];

/// The longest title that follows its unit without a space.
const MAX_ATTACHED_CHARACTERS: usize = 20;

/// As [`super::chapter_line`].
pub(super) fn chapter_line(line: &str) -> Option<bool> {
    let line = line.trim_matches(['【', '】', '　', ' ', '〈', '〉', '『', '』']);
    numbered(line)
        .or_else(|| volume(line))
        .or_else(|| counted(line))
        .or_else(|| is_standalone(line).then_some(false))
}

/// Whether a title is that of a part above chapters.
pub(super) fn is_part(title: &str) -> bool {
    let Some((unit, _)) = unit(title) else { return volume(title).is_some() };
    PART_UNITS.contains(&unit)
}

/// Whether a line is surely a heading, also without blank lines around it.
pub(crate) fn is_sure(line: &str) -> bool {
    line.starts_with('第') && numbered(line.trim_end()).is_some()
}

/// The unit of `第一章`, and what follows it.
fn unit(line: &str) -> Option<(char, &str)> {
    let rest = line.strip_prefix('第')?.trim_start();
    let after = rest.trim_start_matches(is_east_asian_digit);
    if after.len() == rest.len() || rest.len() - after.len() > 24 {
        return None;
    }
    let after = after.trim_start();
    let unit = after.chars().next()?;
    (CHAPTER_UNITS.contains(&unit) || OTHER_UNITS.contains(&unit)).then(|| (unit, &after[unit.len_utf8()..]))
}

fn numbered(line: &str) -> Option<bool> {
    let (unit, passed) = unit(line)?;
    is_heading(passed, CHAPTER_UNITS.contains(&unit)).then(|| passed.trim().is_empty())
}

/// Whether what follows the unit is a title or nothing, and not the rest of a sentence.
fn is_heading(passed: &str, may_be_attached: bool) -> bool {
    if passed.ends_with(['。', '，', '、', '；', '：', ',', ';']) {
        return false;
    }
    let Some(next) = passed.chars().next() else { return true };
    if next.is_whitespace()
        || matches!(
            next,
            '：' | ':'
                | '、'
                | '．'
                | '.'
                | '・'
                | '—'
                | '─'
                | '－'
                | '-'
                | '「'
                | '『'
                | '《'
                | '（'
                | '('
        )
    {
        return !is_sentence(passed);
    }
    may_be_attached
        && passed.chars().count() <= MAX_ATTACHED_CHARACTERS
        && !passed.contains(['。', '，', '、', '！', '？', '；', '：', ','])
        && is_wide(next)
        // "the third chapter is", "in the third chapter", "the third time".
        && !"是的里中讲说以有在被也就都和与及共末合目には がのでをともへよから上下分".contains(next)
}

/// A title has no sentence before its end.
fn is_sentence(passed: &str) -> bool {
    passed.trim_end().trim_end_matches(['」', '』', '》', '）', ')']).contains('。')
}

/// `卷一`, `卷之二`, `上卷`, `中巻 海の章`, `下篇`.
fn volume(line: &str) -> Option<bool> {
    let after = if let Some(rest) = line.strip_prefix(['卷', '巻']) {
        let rest = rest.trim_start_matches(['之', 'の', '第']);
        let after = rest.trim_start_matches(is_east_asian_digit);
        if after.len() == rest.len() {
            return None;
        }
        after
    } else {
        line.strip_prefix(['上', '中', '下', '前', '後', '后'])?
            .strip_prefix(['卷', '巻', '篇', '編', '编', '册', '冊'])?
    };
    is_apart(after).then(|| after.trim().is_empty())
}

/// `その一`, `其の二 海`, `其三`, `之一`.
fn counted(line: &str) -> Option<bool> {
    let rest = ["その", "其の", "其之", "其", "之"].iter().find_map(|start| line.strip_prefix(start))?;
    let after = rest.trim_start_matches(is_east_asian_digit);
    (after.len() < rest.len() && is_apart(after)).then(|| after.trim().is_empty())
}

/// Nothing follows, or a title after a space or a mark.
fn is_apart(after: &str) -> bool {
    after.is_empty()
        || (after.starts_with(|c: char| c.is_whitespace() || matches!(c, '：' | ':' | '、' | '　'))
            && !after.ends_with(['。', '、', '，'])
            && after.chars().count() <= 40)
}

fn is_standalone(line: &str) -> bool {
    STANDALONE.iter().any(|word| {
        line.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_end();
            rest.is_empty()
                || (word.chars().count() > 1
                    && rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '：' | ':' | '—' | '─'))
                    && !rest.ends_with(['。', '、', '，']))
        })
    })
}

/// Whether a character is Chinese or kana.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Headings on their own.
#[rustfmt::skip]
const STANDALONE: &[&str] = &[
    "序", "序章", "序文", "序言", "序論", "序论", "序幕", "自序", "代序", "緒言", "绪论", "緒論", "前言", "引言", "引子", "楔子", "导言", "導言", "卷首语",
    "終章", "终章", "最終章", "最终章", "最終回", "最終話", "尾声", "尾聲", "终曲", "終曲", "结语", "結語", "結び", "結論", "结论", "跋", "后记", "後記",
    "プロローグ", "エピローグ", "はじめに", "おわりに", "まえがき", "あとがき", "前書き", "後書き", "解説", "幕間", "間章", "断章", "番外編", "番外篇", "番外",
    "附录", "附錄", "付録", "附録", "補遺", "致谢", "致謝", "献词", "作者的话",
];
