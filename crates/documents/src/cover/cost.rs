//! Estimates the cost of rendering an SVG from its elements. An element used a thousand times costs
//! a thousand times as much, whatever refers to it (`use`, a clip path, a mask, a marker, a
//! gradient, a filter).

use std::collections::HashMap;

use crate::xml::{Element, Event, Events};

/// The size of the largest accepted file.
const MAX_BYTES: usize = 16 << 20;

/// The deepest accepted nesting, counting references: the renderer is recursive.
const MAX_DEPTH: usize = 100;

/// The largest number of elements in the file, each counted once.
const MAX_ELEMENTS: usize = 50_000;

/// The largest total size of the style sheets, each of whose rules is matched against each element.
const MAX_STYLE_BYTES: usize = 20_000;

/// The highest accepted cost. An element costs 1, plus 1 per [`BYTES_PER_COST`] of its attributes.
const MAX_COST: u64 = 50_000;
const BYTES_PER_COST: usize = 20;

/// The cost of an operation over the whole canvas: a mask or a blur. Filters also copy the canvas.
const LAYER_COST: u64 = 50;
const FILTER_COST: u64 = 2_000;

/// The cost of dashes, which can cut a path into any number of pieces.
const DASH_COST: u64 = 2_000;

const PICTURE_COST: u64 = 5_000;

/// Elements whose cost has no bound, and elements that covers do not use.
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

/// Whether an SVG is cheap enough to render.
pub(super) fn is_affordable(source: &str) -> bool {
    if source.len() > MAX_BYTES || has_expanding_entities(source) {
        return false;
    }
    Drawing::read(source).is_some_and(|drawing| drawing.cost().is_some_and(|cost| cost <= MAX_COST))
}

/// Entities expand and hide their content from this estimate. Editors declare a few for namespace
/// names, which are harmless.
fn has_expanding_entities(source: &str) -> bool {
    let mut declared = source.split("<!ENTITY").skip(1).peekable();
    let few = declared.peek().is_none() || source.matches('&').count() <= 1_000;
    let namespace = |entity: &str| {
        let value = entity.find(['"', '\'']).map(|quote| &entity[quote + 1..]).unwrap_or_default();
        let value = value.split(['"', '\'']).next().unwrap_or_default();
        value.starts_with("http") && value.len() < 200 && !value.contains(['&', '<', '%'])
    };
    !few || !declared.all(namespace)
}

#[derive(Debug, Default)]
struct SvgNode {
    cost: u64,
    children: Vec<usize>,
    /// The ids it refers to.
    references: Vec<String>,
}

#[derive(Debug, Default)]
struct Drawing {
    nodes: Vec<SvgNode>,
    ids: HashMap<String, usize>,
    /// Ids that style sheets refer to; they may apply to any element.
    styled: Vec<String>,
    /// The extra cost that style sheets may add to any element.
    styled_cost: u64,
    style_bytes: usize,
}

impl Drawing {
    /// Returns `None` if an element is refused.
    fn read(source: &str) -> Option<Self> {
        let mut drawing = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut style = false;
        for event in Events::lenient(source) {
            match event {
                Event::Open(element) => {
                    style = element.name() == "style";
                    let at = drawing.add(&element)?;
                    if let Some(&parent) = open.last() {
                        drawing.nodes[parent].children.push(at);
                    }
                    open.push(at);
                }
                Event::Close(_) => {
                    style = false;
                    open.pop();
                }
                Event::Text(text) if style => {
                    drawing.style_bytes += text.len();
                    drawing.styled.extend(url_ids(&text));
                    if drawing.style_bytes > MAX_STYLE_BYTES
                        || text.contains("dasharray")
                        || text.contains("filter")
                    {
                        return None;
                    }
                    drawing.styled_cost += layer_cost(&text);
                }
                Event::Text(_) => {}
            }
        }
        Some(drawing)
    }

