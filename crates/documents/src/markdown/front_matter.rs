//! The block in front of a Markdown text that says what it is called and who wrote it. Only the few fields that are
//! used are looked at, one line each; this is no reader of YAML.

use crate::builder::About;

/// Takes title, author and language from the lines of a block.
pub(super) fn read(block: &str, separator: char, about: &mut About) {
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.split_once(separator) else { continue };
        let slot = match name.trim().to_ascii_lowercase().as_str() {
            "title" => &mut about.title,
            "author" | "authors" | "creator" => &mut about.author,
            "lang" | "language" | "locale" => &mut about.language,
            _ => continue,
        };
        let mut values: Vec<String> = items(value).collect();
        // A list may stand below its name, one item a line.
        if value.trim().is_empty() {
            while let Some(item) = lines.next_if(|line| line.trim_start().starts_with("- ")) {
                values.extend(items(item.trim_start().trim_start_matches("- ")));
            }
        }
        if slot.is_none() && !values.is_empty() {
            *slot = Some(values.join(", "));
        }
    }
}

/// The items of `[a, "b"]`; the value itself when it is no list.
fn items(value: &str) -> impl Iterator<Item = String> {
    let value = value.trim();
    let list = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
    let parts: Vec<&str> = match list {
        Some(list) => list.split(',').collect(),
        None => vec![value],
    };
    let bare = |part: &str| part.trim().trim_matches(['"', '\'']).trim().to_owned();
    parts.into_iter().map(bare).filter(|part| !part.is_empty()).collect::<Vec<_>>().into_iter()
}
