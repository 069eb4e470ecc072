//! The author's alternative text of a formula (`alttext`), and when to ignore it.

/// Placeholders that programs and templates write, in lower case.
const PLACEHOLDERS: &[&str] = &[
    "alternative text not available",
    "alternate text not available",
    "alt text not available",
    "alternative text",
    "alt text",
    "alttext",
    "alt",
    "no alt text",
    "no alternative text",
    "no description",
    "description",
    "formula",
    "formula image",
    "image of formula",
    "equation",
    "equation image",
    "image of equation",
    "math",
    "mathml",
    "math equation",
    "math formula",
    "math image",
    "mathematical equation",
    "mathematical expression",
    "mathematical formula",
    "inline formula",
    "display formula",
    "inline equation",
    "display equation",
    "image",
    "picture",
    "graphic",
    "expression",
    "not available",
    "unavailable",
    "none",
    "null",
    "undefined",
    "untitled",
    "todo",
    "tbd",
    "n/a",
];

const PICTURE_SUFFIXES: &[&str] = &[
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".tif", ".tiff", ".eps", ".wmf", ".emf", ".mml",
];

/// The alternative text if it is in words. Placeholders, file names and formula source
/// (`\frac{1}{2}`) are ignored.
pub(crate) fn worth_saying(text: Option<&str>) -> Option<&str> {
    let text = text.map(str::trim).filter(|text| text.chars().any(char::is_alphanumeric))?;
    if text.contains(['\\', '^', '_', '{', '}', '$', '<']) {
        return None;
    }
    // Also matches numbered placeholders: "Equation 12", "[Formula]".
    let bare = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = !text.contains(char::is_whitespace) || text.starts_with("Description: ");
    let lower = text.to_lowercase();
    let placeholder = PLACEHOLDERS.contains(&bare.as_str())
        || (bare.is_empty() && text.chars().count() > 3)
        || (file && PICTURE_SUFFIXES.iter().any(|ending| lower.ends_with(ending)));
    (!placeholder).then_some(text)
}
