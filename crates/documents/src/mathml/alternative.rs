//! The text that an author gave in place of a formula (`alttext`), and when it is none.

/// What programs and templates write where no author wrote anything, in lower case.
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

/// Endings of the names of pictures.
const PICTURES: &[&str] = &[
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".tif", ".tiff", ".eps", ".wmf", ".emf", ".mml",
];

/// The text that is said instead of a formula: what its author wrote, in words. Placeholders, names of files and the
/// source of a formula (`\frac{1}{2}`) are none.
pub(crate) fn worth_saying(text: Option<&str>) -> Option<&str> {
    let text = text.map(str::trim).filter(|text| text.chars().any(char::is_alphanumeric))?;
    if text.contains(['\\', '^', '_', '{', '}', '$', '<']) {
        return None;
    }
    // Numbered placeholders, too: "Equation 12", "[Formula]".
    let bare = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = !text.contains(char::is_whitespace) || text.starts_with("Description: ");
    let lower = text.to_lowercase();
    let placeholder = PLACEHOLDERS.contains(&bare.as_str())
        || (bare.is_empty() && text.chars().count() > 3)
        || (file && PICTURES.iter().any(|ending| lower.ends_with(ending)));
    (!placeholder).then_some(text)
}
