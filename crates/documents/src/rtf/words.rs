//! The meaning of control words for reading.

/// What the text of a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// Text of the document or of a note.
    Text,
    /// The number or bullet of an item.
    Label,
    Fonts,
    Styles,
    /// Properties of the document, none of which is read here.
    Properties,
    Title,
    Author,
    /// A drawing, in which only the texts of boxes are read.
    Drawing,
    /// Two forms of a text: one in the code page, and then one in Unicode, which is read.
    Alternatives,
    Skipped,
}

/// The destination that a control word starts, apart from notes and text boxes.
pub(super) fn destination(name: &str) -> Option<Destination> {
    Some(match name {
        "fonttbl" => Destination::Fonts,
        "stylesheet" => Destination::Styles,
        "info" => Destination::Properties,
        "listtext" | "pntext" => Destination::Label,
        "shp" | "shpgrp" | "do" => Destination::Drawing,
        "upr" => Destination::Alternatives,
        // Pictures, objects, instructions of fields, entries of indexes, running heads, lines
        // between text and notes, and comments.
        "pict" | "nonshppict" | "objdata" | "fldinst" | "xe" | "tc" | "tcn" | "rxe" | "header"
        | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr" | "footerf" | "ftnsep"
        | "ftnsepc" | "ftncn" | "aftnsep" | "aftnsepc" | "aftncn" | "annotation" | "atnid" | "atnauthor"
        | "colortbl" | "filetbl" | "revtbl" | "listtable" | "listoverridetable" | "nonesttables"
        | "mmath" | "txe" | "private" | "template" => Destination::Skipped,
        _ => return None,
    })
}

/// Destinations that are read although they are marked to be skipped by readers that do not know
/// them.
pub(super) fn is_known(name: &str) -> bool {
    matches!(
        name,
        "footnote"
            | "ud"
            | "shpinst"
            | "shptxt"
            | "shppict"
            | "fldrslt"
            | "pntext"
            | "listtext"
            | "do"
            | "dptxbxtext"
    ) || destination(name).is_some_and(|found| found != Destination::Skipped)
}

/// The character or space of a control word.
pub(super) fn character(name: &str) -> Option<&'static str> {
    Some(match name {
        "emdash" => "—",
        "endash" => "–",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "bullet" => "•",
        "zwj" => "\u{200D}",
        "zwnj" => "\u{200C}",
        // A page and a column may end inside a paragraph.
        "tab" | "emspace" | "enspace" | "qmspace" | "page" | "column" | "softline" => " ",
        "line" | "lbr" => "\n",
        _ => return None,
    })
}

/// The character of a control symbol; an empty text for those that are no character.
pub(super) fn symbol(symbol: u8) -> &'static str {
    match symbol {
        b'~' => "\u{A0}",
        b'_' => "-",
        b'\t' => " ",
        _ => "",
    }
}
