//! Finds who has the rights to a book on the pages that say so, for files without a field for it.

use crate::{Chapter, ChapterRole};

/// A longer line is a paragraph about rights, not the statement.
const MAX_CHARACTERS: usize = 200;

/// The first line such as "© 2020 Ada Marlow" of the pages before and after the text.
pub(crate) fn stated_rights(text: &str, chapters: &[Chapter]) -> Option<String> {
    let ends = chapters.iter().skip(1).map(|chapter| chapter.start).chain([text.len()]);
    let pages = chapters.iter().zip(ends).filter(|(chapter, _)| {
        matches!(chapter.role, ChapterRole::Copyright | ChapterRole::Imprint | ChapterRole::TitlePage)
    });
    let lines = pages.flat_map(|(chapter, end)| text.get(chapter.start..end).unwrap_or_default().lines());
    lines.map(str::trim).find(|line| is_statement(line)).map(str::to_owned)
}

/// Words of lines that are about rights and state none, or about other rights than those to the text.
const OTHERS: &[&str] = &["act", "agency", "clearance", "cover", "design", "law", "licensing", "photograph"];

/// Whether a line begins with the sign, perhaps after "Copyright" or "Text copyright", and has a year. "Cover photograph ©
/// 2020" says nothing of the text.
fn is_statement(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare = lower.strip_prefix("text ").unwrap_or(&lower);
    let after = bare.strip_prefix("copyright").map_or(bare, |rest| rest.trim_start_matches([' ', ',', ':']));
    let signed = after.strip_prefix('©').or_else(|| after.strip_prefix("(c)"));
    let named = bare.strip_prefix("copyright").filter(|rest| rest.starts_with([' ', ',', ':']));
    let Some(rest) = signed.or(named) else { return false };
    let is_year = |number: &str| {
        number.len() == 4
            && (number.starts_with("20") || matches!(number.as_bytes(), [b'1', b'5'..=b'9', ..]))
    };
    let states_others = rest.split(|c: char| !c.is_alphabetic()).any(|word| OTHERS.contains(&word));
    let has_year = rest.split(|c: char| !c.is_ascii_digit()).any(is_year);
    line.chars().count() <= MAX_CHARACTERS && has_year && !states_others
}

#[cfg(test)]
mod tests {
    use super::is_statement;

    #[test]
    fn a_statement_has_the_sign_first_and_a_year() {
        for line in [
            "© 2020 Ada Marlow",
            "Copyright © Ada Marlow, 2020",
            "COPYRIGHT (C) 2019-2021 BY ADA MARLOW.",
            "Text copyright © 2020 Ada Marlow",
            "Copyright 1998 by Ada Marlow",
            "Copyright, 1898, by Ada Marlow",
        ] {
            assert!(is_statement(line), "{line}");
        }
        for line in [
            "Cover photograph © 2020 Bo Holm",
            "Copyright infringement is a crime.",
            "© Ada Marlow",
            "Copyrighted in 1998",
            "Copyright Clearance Center, (978) 750-8400",
            "Copyright Act 1968",
            "© Cover design 2019 Bo Holm",
            "(c) the third point of the list of 12 points",
        ] {
            assert!(!is_statement(line), "{line}");
        }
    }
}
