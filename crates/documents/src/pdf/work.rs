//! How much work a page is, counted before it is done: what it shows and what the forms that it draws show, over and
//! over. A file made for it asks for hours with a few kilobytes.
//!
//! Operators are told apart as the library tells them apart, by the end of a run of letters and not by white space.
//! Where the library may take another way through a page than this does, as in large pages, of which it reads parts
//! only, the count errs on the high side.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use pdf_oxide::{
    PdfDocument, lexer,
    object::{Object, ObjectRef},
};

use super::{outline::member, streams};
use crate::{Reason, Unreadable};

/// The library draws forms within forms to this depth, and at most this number of them on a page.
const DEPTH: usize = 10;
const FORMS: u64 = 500;

/// Most work of a document, in microseconds.
const MOST: u64 = 10_000_000;

/// Pages of a book that is drawn letter by letter have fewer pieces than this; beyond, they stand on top of each other.
const PIECES_OF_A_PAGE: u64 = 4_000;

/// Pieces of a list that are as much work as one by itself.
const PIECES: u64 = 4;

/// Of contents of more bytes than this the library reads only what shows text, found without regard for strings.
const IN_PARTS: usize = 256 << 10;

/// What one thing shows: how many pieces of text, in how many bytes of operators, and how many bytes are passed over in
/// search of an end.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    texts: u64,
    bytes: u64,
    searched: u64,
}

/// What is drawn under which name.
type Names = HashMap<String, ObjectRef>;

/// Names of which one is drawn, and how often that happens.
type Draws = HashMap<BTreeSet<String>, u64>;

/// A form: what it shows itself, what it draws, and what of that it has names for. Without names of its own it uses
/// those of what draws it.
#[derive(Debug, Default)]
struct Form {
    own: Shown,
    draws: Draws,
    names: Option<Rc<Names>>,
}

/// Where the names come from that are in use: the page, or a form.
type Context = (Option<ObjectRef>, Rc<Names>);

/// What the forms of one page show: each to a depth, with names.
type Known = HashMap<(ObjectRef, usize, Option<ObjectRef>), Shown>;

/// The work that a document's pages have been so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    spent: u64,
    /// Draws that were counted so far, for counting is work, too.
    counted: u64,
    forms: HashMap<ObjectRef, Rc<Form>>,
}

impl Work {
    /// Adds what it takes to find a page's operators: its objects are copied several times, and each part of its
    /// operators is looked up.
    ///
    /// # Errors
    /// [`Unreadable`] when it is more than is done for one document.
    pub(super) fn add_objects(&mut self, pdf: &PdfDocument, page: &Object) -> Result<(), Unreadable> {
        let resources = member(pdf, page, "Resources").unwrap_or(Object::Null);
        let parts = member(pdf, page, "Contents");
        let parts = parts.as_ref().and_then(Object::as_array).map_or(0, Vec::len) as u64;
        let copied = size(page) + size(&resources);
        self.spend(copied / 2 + parts * 2)
    }

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
        let (own, draws) = scan(contents);
        let context = (None, Rc::new(names(pdf, &resources)));
        let mut known = Known::new();
        let all = self.drawn(pdf, &draws, DEPTH, &context, &mut known);
        let heaviest = known.keys().filter_map(|(form, ..)| self.forms.get(form)).map(|form| form.own);
        let heaviest = heaviest.fold(Shown::default(), Shown::larger).times(FORMS);
        let page = own.plus(all.smaller(heaviest));
        let counted = std::mem::take(&mut self.counted);
        self.spend(page.microseconds().saturating_add(counted / 5))
    }

    fn spend(&mut self, microseconds: u64) -> Result<(), Unreadable> {
        self.spent = self.spent.saturating_add(microseconds);
        if self.spent > MOST { Err(too_much()) } else { Ok(()) }
    }

    /// What all forms show that are drawn under these names, to a depth.
    fn drawn(
        &mut self,
        pdf: &PdfDocument,
        draws: &Draws,
        depth: usize,
        context: &Context,
        known: &mut Known,
    ) -> Shown {
        let mut all = Shown::default();
        for (names, count) in draws {
            let mut one = Shown::default();
            for name in names {
                self.counted += 1;
                if let Some(&form) = context.1.get(name) {
                    one = one.larger(self.shown(pdf, form, depth, context, known));
                }
            }
            all = all.plus(one.times(*count));
        }
        all
    }

    /// What a form and all that it draws show, to a depth.
    fn shown(
        &mut self,
        pdf: &PdfDocument,
        at: ObjectRef,
        depth: usize,
        context: &Context,
        known: &mut Known,
    ) -> Shown {
        // Counting ends where it alone is too much.
        if depth == 0 || self.counted / 5 > MOST {
            return Shown::default();
        }
        let form = Rc::clone(self.forms.entry(at).or_insert_with(|| Rc::new(form(pdf, at))));
        let own = form.names.as_ref().map(|names| (Some(at), Rc::clone(names)));
        let context = own.as_ref().unwrap_or(context);
        if let Some(shown) = known.get(&(at, depth, context.0)) {
            return *shown;
        }
        let shown = form.own.plus(self.drawn(pdf, &form.draws, depth - 1, context, known));
        known.insert((at, depth, context.0), shown);
        shown
    }
}

