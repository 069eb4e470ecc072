//! How much work a page is, counted before it is done: what it shows and what the forms that it draws show, over and
//! over. A file made for it asks for hours with a few kilobytes.

use std::collections::HashMap;

use pdf_oxide::{
    PdfDocument,
    object::{Object, ObjectRef},
};

use super::outline::member;
use crate::{Reason, Unreadable};

/// The library draws forms inside of forms to this depth, and so many of them a page.
const DEPTH: usize = 10;
const FORMS: u64 = 500;

/// Most work of a document, in microseconds.
const MOST: u64 = 10_000_000;

/// Pages of a book that is drawn letter by letter have fewer pieces than this; beyond, they stand on top of each other.
const PIECES_OF_A_PAGE: u64 = 4_000;

/// What one thing shows: how many pieces of text, in how many bytes of operators.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    texts: u64,
    bytes: u64,
}

/// A form: what it shows itself, and the forms that it draws.
#[derive(Debug, Clone, Default)]
struct Form {
    own: Shown,
    draws: Vec<ObjectRef>,
}

/// The work that a document's pages have been so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    spent: u64,
    forms: HashMap<ObjectRef, Form>,
}

impl Work {
    /// Adds a page, whose operators these are.
    ///
    /// # Errors
    /// [`Unreadable`] when it is more than is done for one document.
    pub(super) fn add(
        &mut self,
        pdf: &PdfDocument,
        page: &Object,
        contents: &[u8],
    ) -> Result<(), Unreadable> {
        let resources = member(pdf, page, "Resources").unwrap_or(Object::Null);
        let (own, names) = scan(contents);
        let drawn = drawn(pdf, &resources, &names);
        let mut known = HashMap::new();
        let mut all = Shown::default();
        for form in drawn {
            all = all.plus(self.shown(pdf, form, DEPTH, &mut known));
        }
        let heaviest = known.keys().filter_map(|(form, _)| self.forms.get(form)).map(|form| form.own);
        let heaviest = heaviest.fold(Shown::default(), Shown::larger).times(FORMS);
        let page = own.plus(all.smaller(heaviest));
        self.spent = self.spent.saturating_add(page.microseconds());
        if self.spent > MOST { Err(too_much()) } else { Ok(()) }
    }

    /// What a form and all that it draws show, to a depth.
    fn shown(
        &mut self,
        pdf: &PdfDocument,
        at: ObjectRef,
        depth: usize,
        known: &mut HashMap<(ObjectRef, usize), Shown>,
    ) -> Shown {
        if depth == 0 {
            return Shown::default();
        }
        if let Some(shown) = known.get(&(at, depth)) {
            return *shown;
        }
        let form = self.forms.entry(at).or_insert_with(|| form(pdf, at)).clone();
        let mut shown = form.own;
        for inner in form.draws {
            shown = shown.plus(self.shown(pdf, inner, depth - 1, known));
        }
        known.insert((at, depth), shown);
        shown
    }
}

impl Shown {
    fn plus(self, other: Self) -> Self {
        Self { texts: self.texts.saturating_add(other.texts), bytes: self.bytes.saturating_add(other.bytes) }
    }

    fn times(self, count: u64) -> Self {
        Self { texts: self.texts.saturating_mul(count), bytes: self.bytes.saturating_mul(count) }
    }

    fn larger(self, other: Self) -> Self {
        Self { texts: self.texts.max(other.texts), bytes: self.bytes.max(other.bytes) }
    }

    fn smaller(self, other: Self) -> Self {
        Self { texts: self.texts.min(other.texts), bytes: self.bytes.min(other.bytes) }
    }

    /// Measured, optimized: pieces of text take 7 µs each; those beyond a full page are compared with each other,
    /// 2.2 ns a pair; operators take 36 ns a byte.
    fn microseconds(self) -> u64 {
        let beyond = self.texts.saturating_sub(PIECES_OF_A_PAGE);
        let compared = beyond.saturating_mul(beyond) / 450;
        self.texts.saturating_mul(7).saturating_add(compared).saturating_add(self.bytes / 28)
    }
}

/// A form, which shows nothing where the library would not look into it either.
fn form(pdf: &PdfDocument, at: ObjectRef) -> Form {
    if !pdf.is_form_xobject(at) {
        return Form::default();
    }
    let Ok(object) = pdf.load_object(at) else { return Form::default() };
    let resources = member(pdf, &object, "Resources");
    if resources
        .as_ref()
        .and_then(Object::as_dict)
        .is_some_and(|names| !names.contains_key("Font") && !names.contains_key("XObject"))
    {
        return Form::default();
    }
    let Ok(contents) = object.decode_stream_data() else {
        // Enciphered, perhaps.
        return Form::default();
    };
    let (own, names) = scan(&contents);
    Form { own, draws: drawn(pdf, &resources.unwrap_or(Object::Null), &names) }
}

/// The forms behind names, each as often as it is named.
fn drawn(pdf: &PdfDocument, resources: &Object, names: &[&[u8]]) -> Vec<ObjectRef> {
    let Some(forms) = member(pdf, resources, "XObject") else { return Vec::new() };
    let Some(forms) = forms.as_dict() else { return Vec::new() };
    let name = |name: &&[u8]| forms.get(std::str::from_utf8(name).ok()?)?.as_reference();
    names.iter().filter_map(name).collect()
}

/// What operators show, and the names of what they draw.
fn scan(contents: &[u8]) -> (Shown, Vec<&[u8]>) {
    let is_end = |byte: &u8| b" \t\r\n\0\x0C()<>[]{}/%".contains(byte);
    let mut shown = Shown { texts: 0, bytes: contents.len() as u64 };
    let (mut names, mut before, mut pieces): (Vec<&[u8]>, &[u8], u64) = (Vec::new(), &[], 0);
    for word in contents.split(|byte| b" \t\r\n\0\x0C".contains(byte)).filter(|word| !word.is_empty()) {
        let word_end = word.iter().rposition(is_end).map_or(word, |at| &word[at + 1..]);
        match word_end {
            b"Tj" | b"TJ" | b"'" | b"\"" => shown.texts += 1,
            b"Do" => {
                names.extend(before.iter().rposition(|&byte| byte == b'/').map(|at| &before[at + 1..]));
            }
            _ => {}
        }
        pieces += word.iter().filter(|&&byte| byte == b'(' || byte == b'<').count() as u64;
        before = word;
    }
    // Of a list of pieces with gaps between them each may become one of its own.
    shown.texts = shown.texts.max(pieces / PIECES);
    (shown, names)
}

/// Pieces of a list that are as much work as one by itself.
const PIECES: u64 = 4;

fn too_much() -> Unreadable {
    Unreadable::new(
        Reason::TooLarge,
        "The PDF's pages have too many drawing instructions to be read in time. Print it to a new PDF, or upload it in \
         parts.",
    )
}

#[cfg(test)]
mod tests {
    use super::{MOST, scan};

    /// Not seen to fail yet: weighed as 30 µs a piece and more on each page, the book was too much from its 69th page on.
    #[test]
    fn a_book_drawn_letter_by_letter_is_read_and_a_flood_of_letters_is_not() {
        let page = "1 0 0 1 50.00 700.00 Tm (a) Tj\n".repeat(2_000);
        assert!(scan(page.as_bytes()).0.microseconds() * 400 < MOST);
        let flood = "(a) Tj 1 0 Td\n".repeat(100_000);
        assert!(scan(flood.as_bytes()).0.microseconds() > MOST);
    }
}
