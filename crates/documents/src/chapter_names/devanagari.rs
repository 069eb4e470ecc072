//! Chapter lines in Hindi: `अध्याय १`, `पहला अध्याय`, `भाग २: नदी`, `प्रस्तावना`.

use super::numbers::{is_hindi, is_hindi_ordinal};

/// A heading is not longer, in words after its number.
const MAX_TITLE_WORDS: usize = 8;

/// As [`super::chapter_line`].
pub(super) fn chapter_line(line: &str) -> Option<bool> {
    let line = line.trim();
    if STANDALONE.contains(&line.trim_end_matches([':', '।', '-', '–', ' '])) {
        return Some(false);
    }
    let words: Vec<&str> = line.split_whitespace().take(MAX_TITLE_WORDS + 6).collect();
    let bare = |at: usize| words.get(at).map(|word| word.trim_matches(MARKS)).unwrap_or_default();
    // A dash may stand by itself before the number.
    let second = if bare(1).is_empty() { 2 } else { 1 };
    let numbered = (NAMES.contains(&bare(0)) && is_hindi(bare(second)))
        || (second == 1 && NAMES.contains(&bare(1)) && is_ordinal(bare(0)));
    if !numbered {
        return None;
    }
    let title = &words[second + 1..];
    if title.iter().all(|word| word.trim_matches(MARKS).is_empty()) {
        return Some(true);
    }
    let parted = words[second].ends_with(MARKS) || title[0].trim_matches(MARKS).is_empty();
    let sentence = line.ends_with(['।', '॥', '.', ',', '?'])
        || title.len() > MAX_TITLE_WORDS
        || (!parted && POSTPOSITIONS.contains(&title[0]))
        || title.last().is_some_and(|last| VERBS.contains(last));
    (!sentence).then_some(false)
}

/// Whether a title is that of a part above chapters.
pub(super) fn is_part(title: &str) -> bool {
    let mut words = title.split_whitespace().map(|word| word.trim_matches(MARKS));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    PARTS.contains(&first) || (PARTS.contains(&second) && is_ordinal(first))
}

fn is_ordinal(word: &str) -> bool {
    is_hindi_ordinal(word) || (is_hindi(word) && word.chars().all(|c| super::numbers::digit(c).is_some()))
}

/// Marks around a number.
const MARKS: [char; 11] = ['.', ':', '-', '–', '—', '।', '॥', '(', ')', '[', ']'];

const NAMES: &[&str] = &[
    "अध्याय",
    "भाग",
    "खंड",
    "खण्ड",
    "परिच्छेद",
    "सर्ग",
    "पर्व",
    "अंक",
    "दृश्य",
    "प्रकरण",
    "कांड",
    "काण्ड",
    "पाठ",
    "पत्र",
    "किस्त",
];

const PARTS: &[&str] = &["भाग", "खंड", "खण्ड", "पर्व", "कांड", "काण्ड", "अंक"];

const STANDALONE: &[&str] = &[
    "प्रस्तावना",
    "भूमिका",
    "उपसंहार",
    "परिशिष्ट",
    "आमुख",
    "प्राक्कथन",
    "निवेदन",
    "समर्पण",
    "आभार",
    "उपोद्घात",
    "उपोद्धात",
    "दो शब्द",
    "विषय-प्रवेश",
    "विषय प्रवेश",
    "अंतिम अध्याय",
    "लेखक की ओर से",
];

/// Words after which a sentence goes on.
const POSTPOSITIONS: &[&str] = &["में", "से", "का", "के", "की", "को", "ने", "पर", "तक", "और", "भी", "ही", "तो"];

/// Words that end a sentence.
const VERBS: &[&str] = &["है", "हैं", "था", "थी", "थे", "गया", "गई", "गये", "गए", "हुआ", "हुई"];
