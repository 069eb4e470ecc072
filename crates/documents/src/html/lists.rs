//! The numbers of ordered lists: `start`, `reversed`, `type`, and `value` of an item.

use std::collections::HashMap;

use super::{
    Syntax,
    elements::Meaning,
    tokens::{self, Element, Listener},
};
use crate::lists::Counting;

/// An ordered list that is open.
#[derive(Debug)]
pub(super) struct Numbers {
    next: i64,
    step: i64,
    /// `None` when its author says that it shows no numbers.
    counting: Option<Counting>,
}

impl Numbers {
    /// A list that begins; `items` is how many it has, when its numbers go down.
    pub(super) fn of(element: &Element<'_>, items: Option<u32>) -> Self {
        let reversed = element.attribute("reversed").is_some();
        let first = if reversed { items.map_or(1, i64::from) } else { 1 };
        let counting = element.attribute("type").and_then(by_type).unwrap_or(Counting::Decimal);
        let style = element.attribute("style").and_then(by_style);
        Self {
            next: number(element, "start").unwrap_or(first),
            step: if reversed { -1 } else { 1 },
            counting: style.unwrap_or(Some(counting)),
        }
    }

    /// What the next item is called: "3.".
    pub(super) fn label(&mut self, item: &Element<'_>) -> Option<String> {
        let own = number(item, "value").unwrap_or(self.next);
        self.next = own.saturating_add(self.step);
        let counting = item.attribute("type").and_then(by_type).or(self.counting)?;
        Some(format!("{}.", counting.written(own)))
    }
}

fn number(element: &Element<'_>, name: &str) -> Option<i64> {
    element.attribute(name)?.trim().parse::<i32>().ok().map(i64::from)
}

fn by_type(kind: &str) -> Option<Counting> {
    Some(match kind.trim() {
        "1" => Counting::Decimal,
        "a" => Counting::LowerLetters,
        "A" => Counting::UpperLetters,
        "i" => Counting::LowerRoman,
        "I" => Counting::UpperRoman,
        _ => return None,
    })
}

/// What a style says of the numbers; `Some(None)` that there are none.
#[expect(clippy::option_option, reason = "a style may say nothing, or that there are no numbers")]
fn by_style(style: &str) -> Option<Option<Counting>> {
    let style = style.get(..style.len().min(2_000))?.to_ascii_lowercase();
    let value = style.split(';').find_map(|rule| {
        let (property, value) = rule.split_once(':')?;
        matches!(property.trim(), "list-style-type" | "list-style").then_some(value.trim())
    })?;
    let has = |name: &str| value.split_whitespace().any(|word| word == name);
    Some(match () {
        () if has("none") || has("disc") || has("circle") || has("square") => None,
        () if has("lower-alpha") || has("lower-latin") => Some(Counting::LowerLetters),
        () if has("upper-alpha") || has("upper-latin") => Some(Counting::UpperLetters),
        () if has("lower-roman") => Some(Counting::LowerRoman),
        () if has("upper-roman") => Some(Counting::UpperRoman),
        () if has("decimal") => Some(Counting::Decimal),
        () => return None,
    })
}

/// How many items the lists have whose numbers go down: what the first is called is known at their end only.
pub(super) fn counted(source: &str, syntax: Syntax) -> HashMap<u32, u32> {
    if !source.as_bytes().windows(8).any(|window| window.eq_ignore_ascii_case(b"reversed")) {
        return HashMap::new();
    }
    tokens::read(source, syntax, Items::default()).counted
}

#[derive(Debug, Default)]
struct Items {
    /// The elements that are open, and for each that is a list its ordinal and its items.
    open: Vec<Option<(u32, u32)>>,
    lists: Vec<usize>,
    counted: HashMap<u32, u32>,
}

impl Listener for Items {
    fn open(&mut self, element: &Element<'_>) {
        if &*element.tag.name == "li"
            && let Some(Some((_, items))) = self.lists.last().map(|&at| &mut self.open[at])
        {
            *items += 1;
        }
        if element.void {
            return;
        }
        let list = element.meaning == Meaning::List;
        if list {
            self.lists.push(self.open.len());
        }
        self.open.push(list.then_some((element.ordinal, 0)));
    }

    fn close(&mut self, _: Meaning) {
        if let Some(Some((ordinal, items))) = self.open.pop() {
            self.lists.pop();
            self.counted.insert(ordinal, items);
        }
    }

    fn text(&mut self, _: &str) {}
}