impl Shown {
    fn plus(self, other: Self) -> Self {
        self.with(other, u64::saturating_add)
    }

    fn times(self, count: u64) -> Self {
        self.with(Self { texts: count, bytes: count, searched: count }, u64::saturating_mul)
    }

    fn larger(self, other: Self) -> Self {
        self.with(other, u64::max)
    }

    fn smaller(self, other: Self) -> Self {
        self.with(other, u64::min)
    }

    fn with(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            texts: combine(self.texts, other.texts),
            bytes: combine(self.bytes, other.bytes),
            searched: combine(self.searched, other.searched),
        }
    }

    /// Measured, optimized: pieces of text take 7 µs each; those beyond a full page are compared with each other,
    /// 2.2 ns a pair; operators take 36 ns a byte; what is searched or unpacked takes 5 ns a byte.
    fn microseconds(self) -> u64 {
        let beyond = self.texts.saturating_sub(PIECES_OF_A_PAGE);
        let compared = beyond.saturating_mul(beyond) / 450;
        let work = self.texts.saturating_mul(7).saturating_add(compared);
        work.saturating_add(self.bytes / 28).saturating_add(self.searched / 200)
    }
}

/// A form, which shows nothing where the library would not look into it either.
fn form(pdf: &PdfDocument, at: ObjectRef) -> Form {
    if !pdf.is_form_xobject(at) {
        return Form::default();
    }
    let Ok(object) = pdf.load_object(at) else { return Form::default() };
    let resources = member(pdf, &object, "Resources");
    let held = resources.as_ref().and_then(Object::as_dict);
    if held.is_some_and(|held| !held.contains_key("Font") && !held.contains_key("XObject")) {
        return Form::default();
    }
    // Each time that it is drawn, its objects are copied and its fonts are looked up, 1 µs each.
    let fonts = resources.as_ref().and_then(|held| member(pdf, held, "Font"));
    let fonts = fonts.as_ref().and_then(Object::as_dict).map_or(0, HashMap::len) as u64;
    let copied = (size(&object) + resources.as_ref().map_or(0, size)) * 7;
    let Ok(contents) = object.decode_stream_data() else {
        // Enciphered, perhaps. What is broken is tried again each time.
        let own = Shown { bytes: copied, searched: streams::attempted(&object), ..Shown::default() };
        return Form { own, ..Form::default() };
    };
    if !may_show_text(&contents) {
        // The library remembers that.
        return Form::default();
    }
    let (mut own, draws) = scan(&contents);
    own.bytes += fonts * 28 + copied;
    Form { own, draws, names: resources.map(|resources| Rc::new(names(pdf, &resources))) }
}

/// The forms and pictures that resources have names for.
fn names(pdf: &PdfDocument, resources: &Object) -> Names {
    let drawn = member(pdf, resources, "XObject");
    let drawn = drawn.as_ref().and_then(Object::as_dict).into_iter().flatten();
    drawn.filter_map(|(name, at)| Some((name.clone(), at.as_reference()?))).collect()
}

/// How many parts an object has, references not followed.
fn size(object: &Object) -> u64 {
    let (mut size, mut waiting) = (0, vec![object]);
    while let Some(object) = waiting.pop() {
        size += 1;
        match object {
            Object::Array(parts) => waiting.extend(parts),
            Object::Dictionary(parts) | Object::Stream { dict: parts, .. } => waiting.extend(parts.values()),
            _ => {}
        }
    }
    size
}

/// Whether operators begin text or draw something.
fn may_show_text(contents: &[u8]) -> bool {
    contents.windows(2).any(|pair| pair == b"BT" || pair == b"Do")
}

