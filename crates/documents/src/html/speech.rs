//! What style sheets say about the speech of a page (CSS Speech, and its older form in EPUB): which elements are silent,
//! spelled, followed by a pause, or said by somebody.

mod css;

use std::collections::HashMap;

pub(crate) use css::{Rule, SpeechStyle, Spelling, parse};

use super::{
    elements::{Element, ElementKind},
    syntax::Syntax,
    tokens::{self, Handler},
};
use css::{Place, inline, may_speak};

/// How many elements around one a selector can see.
const MOST_AROUND: usize = 16;

/// Links to style sheets beyond this number in a page are ignored.
const MOST_SHEETS: usize = 20;

/// The most bytes of style sheets inside a page.
const MOST_BYTES: usize = 1 << 20;

/// The styles of a page's elements, by ordinal.
pub(crate) type SpeechStyles = HashMap<u32, SpeechStyle>;

/// The style sheets that the head of a page names and has.
#[derive(Debug, Default)]
pub(crate) struct PageSheets {
    /// References to files.
    pub(crate) linked: Vec<String>,
    /// The text of its own.
    pub(crate) own: String,
    in_style: bool,
    is_done: bool,
}

/// Whether a sheet is for media in which a text is heard.
fn is_of_spoken_media(element: &Element<'_>) -> bool {
    element.attribute("media").is_none_or(css::is_spoken)
}

impl PageSheets {
    pub(crate) fn of(source: &str, syntax: Syntax) -> Self {
        tokens::read(source, syntax, Self::default())
    }
}

impl Handler for PageSheets {
    fn open(&mut self, element: &Element<'_>) {
        match &*element.tag.name {
            "body" => self.is_done = true,
            "style" => self.in_style = !element.void && is_of_spoken_media(element),
            "link" if self.linked.len() < MOST_SHEETS && !self.is_done => {
                let is_sheet = element.attribute("rel").is_some_and(|rel| {
                    let has =
                        |word: &str| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word));
                    has("stylesheet") && !has("alternate")
                }) && is_of_spoken_media(element);
                self.linked.extend(element.attribute("href").filter(|_| is_sheet).map(str::to_owned));
            }
            _ => {}
        }
    }

    fn close(&mut self, _: ElementKind) {
        self.in_style = false;
    }

    fn text(&mut self, text: &str) {
        if self.in_style && self.own.len() + text.len() <= MOST_BYTES {
            self.own.push_str(text);
        }
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}

/// The styles of a page's elements by rules, of which later ones win over earlier ones that are as specific, and by
/// `style` attributes.
pub(crate) fn styles(source: &str, syntax: Syntax, rules: &[Rule]) -> SpeechStyles {
    if rules.is_empty() && !(source.contains("style=") && may_speak(source)) {
        return SpeechStyles::new();
    }
    let mut rules: Vec<&Rule> = rules.iter().collect();
    rules.sort_by_key(|rule| rule.selector.specificity());
    tokens::read(source, syntax, Matcher { rules, open: Vec::new(), found: SpeechStyles::new() }).found
}

struct Matcher<'a> {
    /// The least specific first.
    rules: Vec<&'a Rule>,
    open: Vec<Place>,
    found: SpeechStyles,
}

impl Handler for Matcher<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let classes = element.attribute("class").unwrap_or_default().split_ascii_whitespace();
        self.open.push(Place {
            name: element.tag.name.to_string(),
            id: element.attribute("id").map(str::to_owned),
            classes: classes.map(str::to_owned).collect(),
        });
        let seen = &self.open[self.open.len().saturating_sub(MOST_AROUND)..];
        let mut style = SpeechStyle::default();
        for rule in self.rules.iter().filter(|rule| rule.selector.selects(seen)) {
            style.add(&rule.style);
        }
        if let Some(own) = element.attribute("style").filter(|own| may_speak(own)) {
            style.add(&inline(own));
        }
        if style != SpeechStyle::default() {
            self.found.insert(element.ordinal, style);
        }
        if element.void {
            self.open.pop();
        }
    }

    fn close(&mut self, _: ElementKind) {
        self.open.pop();
    }

    fn text(&mut self, _: &str) {}
}
