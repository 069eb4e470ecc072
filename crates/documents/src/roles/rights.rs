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

/// Whether a line begins with the sign, perhaps after "Copyright" or "Text copyright", and has a year. "Cover photograph ©
/// 2020" says nothing of the text.
fn is_statement(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare = lower.strip_prefix("text ").unwrap_or(&lower);
    let after = bare.strip_prefix("copyright").map_or(bare, str::trim_start);
    let signed = after.strip_prefix('©').or_else(|| after.strip_prefix("(c)"));
    let Some(rest) = signed.or_else(|| bare.strip_prefix("copyright ")) else { return false };
    let mut digits = rest.split(|c: char| !c.is_ascii_digit());
    line.chars().count() <= MAX_CHARACTERS && digits.any(|number| number.len() == 4)
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
        ] {
            assert!(is_statement(line), "{line}");
        }
        for line in [
            "Cover photograph © 2020 Bo Holm",
            "Copyright infringement is a crime.",
            "© Ada Marlow",
            "Copyrighted in 1998",
            "(c) the third point of the list of 12 points",
        ] {
            assert!(!is_statement(line), "{line}");
        }
    }
}
