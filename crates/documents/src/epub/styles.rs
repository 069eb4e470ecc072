//! The style sheets of a book, as far as they say how it is spoken.

use std::collections::HashMap;

use super::{href, ignore_damage};
use crate::{
    Unreadable,
    archive::Archive,
    decoding,
    html::{PageSheets, SpeechRule, Syntax, parse_style_sheet},
};

/// Style sheets of a book are read up to this many bytes together.
const MOST_BYTES: usize = 4 << 20;

/// The style sheets that were read, by path.
#[derive(Debug, Default)]
pub(super) struct StyleSheets {
    rules: HashMap<String, Vec<SpeechRule>>,
    bytes: usize,
}

impl StyleSheets {
    /// The rules about speech for the page at `path`: those of the files that it names, then its own.
    ///
    /// # Errors
    /// [`Unreadable`] when a file unpacks to more than the limits allow.
    pub(super) fn of_page(
        &mut self,
        archive: &mut Archive<'_>,
        path: &str,
        page: &str,
        syntax: Syntax,
    ) -> Result<Vec<SpeechRule>, Unreadable> {
        let sheets = PageSheets::of(page, syntax);
        let mut rules = Vec::new();
        for target in sheets.linked.iter().filter_map(|linked| href::resolve(path, linked)) {
            if !self.rules.contains_key(&target.path) {
                let read = self.read(archive, &target.path)?;
                self.rules.insert(target.path.clone(), read);
            }
            rules.extend(self.rules.get(&target.path).into_iter().flatten().cloned());
        }
        parse_style_sheet(&sheets.own, &mut rules);
        Ok(rules)
    }

    fn read(&mut self, archive: &mut Archive<'_>, path: &str) -> Result<Vec<SpeechRule>, Unreadable> {
        let mut rules = Vec::new();
        if self.bytes >= MOST_BYTES {
            return Ok(rules);
        }
        if let Some(bytes) = ignore_damage(archive.read(path))? {
            self.bytes += bytes.len();
            parse_style_sheet(&decoding::markup(&bytes), &mut rules);
        }
        Ok(rules)
    }
}
