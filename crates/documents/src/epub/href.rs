//! Resolves references between members of a book: relative, percent-encoded, with a fragment.

use percent_encoding::percent_decode_str;

/// A position in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The name of the member in the archive.
    pub(super) path: String,
    /// The id of an element in the member.
    pub(super) fragment: Option<String>,
}

/// The target of `href` in a document at `base`; `None` if it is outside of the book.
pub(super) fn resolve(base: &str, href: &str) -> Option<Target> {
    let href = href.trim();
    let (path, fragment) = href.split_once('#').map_or((href, None), |(path, rest)| (path, Some(rest)));
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    if has_scheme(path) || path.starts_with("//") {
        return None;
    }
    let fragment = fragment.filter(|fragment| !fragment.is_empty()).map(decode);
    if path.is_empty() {
        return Some(Target { path: base.to_owned(), fragment });
    }
    let folder = match path.strip_prefix('/') {
        Some(_) => "",
        None => base.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    let path = decode(path);
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            // The parent of the root is the root.
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    Some(Target { path: segments.join("/"), fragment })
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn has_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn references_are_relative_to_their_document_and_never_leave_the_book() {
        for (base, href, path, fragment) in [
            ("OEBPS/nav.xhtml", "text/one.xhtml#a", "OEBPS/text/one.xhtml", Some("a")),
            ("OEBPS/toc/nav.xhtml", "../text/one%20two.xhtml", "OEBPS/text/one two.xhtml", None),
            ("OEBPS/nav.xhtml", "../../../../etc/passwd", "etc/passwd", None),
            ("OEBPS/nav.xhtml", "/text/./one.xhtml", "text/one.xhtml", None),
            ("OEBPS/nav.xhtml", "#top", "OEBPS/nav.xhtml", Some("top")),
            ("nav.xhtml", "one.xhtml#", "one.xhtml", None),
            ("nav.xhtml", "caf%C3%A9.xhtml#%C3%A9", "café.xhtml", Some("é")),
            ("nav.xhtml", "..\\one.xhtml", "one.xhtml", None),
        ] {
            let target = resolve(base, href).unwrap_or_else(|| panic!("{href}"));
            assert_eq!((target.path.as_str(), target.fragment.as_deref()), (path, fragment), "{href}");
        }
        assert_eq!(resolve("a", "https://example.org/one"), None);
        assert_eq!(resolve("a", "//example.org/one"), None);
        assert_eq!(resolve("a", "data:text/html,hello"), None);
    }
}