/// What operators show, and what they draw.
fn scan(contents: &[u8]) -> (Shown, Draws) {
    let in_parts = contents.len() > IN_PARTS;
    let mut shown = Shown { bytes: contents.len() as u64, ..Shown::default() };
    let (mut draws, mut names, mut pieces) = (Draws::new(), BTreeSet::new(), 0);
    // Where the string, and the list or dictionary, ends that was found last.
    let (mut string, mut list) = (0, 0);
    // The texts that are open, and where they began, together.
    let (mut open, mut begun) = (0_u64, 0_u64);
    let mut at = 0;
    while let Some(&byte) = contents.get(at) {
        let is_shown = at >= string || in_parts;
        // An end that is not there is looked for again from the next byte on.
        let mut close = |end: &mut usize, found: Option<usize>| match found {
            Some(found) => *end = found,
            None => shown.searched += (contents.len() - at) as u64,
        };
        match byte {
            b'(' => {
                pieces += u64::from(is_shown);
                if at >= string {
                    close(&mut string, end_of_string(contents, at));
                }
            }
            b'<' if contents.get(at + 1) == Some(&b'<') => {
                if at >= string && at >= list {
                    close(&mut list, end_of_list(contents, at, *b"<>", 2));
                }
                at += 1;
            }
            b'<' => {
                pieces += u64::from(is_shown);
                if at >= string && at >= list {
                    close(
                        &mut list,
                        contents[at..].iter().position(|&byte| byte == b'>').map(|end| at + end),
                    );
                }
            }
            b'[' if at >= string && at >= list => {
                close(&mut list, end_of_list(contents, at, *b"[]", 1));
            }
            b'/' => {
                let name = run(&contents[at + 1..], |byte| !b"/<>[](){}% \t\r\n\0\x0C".contains(&byte));
                at += name.len();
                if let Ok(name) = std::str::from_utf8(name) {
                    names.insert(lexer::decode_name_escapes(name));
                    names.insert(name.to_owned());
                }
            }
            _ if is_of_operator(byte) => {
                let word = run(&contents[at..], is_of_operator);
                at += word.len() - 1;
                let digits = run(word, |byte| byte.is_ascii_digit()).len();
                match &word[digits..] {
                    b"Do" => {
                        // Without a name before it, or with one that is no text, it draws what is called nothing.
                        names.insert(String::new());
                        *draws.entry(std::mem::take(&mut names)).or_default() += 1;
                    }
                    b"Tj" | b"TJ" | b"'" | b"\"" if is_shown => shown.texts += 1,
                    b"BT" => (open, begun) = (open + 1, begun + at as u64),
                    b"ET" if in_parts => {
                        shown.searched += (open * at as u64).saturating_sub(begun);
                        (open, begun) = (0, 0);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if shown.searched / 200 > MOST {
            break;
        }
        at += 1;
    }
    if in_parts {
        shown.searched += (open * contents.len() as u64).saturating_sub(begun);
    }
    // Of a list of pieces with gaps between them each may become one of its own.
    shown.texts = shown.texts.max(pieces / PIECES);
    (shown, draws)
}

/// Whether operators have such bytes in their names.
fn is_of_operator(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'"' | b'*')
}

fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> &[u8] {
    &bytes[..bytes.iter().position(|&byte| !is(byte)).unwrap_or(bytes.len())]
}

/// Where a string ends that begins at a place.
fn end_of_string(contents: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut level) = (start, 0_usize);
    loop {
        match contents.get(at)? {
            b'\\' => at += 1,
            b'(' => level += 1,
            b')' if level == 1 => return Some(at),
            b')' => level -= 1,
            _ => {}
        }
        at += 1;
    }
}

/// Where a list or a dictionary ends that begins at a place, with so many of each sign.
fn end_of_list(contents: &[u8], start: usize, [open, close]: [u8; 2], signs: usize) -> Option<usize> {
    let is = |at: usize, sign: u8| contents[at..].starts_with(&[sign; 2][..signs]);
    let (mut at, mut level) = (start, 0_usize);
    loop {
        match contents.get(at)? {
            b'(' => at = end_of_string(contents, at)?,
            _ if is(at, open) => (at, level) = (at + signs - 1, level + 1),
            _ if is(at, close) && level == 1 => return Some(at),
            _ if is(at, close) => (at, level) = (at + signs - 1, level - 1),
            _ => {}
        }
        at += 1;
    }
}

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

    #[test]
    fn what_is_searched_for_in_vain_is_counted() {
        let searched = |operators: &str, times| scan(operators.repeat(times).as_bytes()).0.searched;
        for open in ["(", "[", "<<", "<", "[(a)", "<< /A [1]"] {
            assert!(searched(&format!("{open} n "), 1_000) > 1_000_000, "{open}");
        }
        for closed in ["(\\))", "[(])]", "<< /A <</B (>>)>> >>", "<a>"] {
            assert_eq!(searched(&format!("{closed} n "), 1_000), 0, "{closed}");
        }
        // Only in large contents texts are looked for before they are read.
        assert!(searched("BT ", 100_000) > 10_000_000_000 && searched("BT ", 1_000) == 0);
        assert!(searched("BT ET ", 100_000) < 1_000_000);
    }

    /// Negative control: with 30 µs a piece of text in place of 7, the book was too much.
    #[test]
    fn a_book_drawn_letter_by_letter_is_read_and_a_flood_of_letters_is_not() {
        let page = "1 0 0 1 50.00 700.00 Tm (a) Tj\n".repeat(2_000);
        assert!(scan(page.as_bytes()).0.microseconds() * 400 < MOST);
        let flood = "(a) Tj 1 0 Td\n".repeat(100_000);
        assert!(scan(flood.as_bytes()).0.microseconds() > MOST);
    }
}
