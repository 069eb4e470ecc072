//! The elements of a formula, independent of their markup.

use unicode_normalization::UnicodeNormalization as _;

/// The largest depth of a formula's tree, which is walked by recursion. Deeper elements join the
/// deepest level.
pub(super) const MAX_DEPTH: usize = 64;

#[derive(Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// Set for tokens only.
    pub text: String,
    /// Indexes of its children, in order.
    pub children: Vec<usize>,
}

/// The kind of an element. The comments name its children in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Elements in sequence.
    Row,
    Identifier,
    Number,
    Operator,
    Text,
    /// A line break.
    NewLine,
    /// Numerator, denominator. Without a bar it may be a binomial.
    Fraction {
        bar: bool,
    },
    /// All children are under the root.
    SquareRoot,
    /// Radicand, index.
    Root,
    /// Base, subscript.
    Sub,
    /// Base, superscript.
    Sup,
    /// Base, subscript, superscript.
    SubSup,
    /// Base, underscript.
    Under,
    /// Base, overscript.
    Over,
    /// Base, underscript, overscript.
    UnderOver,
    /// Base, pairs of scripts and, after [`Kind::Prescripts`], pairs before the base.
    Multiscripts,
    Prescripts,
    /// An empty position.
    Nothing,
    Table,
    TableRow,
    Cell,
    Fenced {
        open: String,
        close: String,
        separators: String,
    },
    Enclosed {
        notation: String,
    },
    /// Only the first child is spoken.
    First,
    /// Rows of column arithmetic.
    Stack,
    /// Divisor, result, dividend, steps.
    LongDivision,
    /// A line of a stack.
    Line,
    /// Never spoken.
    Hidden,
}

impl Kind {
    /// The kind of an element of this local name; `None` if it has no meaning.
    pub(super) fn of<'a>(name: &str, attribute: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let text = |name, default: &str| attribute(name).unwrap_or(default).chars().take(64).collect();
        Some(match name {
            "mi" | "ci" | "csymbol" => Self::Identifier,
            "mn" | "cn" => Self::Number,
            "mo" => Self::Operator,
            "mtext" | "ms" => Self::Text,
            "mspace" if attribute("linebreak") == Some("newline") => Self::NewLine,
            "mrow" | "mstyle" | "mpadded" | "merror" | "msrow" => Self::Row,
            "mfrac" => Self::Fraction { bar: !attribute("linethickness").is_some_and(is_zero) },
            "msqrt" => Self::SquareRoot,
            "mroot" => Self::Root,
            "msub" => Self::Sub,
            "msup" => Self::Sup,
            "msubsup" => Self::SubSup,
            "munder" => Self::Under,
            "mover" => Self::Over,
            "munderover" => Self::UnderOver,
            "mmultiscripts" => Self::Multiscripts,
            "mprescripts" => Self::Prescripts,
            "none" => Self::Nothing,
            "mtable" => Self::Table,
            "mtr" | "mlabeledtr" => Self::TableRow,
            "mtd" => Self::Cell,
            "mfenced" => Self::Fenced {
                open: text("open", "("),
                close: text("close", ")"),
                separators: text("separators", ","),
            },
            "menclose" => Self::Enclosed { notation: text("notation", "longdiv") },
            "semantics" | "maction" => Self::First,
            "mstack" => Self::Stack,
            "mlongdiv" => Self::LongDivision,
            "msline" => Self::Line,
            "annotation" | "annotation-xml" | "mphantom" | "mglyph" | "maligngroup" | "malignmark"
            | "mscarries" | "script" | "style" => Self::Hidden,
            _ => return None,
        })
    }

    /// Whether it has text and no children.
    pub(super) fn is_token(&self) -> bool {
        matches!(self, Self::Identifier | Self::Number | Self::Operator | Self::Text)
    }
}

fn is_zero(length: &str) -> bool {
    let number = length.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    number.parse() == Ok(0.0)
}

impl Node {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, text: String::new(), children: Vec::new() }
    }

    /// Normalizes the text of a token: trimmed, and letters of mathematical alphabets (italic,
    /// bold, script) as ordinary ones, unless that alphabet has a meaning.
    pub(super) fn tidy(&mut self) {
        let mut tidy = String::with_capacity(self.text.len());
        for c in self.text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
            match c {
                '\u{FE00}'..='\u{FE0F}' | '\u{200B}' => {}
                '\u{1D400}'..='\u{1D7FF}' => tidy.extend(c.nfkc()),
                _ => tidy.push(c),
            }
        }
        self.text = tidy;
    }
}
