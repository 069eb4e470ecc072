//! Selectors: names, classes and ids of elements inside each other.

use cssparser::{Parser, Token};

/// The most elements that a selector names inside each other.
const MOST_COMPOUNDS: usize = u8::BITS as usize;

/// Elements inside each other, the innermost last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Selector(Vec<Compound>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Compound {
    /// Whether the one before is its parent, and not only around it.
    is_child: bool,
    /// In lower case; `None` for any.
    name: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
}

/// What selectors look at.
#[derive(Debug)]
pub(in super::super) struct Place {
    pub(in super::super) name: String,
    pub(in super::super) id: Option<String>,
    pub(in super::super) classes: Vec<String>,
}

impl Selector {
    /// A selector of elements, classes and ids inside each other; `None` for one of another kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut input = Parser::new(text.trim());
        let (mut compounds, mut open) = (Vec::new(), Compound::default());
        let mut is_spaced = false;
        while let Ok(token) = input.next_including_whitespace() {
            let token = token.clone();
            if matches!(token, Token::WhiteSpace(_)) {
                is_spaced = true;
                continue;
            }
            let is_child = token == Token::Delim('>');
            if (is_spaced || is_child) && !open.is_empty() {
                compounds.push(std::mem::take(&mut open));
            }
            is_spaced = false;
            match token {
                Token::Delim('>') if !compounds.is_empty() && !open.is_child => open.is_child = true,
                Token::Delim('*') => open.name = None,
                Token::Ident(name) if open.is_empty() => open.name = Some(name.to_ascii_lowercase()),
                Token::IDHash(id) => open.id = Some(id.to_string()),
                Token::Delim('.') => open.classes.push(input.expect_ident().ok()?.to_string()),
                _ => return None,
            }
        }
        compounds.push(open);
        (compounds.len() <= MOST_COMPOUNDS).then_some(Self(compounds))
    }

    /// Whether it selects the innermost of these elements, of which the outermost comes first. Each element is compared with
    /// each compound at most once, whatever the selector.
    pub(in super::super) fn selects(&self, places: &[Place]) -> bool {
        let Some((innermost, around)) = places.split_last() else { return false };
        let Some((last, rest)) = self.0.split_last() else { return false };
        if !last.is_like(innermost) {
            return false;
        }
        let (mut here, mut anywhere) = (Ends::default(), Ends::default());
        for place in around {
            here = rest.iter().enumerate().fold(Ends::default(), |ends, (index, compound)| {
                let is_end = compound.follows(index, here, anywhere) && compound.is_like(place);
                if is_end { ends.with(index) } else { ends }
            });
            anywhere = anywhere.and(here);
        }
        last.follows(rest.len(), here, anywhere)
    }

    /// The name of the outermost element.
    #[cfg(test)]
    pub(super) fn name(&self) -> Option<&str> {
        self.0[0].name.as_deref()
    }

    /// Ids before classes before names, as in CSS.
    pub(in super::super) fn specificity(&self) -> u32 {
        let of = |compound: &Compound| {
            let classes = u32::try_from(compound.classes.len()).unwrap_or(99).min(99);
            u32::from(compound.id.is_some()) * 10_000 + classes * 100 + u32::from(compound.name.is_some())
        };
        self.0.iter().map(of).sum()
    }
}

/// Compounds of a selector that an element matches with all that come before them: a bit for each. There are at most
/// [`MOST_COMPOUNDS`].
#[derive(Debug, Clone, Copy, Default)]
struct Ends(u8);

impl Ends {
    fn with(self, index: usize) -> Self {
        Self(self.0 | 1 << index)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, index: usize) -> bool {
        self.0 & 1 << index != 0
    }
}

impl Compound {
    /// Whether the compound before this one, which has this index, matches where it must: the parent (`here`), or any element
    /// around.
    fn follows(&self, index: usize, here: Ends, anywhere: Ends) -> bool {
        index == 0 || if self.is_child { here } else { anywhere }.has(index - 1)
    }

    fn is_like(&self, place: &Place) -> bool {
        #[cfg(test)]
        tests::COMPARED.with(|compared| compared.set(compared.get() + 1));
        self.name.as_ref().is_none_or(|name| *name == place.name)
            && self.id.as_ref().is_none_or(|id| place.id.as_ref() == Some(id))
            && self.classes.iter().all(|class| place.classes.contains(class))
    }

    fn is_empty(&self) -> bool {
        self.name.is_none() && self.id.is_none() && self.classes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How often an element was compared with a compound.
        pub(super) static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    fn places(path: &[&str]) -> Vec<Place> {
        let place = |text: &&str| {
            let mut parts = text.split('.');
            let (name, id) =
                parts.next().unwrap().split_once('#').unwrap_or((text.split('.').next().unwrap(), ""));
            Place {
                name: name.to_owned(),
                id: Some(id.to_owned()).filter(|id| !id.is_empty()),
                classes: parts.map(str::to_owned).collect(),
            }
        };
        path.iter().map(place).collect()
    }

    #[test]
    fn selectors_find_elements_by_name_class_id_and_what_is_around_them() {
        for (css, path, found) in [
            ("p", &["body", "p"][..], true),
            ("p", &["body", "div"], false),
            (".a.b", &["p.b.a"], true),
            ("p.a", &["p.b"], false),
            ("#x", &["p#x.a"], true),
            ("div p", &["div", "section", "p"], true),
            ("div > p", &["div", "section", "p"], false),
            ("div>section > p", &["div", "section", "p"], true),
            ("body div > p", &["body", "section", "div", "p"], true),
            ("div section > p", &["div", "section", "div", "p"], false),
            ("div > p b", &["div", "p", "div", "i", "b"], true),
            ("div > p b", &["div", "i", "p", "i", "b"], false),
            ("a > b c > d", &["a", "b", "b", "c", "d"], true),
            ("a > b > c d", &["a", "b", "b", "c", "d"], false),
            ("*", &["b"], true),
            ("p:first-child", &["p"], false),
            ("p + p", &["p"], false),
            ("[title]", &["p"], false),
            ("div p", &["p"], false),
        ] {
            let selector = Selector::parse(css);
            let is_found = selector.is_some_and(|selector| selector.selects(&places(path)));
            assert_eq!(is_found, found, "{css} {path:?}");
        }
        assert!(
            Selector::parse("#a").unwrap().specificity() > Selector::parse(".a.b p").unwrap().specificity()
        );
    }

    // Seen to fail with a search that tries each element around for each compound.
    #[test]
    fn a_deep_document_is_compared_with_each_compound_once() {
        let mut path = vec!["x"; 30];
        path.extend(["p"; 30]);
        let selector = Selector::parse("b > p p p p p p p").unwrap();
        COMPARED.set(0);
        assert!(!selector.selects(&places(&path)));
        assert!(COMPARED.get() <= path.len() * MOST_COMPOUNDS, "{}", COMPARED.get());
    }

    #[test]
    fn a_selector_with_too_many_elements_is_passed_over() {
        assert!(Selector::parse(&"p ".repeat(MOST_COMPOUNDS)).is_some());
        assert!(Selector::parse(&"p ".repeat(MOST_COMPOUNDS + 1)).is_none());
    }
}
