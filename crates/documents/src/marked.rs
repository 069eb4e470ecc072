//! Stretches of a text that its document marks as another language's: collected while the text is
//! written, and cut with it.

use std::ops::Range;

use lectern_types::language::is_same;

use crate::{
    document::MarkedLanguage,
    language::{detect, is_in_foreign_script, language_tag},
};

/// The most stretches of a document: more are not kept, so that a hostile file does not grow.
const MOST: usize = 10_000;

/// The marked stretches of a text that is being written.
#[derive(Debug, Default)]
pub(crate) struct MarkedLanguages {
    found: Vec<MarkedLanguage>,
    /// The open ones, the innermost last; `None` for a tag that says nothing.
    open: Vec<Option<String>>,
    /// Where the innermost one began, or began again.
    start: usize,
}

impl MarkedLanguages {
    /// A stretch begins at the end of the text.
    pub(crate) fn begin(&mut self, tag: &str, text: &str) {
        self.keep(text);
        self.open.push(language_tag(tag));
    }

    /// The innermost stretch ends at the end of the text.
    pub(crate) fn end(&mut self, text: &str) {
        self.keep(text);
        self.open.pop();
    }

    /// The stretches that are not in the language of the whole document.
    pub(crate) fn finish(mut self, text: &str, language: Option<&str>) -> Vec<MarkedLanguage> {
        self.keep(text);
        let is_own = |tag: &str| language.is_some_and(|own| is_same(own, tag));
        self.found.retain(|marked| !is_own(&marked.tag));
        // Word processors mark whole books as the language of their menus.
        let is_mistake = |marked: &MarkedLanguage| {
            detect(&text[marked.range.clone()]).is_some_and(|found| !is_same(found, &marked.tag))
        };
        let mistaken: Vec<String> =
            self.found.iter().filter(|marked| is_mistake(marked)).map(|marked| marked.tag.clone()).collect();
        self.found.retain(|marked| !mistaken.contains(&marked.tag));
        self.found
    }

    fn keep(&mut self, text: &str) {
        let start = std::mem::replace(&mut self.start, text.len());
        let Some(Some(tag)) = self.open.last() else { return };
        let Some(range) = trimmed(text, start..text.len()) else { return };
        // A tag that the text contradicts is a mistake.
        if is_in_foreign_script(&text[range.clone()], tag) {
            return;
        }
        let goes_on =
            |last: &MarkedLanguage| last.tag == *tag && text[last.range.end..range.start].trim().is_empty();
        let has_room = self.found.len() < MOST;
        match self.found.last_mut().filter(|last| goes_on(last)) {
            Some(last) => last.range.end = range.end,
            None if has_room => self.found.push(MarkedLanguage { range, tag: tag.clone() }),
            None => {}
        }
    }
}

/// The stretches inside a part of the text, counted from its start. `marked` are in order.
pub(crate) fn within(marked: &[MarkedLanguage], text: &str, part: &Range<usize>) -> Vec<MarkedLanguage> {
    let first = marked.partition_point(|stretch| stretch.range.end <= part.start);
    let inside = marked[first..].iter().take_while(|stretch| stretch.range.start < part.end);
    let cut = inside.filter_map(|stretch| {
        let (start, end) = (stretch.range.start.max(part.start), stretch.range.end.min(part.end));
        let range = trimmed(text, start..end)?;
        let range = range.start - part.start..range.end - part.start;
        Some(MarkedLanguage { range, tag: stretch.tag.clone() })
    });
    cut.collect()
}

/// A range without the white space at its ends; `None` when nothing else is in it.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inside = text.get(range.clone())?;
    let start = range.start + inside.len() - inside.trim_start().len();
    let end = start + inside.trim().len();
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(marked: &[MarkedLanguage], text: &str) -> Vec<(String, String)> {
        marked.iter().map(|one| (text[one.range.clone()].to_owned(), one.tag.clone())).collect()
    }

    #[test]
    fn the_innermost_tag_counts_and_the_outer_one_goes_on_after_it() {
        let mut marked = MarkedLanguages::default();
        let mut text = "He said ".to_owned();
        marked.begin("fr_FR", &text);
        text += "bonjour ";
        marked.begin("it", &text);
        text += "ciao";
        marked.end(&text);
        text += " et adieu";
        marked.end(&text);
        text += ", and left";
        marked.begin("en-GB", &text);
        text += " home";
        marked.end(&text);
        let all = marked.finish(&text, Some("en"));
        let of = |text: &str, tag: &str| (text.to_owned(), tag.to_owned());
        let wanted = [of("bonjour", "fr-FR"), of("ciao", "it"), of("et adieu", "fr-FR")];
        assert_eq!(found(&all, &text), wanted);
        // "jour ciao et" of the text.
        let part = 11..23;
        let cut = within(&all, &text, &part);
        assert_eq!(found(&cut, &text[part]), [of("jour", "fr-FR"), of("ciao", "it"), of("et", "fr-FR")]);
    }

    #[test]
    fn a_tag_that_says_nothing_or_that_the_text_contradicts_is_not_kept() {
        for (tag, text) in [("", "bonjour"), ("und", "bonjour"), ("fr", "доброе утро"), ("fr", "  ")]
        {
            let mut marked = MarkedLanguages::default();
            marked.begin(tag, "");
            marked.end(text);
            assert_eq!(marked.finish(text, None), [], "{tag:?}");
        }
    }

    #[test]
    fn a_tag_that_is_wrong_somewhere_is_believed_nowhere() {
        let (mut marked, mut text) = (MarkedLanguages::default(), String::new());
        for (tag, part) in [
            ("en-US", "Le président a ouvert la séance ce matin devant les députés réunis. "),
            ("en-US", "Bonjour. "),
            ("it", "Ciao. "),
        ] {
            marked.begin(tag, &text);
            text += part;
            marked.end(&text);
        }
        assert_eq!(found(&marked.finish(&text, Some("fr")), &text), [("Ciao.".to_owned(), "it".to_owned())]);
    }

    #[test]
    fn a_flood_of_stretches_is_bounded() {
        let mut marked = MarkedLanguages::default();
        let mut text = String::new();
        for index in 0..20_000 {
            marked.begin(if index % 2 == 0 { "fr" } else { "it" }, &text);
            text += "si ";
            marked.end(&text);
        }
        assert_eq!(marked.finish(&text, None).len(), MOST);
    }
}