    fn add(&mut self, element: &Element<'_>) -> Option<usize> {
        let name = element.name();
        if self.nodes.len() >= MAX_ELEMENTS || REFUSED.contains(&name) {
            return None;
        }
        let at = self.nodes.len();
        let mut node = SvgNode { cost: 1, ..SvgNode::default() };
        node.cost += match name {
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
                    Some(id) => node.references.push(id.to_owned()),
                    // A picture adds no path; its size is checked when it is opened.
                    None => continue,
                },
                "opacity" | "mix-blend-mode" | "isolation" => node.cost += LAYER_COST,
                "stroke-dasharray" => node.cost += DASH_COST,
                "style" | "filter" => {
                    node.references.extend(url_ids(&value));
                    node.cost += layer_cost(&value);
                    node.cost += DASH_COST * u64::from(value.contains("dasharray"));
                    // Filter functions, which have no element: `blur(4px)`.
                    node.cost +=
                        FILTER_COST * value.matches('(').count() as u64 * u64::from(attribute == "filter");
                }
                _ => node.references.extend(url_ids(&value)),
            }
            node.cost += (value.len() / BYTES_PER_COST) as u64;
        }
        self.nodes.push(node);
        Some(at)
    }

    /// The cost of the drawing; `None` if it is nested too deeply or refers to itself.
    fn cost(&self) -> Option<u64> {
        let mut costs =
            Costs { drawing: self, known: vec![None; self.nodes.len()], styled: self.styled_cost };
        if self.nodes.is_empty() {
            return None;
        }
        for id in &self.styled {
            if let Some(&at) = self.ids.get(id) {
                let (cost, _) = costs.cost_of(at, 0)?;
                costs.styled = costs.styled.saturating_add(cost);
            }
        }
        // The cost of the ids in style sheets was computed without the style's own cost.
        costs.known.fill(None);
        costs.cost_of(0, 0).map(|(cost, _)| cost)
    }
}

struct Costs<'a> {
    drawing: &'a Drawing,
    /// The cost and height of each node, once known; the inner `None` marks a node in progress.
    #[expect(clippy::option_option, reason = "not looked at, being counted and known are three states")]
    known: Vec<Option<Option<(u64, usize)>>>,
    styled: u64,
}

impl Costs<'_> {
    /// The cost and height of a node with everything it contains and refers to. [`MAX_DEPTH`]
    /// bounds the recursion.
    fn cost_of(&mut self, at: usize, depth: usize) -> Option<(u64, usize)> {
        match self.known[at] {
            // The node contains itself.
            Some(None) => return None,
            Some(Some((cost, height))) => return (depth + height <= MAX_DEPTH).then_some((cost, height)),
            None => {}
        }
        if depth >= MAX_DEPTH {
            return None;
        }
        self.known[at] = Some(None);
        let node = &self.drawing.nodes[at];
        let referred = node.references.iter().filter_map(|id| self.drawing.ids.get(id).copied());
        let (mut cost, mut height) = (node.cost.saturating_add(self.styled), 1);
        for inner in node.children.iter().copied().chain(referred).collect::<Vec<_>>() {
            let (inner_cost, inner_height) = self.cost_of(inner, depth + 1)?;
            cost = cost.saturating_add(inner_cost);
            height = height.max(inner_height + 1);
        }
        self.known[at] = Some(Some((cost, height)));
        Some((cost, height))
    }
}

/// The cost of style declarations that need their own layer.
fn layer_cost(style: &str) -> u64 {
    let layer = |declaration: &str| {
        let property = declaration.split(':').next().unwrap_or_default().trim();
        matches!(property, "opacity" | "mix-blend-mode" | "isolation")
    };
    style.split(['{', ';']).filter(|declaration| layer(declaration)).count() as u64 * LAYER_COST
}

fn url_ids(text: &str) -> impl Iterator<Item = String> {
    text.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim().trim_matches(['"', '\'']).trim();
        inside.strip_prefix('#').map(str::to_owned)
    })
}
