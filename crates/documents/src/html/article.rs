//! Finds the article of a page of the web with `dom_smoothie`, a port of the algorithm that browsers use for their reading
//! view. ADR 43 has what it finds beside our own rules.

use dom_smoothie::{Config, Readability};

use super::{
    elements::{Element, ElementKind},
    syntax::Syntax,
    tokens::{self, Handler},
    writer::names_rights,
};

/// Pages with more elements, or deeper ones, are read whole: the search builds a tree and walks it recursively. Real pages
/// have some thousands of elements, a few dozen deep. Formatting that is left open can still make the tree larger than
/// the page; the process that reads documents is confined for such cases.
const MAX_ELEMENTS: usize = 30_000;
const MAX_DEPTH: usize = 300;

/// A shorter article is more likely a notice than what the page is about.
const MIN_CHARACTERS: usize = 200;

/// How many characters of the statement of copyright are kept until it is cleaned up.
const MAX_RIGHTS: usize = 1_000;

/// The article as a page of its own; `None` when the page has none that stands out.
pub(super) fn find(source: &str) -> Option<String> {
    let page = tokens::read(source, Syntax::Html, Page::default());
    if page.is_too_large() {
        return None;
    }
    let config = Config { max_elements_to_parse: MAX_ELEMENTS, ..Config::default() };
    let article = Readability::new(source, None, Some(config)).ok()?.parse().ok()?;
    if article.text_content.trim().chars().count() < MIN_CHARACTERS {
        return None;
    }
    let language = article.lang.filter(|tag| tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    let language = language.map(|tag| format!(" lang=\"{tag}\"")).unwrap_or_default();
    let author = article.byline.map(|name| escaped(name.trim())).filter(|name| !name.is_empty());
    let author = author.map(|name| format!("<meta name=\"author\" content=\"{name}\">")).unwrap_or_default();
    let rights =
        page.rights.map(|rights| format!("<meta name=\"copyright\" content=\"{}\">", escaped(&rights)));
    let rights = rights.unwrap_or_default();
    let title = escaped(article.title.trim());
    let content = article.content;
    Some(format!(
        "<html{language}><head><title>{title}</title>{author}{rights}</head><body>{content}</body></html>"
    ))
}

/// How large a page is, and what the search for the article does not tell of it.
#[derive(Debug, Default)]
struct Page {
    elements: usize,
    depth: usize,
    deepest: usize,
    rights: Option<String>,
}

impl Page {
    fn is_too_large(&self) -> bool {
        self.elements > MAX_ELEMENTS || self.deepest > MAX_DEPTH
    }
}

impl Handler for Page {
    fn open(&mut self, element: &Element<'_>) {
        if &*element.tag.name == "meta" && self.rights.is_none() {
            let name =
                element.attribute("name").or_else(|| element.attribute("property")).unwrap_or_default();
            let content = element
                .attribute("content")
                .filter(|content| !content.trim().is_empty() && names_rights(&name.to_ascii_lowercase()));
            self.rights = content.map(|content| content.chars().take(MAX_RIGHTS).collect());
        }
        self.elements += 1;
        if !element.void {
            self.depth += 1;
            self.deepest = self.deepest.max(self.depth);
        }
    }

    fn close(&mut self, _: ElementKind) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, _: &str) {}

    fn is_done(&self) -> bool {
        self.is_too_large()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{MAX_ELEMENTS, find};
    use crate::{Kind, Limits, read};

    fn page(body: &str) -> String {
        format!("<html lang=en><head><title>The Harbour</title></head><body>{body}</body></html>")
    }

    fn text(source: &str) -> String {
        read(Kind::WebPage, source.as_bytes(), &Limits::default()).unwrap().text
    }

    /// Paragraphs as a newspaper has them.
    fn prose() -> String {
        let paragraph =
            "The harbour was quiet that morning, and the boats, which had come in late, lay side by side.";
        format!("<p>{paragraph} {paragraph}</p>").repeat(6)
    }

    #[test]
    fn the_article_is_read_and_what_surrounds_it_is_not() {
        let teaser =
            "<div class=related><p>Ten things that you will not believe about boats, in pictures.</p></div>";
        let comments =
            "<div id=comments><p>First! I never liked the harbour, and neither does my neighbour.</p></div>";
        let source = page(&format!("<div class=article>{}</div>{teaser}{comments}", prose()));
        let read = text(&source);
        assert!(
            read.contains("quiet that morning") && !read.contains("believe") && !read.contains("First!"),
            "{read}"
        );
    }

    #[test]
    fn a_page_without_an_article_is_read_whole() {
        assert_eq!(find(&page("<p>Closed on Mondays.</p>")), None);
        assert_eq!(text(&page("<p>Closed on Mondays.</p>")), "Closed on Mondays.");
    }

    #[test]
    fn what_the_page_says_of_itself_is_kept() {
        let source = page(&format!("<article>{}</article>", prose()));
        let source = source.replace(
            "<title>",
            "<meta name=author content='Ada \"A\" <b>'><meta name=dc.rights content='© 2020 \"A\"'><title>",
        );
        let document = read(Kind::WebPage, source.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(document.title.as_deref(), Some("The Harbour"));
        assert_eq!(document.language.as_deref(), Some("en"));
        assert!(document.author.unwrap().starts_with("Ada"));
        assert_eq!(document.copyright.as_deref(), Some("© 2020 \"A\""));
    }

    // Negative control: without the bound on depth, the first page overflows the stack.
    #[test]
    fn deep_and_broken_pages_are_read_whole() {
        for source in
            ["<div>".repeat(50_000), "<p><table><tr><td>".repeat(20_000), "<p>".repeat(MAX_ELEMENTS + 1)]
        {
            let source = page(&format!("{source}{}", prose()));
            assert_eq!(find(&source), None);
            assert!(text(&source).contains("quiet that morning"));
        }
        let _ = read(Kind::WebPage, "<a href=".repeat(10_000).as_bytes(), &Limits::default());
    }
}
