//! Reads front matter. Only the few used fields are read, one line each; this is not a YAML parser.

use crate::builder::Metadata;

/// Reads title, author, statement of copyright and language.
pub(super) fn read(block: &str, separator: char, metadata: &mut Metadata) {
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.split_once(separator) else { continue };
        let slot = match name.trim().to_ascii_lowercase().as_str() {
            "title" => &mut metadata.title,
            "author" | "authors" | "creator" => &mut metadata.author,
            "rights" => &mut metadata.copyright,
            "lang" | "language" | "locale" => &mut metadata.language,
            _ => continue,
        };
        let mut values: Vec<String> = items(value).collect();
        // A list may follow its name, one item a line.
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

/// The items of `[a, "b"]`, or the value itself if it is not a list.
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
