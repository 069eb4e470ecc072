//! What drawing an SVG would cost, counted from its elements before it is drawn: an element that is used a thousand
//! times costs a thousand times, whatever refers to it (`use`, a clip path, a mask, a marker, a gradient, a filter).

use std::collections::HashMap;

use crate::xml::{Element, Event, Events};

/// Larger files are left out, bytes.
const BYTES: usize = 16 << 20;

/// Levels of nesting, those of what is referred to included: drawing follows them by recursion.
const DEPTH: usize = 100;

/// Elements of a file, before any is used twice.
const ELEMENTS: usize = 50_000;

/// Bytes of style sheets: each rule is tried at each element.
const STYLE_BYTES: usize = 20_000;

/// What all elements may cost together. One costs 1, and 1 more for each [`PATH_BYTES`] of its attributes.
const COST: u64 = 50_000;
const PATH_BYTES: usize = 20;

/// What goes over the whole canvas: a mask, a blur. The second sort makes copies of it.
const LAYER_COST: u64 = 50;
const FILTER_COST: u64 = 2_000;

/// Dashes cut a path into pieces without number.
const DASH_COST: u64 = 2_000;

/// A picture is decoded each time it is drawn.
const PICTURE_COST: u64 = 5_000;

/// Elements without a bound on what they cost, and ones that no cover has.
const REFUSED: &[&str] = &[
    "pattern",
    "feTurbulence",
    "feMorphology",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feSpecularLighting",
    "feDisplacementMap",
    "feImage",
    "feTile",
    "foreignObject",
];

/// Whether an SVG can be drawn at the cost of a cover.
pub(super) fn is_affordable(source: &str) -> bool {
    if source.len() > BYTES || hides_in_entities(source) {
        return false;
    }
    Drawing::read(source).is_some_and(|drawing| drawing.cost().is_some_and(|cost| cost <= COST))
}

/// Entities unfold, and hide what they hold from whoever counts. Editors declare some for the names of namespaces: a
/// few of those are no harm.
fn hides_in_entities(source: &str) -> bool {
    let mut declared = source.split("<!ENTITY").skip(1).peekable();
    let few = declared.peek().is_none() || source.matches('&').count() <= 1_000;
    let namespace = |entity: &str| {
        let value = entity.find(['"', '\'']).map(|quote| &entity[quote + 1..]).unwrap_or_default();
        let value = value.split(['"', '\'']).next().unwrap_or_default();
        value.starts_with("http") && value.len() < 200 && !value.contains(['&', '<', '%'])
    };
    !few || !declared.all(namespace)
}

/// An element of a drawing.
#[derive(Debug, Default)]
struct Part {
    cost: u64,
    children: Vec<usize>,
    /// The ids that it refers to.
    references: Vec<String>,
}

#[derive(Debug, Default)]
struct Drawing {
    parts: Vec<Part>,
    ids: HashMap<String, usize>,
    /// What the style sheets refer to: any element may.
    styled: Vec<String>,
    /// What they may make any element cost besides.
    styled_cost: u64,
    style_bytes: usize,
}

impl Drawing {
    /// `None` when something in it is refused.
    fn read(source: &str) -> Option<Self> {
        let mut drawing = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut style = false;
        for event in Events::of(source) {
            match event {
                Event::Open(element) => {
                    style = element.name() == "style";
                    let at = drawing.add(&element)?;
                    if let Some(&around) = open.last() {
                        drawing.parts[around].children.push(at);
                    }
                    open.push(at);
                }
                Event::Close(_) => {
                    style = false;
                    open.pop();
                }
                Event::Text(text) if style => {
                    drawing.style_bytes += text.len();
                    drawing.styled.extend(urls(&text));
                    if drawing.style_bytes > STYLE_BYTES
                        || text.contains("dasharray")
                        || text.contains("filter")
                    {
                        return None;
                    }
                    drawing.styled_cost += layers(&text);
                }
                Event::Text(_) => {}
            }
        }
        Some(drawing)
    }

