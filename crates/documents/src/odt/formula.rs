//! Reads a formula that is a document of its own in the package.

use crate::{
    mathml::Formula,
    xml::{Element, Event, Events},
};

/// The spoken form of the formula in a part; `None` if it has no formula, as that of a chart.
pub(super) fn spoken(part: &str) -> Option<String> {
    let mut formula: Option<Formula> = None;
    for event in Events::lenient(part) {
        match (event, &mut formula) {
            (Event::Open(element), None) if element.name() == "math" => formula = Some(Formula::new()),
            (Event::Open(element), Some(formula)) => open(formula, &element),
            (Event::Text(text), Some(formula)) => formula.text(&text),
            (Event::Close(_), Some(formula)) => {
                if !formula.close() {
                    break;
                }
            }
            _ => {}
        }
    }
    formula.map(|formula| formula.spoken()).filter(|spoken| !spoken.trim().is_empty())
}

pub(super) fn open(formula: &mut Formula, element: &Element<'_>) {
    let attributes: Vec<(String, String)> = element.attributes().collect();
    let value =
        |name: &str| attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    formula.open(element.name(), value);
}