    fn add(&mut self, element: &Element<'_>) -> Option<usize> {
        let name = element.name();
        if self.parts.len() >= ELEMENTS || REFUSED.contains(&name) {
            return None;
        }
        let at = self.parts.len();
        let mut part = Part { cost: 1, ..Part::default() };
        part.cost += match name {
            "mask" | "clipPath" => LAYER_COST,
            "image" => PICTURE_COST,
            _ if name.starts_with("fe") => FILTER_COST,
            _ => 0,
        };
        for (attribute, value) in element.attributes() {
            match attribute.as_str() {
                "id" => {
                    self.ids.entry(value).or_insert(at);
                    continue;
                }
                "href" => match value.strip_prefix('#') {
                    Some(id) => part.references.push(id.to_owned()),
                    // Pictures are no work for the path; their own size is looked at when they are opened.
                    None => continue,
                },
                "opacity" | "mix-blend-mode" | "isolation" => part.cost += LAYER_COST,
                "stroke-dasharray" => part.cost += DASH_COST,
                "style" | "filter" => {
                    part.references.extend(urls(&value));
                    part.cost += layers(&value);
                    part.cost += DASH_COST * u64::from(value.contains("dasharray"));
                    // Filters that have no element of their own: `blur(4px)`.
                    part.cost +=
                        FILTER_COST * value.matches('(').count() as u64 * u64::from(attribute == "filter");
                }
                _ => part.references.extend(urls(&value)),
            }
            part.cost += (value.len() / PATH_BYTES) as u64;
        }
        self.parts.push(part);
        Some(at)
    }

    /// What the drawing costs; `None` when it is too deep or refers to itself.
    fn cost(&self) -> Option<u64> {
        let mut costs =
            Costs { drawing: self, known: vec![None; self.parts.len()], styled: self.styled_cost };
        if self.parts.is_empty() {
            return None;
        }
        for id in &self.styled {
            if let Some(&at) = self.ids.get(id) {
                let (cost, _) = costs.of(at, 0)?;
                costs.styled = costs.styled.saturating_add(cost);
            }
        }
        // What is the style's was counted without the style.
        costs.known.fill(None);
        costs.of(0, 0).map(|(cost, _)| cost)
    }
}

struct Costs<'a> {
    drawing: &'a Drawing,
    /// The cost and the height of each part, once known; none while it is being counted.
    #[expect(clippy::option_option, reason = "not looked at, being counted and known are three states")]
    known: Vec<Option<Option<(u64, usize)>>>,
    styled: u64,
}

impl Costs<'_> {
    /// The cost and the height of a part with all that it holds and refers to. Recursion is bounded by [`DEPTH`].
    fn of(&mut self, at: usize, depth: usize) -> Option<(u64, usize)> {
        match self.known[at] {
            // A part inside itself.
            Some(None) => return None,
            Some(Some((cost, height))) => return (depth + height <= DEPTH).then_some((cost, height)),
            None => {}
        }
        if depth >= DEPTH {
            return None;
        }
        self.known[at] = Some(None);
        let part = &self.drawing.parts[at];
        let referred = part.references.iter().filter_map(|id| self.drawing.ids.get(id).copied());
        let (mut cost, mut height) = (part.cost.saturating_add(self.styled), 1);
        for inner in part.children.iter().copied().chain(referred).collect::<Vec<_>>() {
            let (inner_cost, inner_height) = self.of(inner, depth + 1)?;
            cost = cost.saturating_add(inner_cost);
            height = height.max(inner_height + 1);
        }
        self.known[at] = Some(Some((cost, height)));
        Some((cost, height))
    }
}

/// What declarations of a style cost that are drawn on a layer of their own.
fn layers(style: &str) -> u64 {
    let layer = |declaration: &str| {
        let property = declaration.split(':').next().unwrap_or_default().trim();
        matches!(property, "opacity" | "mix-blend-mode" | "isolation")
    };
    style.split(['{', ';']).filter(|declaration| layer(declaration)).count() as u64 * LAYER_COST
}

/// The ids in `url(#id)`.
fn urls(text: &str) -> impl Iterator<Item = String> {
    text.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim().trim_matches(['"', '\'']).trim();
        inside.strip_prefix('#').map(str::to_owned)
    })
}
