//! Estimates the work of a page before it is read: the page's own drawing, and the contents of the
//! forms that it draws, which may be nested and repeated. A hostile file of a few kilobytes can
//! demand hours.
//!
//! Operators are split as the library splits them, at the end of a run of letters and not at white
//! space. Where the library may read a page differently, as in large pages, of which it reads only
//! parts, the estimate errs on the high side.

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

/// The library's limits on the depth of nested forms and on the number of forms on a page.
const MAX_DEPTH: usize = 10;
const MAX_FORMS: u64 = 500;

/// The limit on a document's work in microseconds.
const MAX_MICROSECONDS: u64 = 10_000_000;

/// A real page has fewer text pieces, even one that is drawn letter by letter; beyond that, pieces
/// overlap.
const MAX_PAGE_PIECES: u64 = 4_000;

/// How many pieces of an array cost as much as one piece on its own.
const PIECES_PER_UNIT: u64 = 4;

/// From larger contents the library reads only text objects, which it finds without regard for
/// strings.
const PARTIAL_READ_BYTES: usize = 256 << 10;

/// The work to draw something: pieces of text, bytes of operators, and bytes scanned for an end
/// marker.
#[derive(Debug, Clone, Copy, Default)]
struct Workload {
    texts: u64,
    bytes: u64,
    searched: u64,
}

/// Objects that can be drawn, by name.
type Names = HashMap<String, ObjectRef>;

/// Sets of names of which one is drawn, with the number of draws.
type Draws = HashMap<BTreeSet<String>, u64>;

/// A form's own work, its draws, and its names. A form without names uses those of its parent.
#[derive(Debug, Default)]
struct Form {
    own: Workload,
    draws: Draws,
    names: Option<Rc<Names>>,
}

/// The names in use and the form they come from; `None` for the page.
type Context = (Option<ObjectRef>, Rc<Names>);

/// The work of the forms of a page, by form, depth and names.
type FormCache = HashMap<(ObjectRef, usize, Option<ObjectRef>), Workload>;

/// The work of a document's pages so far.
#[derive(Debug, Default)]
pub(super) struct WorkBudget {
    spent: u64,
    /// Draws counted so far, because counting is also work.
    counted: u64,
    forms: HashMap<ObjectRef, Rc<Form>>,
}

impl WorkBudget {
    /// Adds the work to find a page's operators: its objects are copied several times, and each
    /// part of its contents is looked up.
    ///
    /// # Errors
    /// [`Unreadable`] when the document exceeds its limit.
    pub(super) fn add_objects(&mut self, pdf: &PdfDocument, page: &Object) -> Result<(), Unreadable> {
        let resources = member(pdf, page, "Resources").unwrap_or(Object::Null);
        let parts = member(pdf, page, "Contents");
        let parts = parts.as_ref().and_then(Object::as_array).map_or(0, Vec::len) as u64;
        let copied = size(page) + size(&resources);
        self.spend(copied / 2 + parts * 2)
    }

    /// Adds a page with these operators.
    ///
    /// # Errors
    /// [`Unreadable`] when the document exceeds its limit.
    pub(super) fn add(
        &mut self,
        pdf: &PdfDocument,
        page: &Object,
        contents: &[u8],
    ) -> Result<(), Unreadable> {
        let resources = member(pdf, page, "Resources").unwrap_or(Object::Null);
        let (own, draws) = scan(contents);
        let context = (None, Rc::new(names(pdf, &resources)));
        let mut cache = FormCache::new();
        let all = self.drawn(pdf, &draws, MAX_DEPTH, &context, &mut cache);
        let heaviest = cache.keys().filter_map(|(form, ..)| self.forms.get(form)).map(|form| form.own);
        let heaviest = heaviest.fold(Workload::default(), Workload::larger).times(MAX_FORMS);
        let page = own.plus(all.smaller(heaviest));
        let counted = std::mem::take(&mut self.counted);
        self.spend(page.microseconds().saturating_add(counted / 5))
    }

    fn spend(&mut self, microseconds: u64) -> Result<(), Unreadable> {
        self.spent = self.spent.saturating_add(microseconds);
        if self.spent > MAX_MICROSECONDS { Err(too_much()) } else { Ok(()) }
    }

    /// The work of all forms drawn under these names, to a depth.
    fn drawn(
        &mut self,
        pdf: &PdfDocument,
        draws: &Draws,
        depth: usize,
        context: &Context,
        cache: &mut FormCache,
    ) -> Workload {
        let mut all = Workload::default();
        for (names, count) in draws {
            let mut one = Workload::default();
            for name in names {
                self.counted += 1;
                if let Some(&form) = context.1.get(name) {
                    one = one.larger(self.workload(pdf, form, depth, context, cache));
                }
            }
            all = all.plus(one.times(*count));
        }
        all
    }

    /// The work of a form and of all that it draws, to a depth.
    fn workload(
        &mut self,
        pdf: &PdfDocument,
        at: ObjectRef,
        depth: usize,
        context: &Context,
        cache: &mut FormCache,
    ) -> Workload {
        // Stop when counting alone exceeds the limit.
        if depth == 0 || self.counted / 5 > MAX_MICROSECONDS {
            return Workload::default();
        }
        let form = Rc::clone(self.forms.entry(at).or_insert_with(|| Rc::new(form(pdf, at))));
        let own = form.names.as_ref().map(|names| (Some(at), Rc::clone(names)));
        let context = own.as_ref().unwrap_or(context);
        if let Some(workload) = cache.get(&(at, depth, context.0)) {
            return *workload;
        }
        let workload = form.own.plus(self.drawn(pdf, &form.draws, depth - 1, context, cache));
        cache.insert((at, depth, context.0), workload);
        workload
    }
}

impl Workload {
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

    /// Measured in an optimized build: a piece of text takes 7 µs, comparing pieces beyond a full
    /// page 2.2 ns a pair, operators 36 ns a byte, and scanned or unpacked bytes 5 ns each.
    fn microseconds(self) -> u64 {
        let beyond = self.texts.saturating_sub(MAX_PAGE_PIECES);
        let compared = beyond.saturating_mul(beyond) / 450;
        let work = self.texts.saturating_mul(7).saturating_add(compared);
        work.saturating_add(self.bytes / 28).saturating_add(self.searched / 200)
    }
}

/// Reads a form. It is empty where the library would not look into it.
fn form(pdf: &PdfDocument, at: ObjectRef) -> Form {
    if !pdf.is_form_xobject(at) {
        return Form::default();
    }
    let Ok(object) = pdf.load_object(at) else { return Form::default() };
    let resources = member(pdf, &object, "Resources");
    let resources_dict = resources.as_ref().and_then(Object::as_dict);
    if resources_dict.is_some_and(|resources_dict| {
        !resources_dict.contains_key("Font") && !resources_dict.contains_key("XObject")
    }) {
        return Form::default();
    }
    // Each draw copies its objects and looks up its fonts, 1 µs each.
    let fonts = resources.as_ref().and_then(|resources_dict| member(pdf, resources_dict, "Font"));
    let fonts = fonts.as_ref().and_then(Object::as_dict).map_or(0, HashMap::len) as u64;
    let copied = (size(&object) + resources.as_ref().map_or(0, size)) * 7;
    let Ok(contents) = object.decode_stream_data() else {
        // It may be encrypted. The library retries a broken stream at each draw.
        let own =
            Workload { bytes: copied, searched: streams::attempted_bytes(&object), ..Workload::default() };
        return Form { own, ..Form::default() };
    };
    if !may_show_text(&contents) {
        // The library caches this result.
        return Form::default();
    }
    let (mut own, draws) = scan(&contents);
    own.bytes += fonts * 28 + copied;
    Form { own, draws, names: resources.map(|resources| Rc::new(names(pdf, &resources))) }
}

/// The forms and pictures named in resources.
fn names(pdf: &PdfDocument, resources: &Object) -> Names {
    let drawn = member(pdf, resources, "XObject");
    let drawn = drawn.as_ref().and_then(Object::as_dict).into_iter().flatten();
    drawn.filter_map(|(name, at)| Some((name.clone(), at.as_reference()?))).collect()
}

/// The number of parts of an object, without following references.
fn size(object: &Object) -> u64 {
    let (mut size, mut stack) = (0, vec![object]);
    while let Some(object) = stack.pop() {
        size += 1;
        match object {
            Object::Array(parts) => stack.extend(parts),
            Object::Dictionary(parts) | Object::Stream { dict: parts, .. } => stack.extend(parts.values()),
            _ => {}
        }
    }
    size
}

/// Whether operators start text or draw something.
fn may_show_text(contents: &[u8]) -> bool {
    contents.windows(2).any(|pair| pair == b"BT" || pair == b"Do")
}

/// The work and the draws of operators.
fn scan(contents: &[u8]) -> (Workload, Draws) {
    let in_parts = contents.len() > PARTIAL_READ_BYTES;
    let mut workload = Workload { bytes: contents.len() as u64, ..Workload::default() };
    let (mut draws, mut names, mut pieces) = (Draws::new(), BTreeSet::new(), 0);
    // The end of the last string, and of the last array or dictionary.
    let (mut string, mut list) = (0, 0);
    // The number of open text objects, and the sum of their starts.
    let (mut open, mut begun) = (0_u64, 0_u64);
    let mut at = 0;
    while let Some(&byte) = contents.get(at) {
        let is_shown = at >= string || in_parts;
        // The library searches for a missing end again from the next byte.
        let mut close = |end: &mut usize, found: Option<usize>| match found {
            Some(found) => *end = found,
            None => workload.searched += (contents.len() - at) as u64,
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
                        // Without a valid name, it draws the empty name.
                        names.insert(String::new());
                        *draws.entry(std::mem::take(&mut names)).or_default() += 1;
                    }
                    b"Tj" | b"TJ" | b"'" | b"\"" if is_shown => workload.texts += 1,
                    b"BT" => (open, begun) = (open + 1, begun + at as u64),
                    b"ET" if in_parts => {
                        workload.searched += (open * at as u64).saturating_sub(begun);
                        (open, begun) = (0, 0);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if workload.searched / 200 > MAX_MICROSECONDS {
            break;
        }
        at += 1;
    }
    if in_parts {
        workload.searched += (open * contents.len() as u64).saturating_sub(begun);
    }
    // With gaps between them, each piece of an array may become a separate one.
    workload.texts = workload.texts.max(pieces / PIECES_PER_UNIT);
    (workload, draws)
}

/// Whether a byte may be part of an operator.
fn is_of_operator(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'"' | b'*')
}

fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> &[u8] {
    &bytes[..bytes.iter().position(|&byte| !is(byte)).unwrap_or(bytes.len())]
}

/// The end of the string that starts here.
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

/// The end of the array or dictionary that starts here; `signs` is the number of brackets.
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
    use super::{MAX_MICROSECONDS, scan};

    #[test]
    fn what_is_searched_for_in_vain_is_counted() {
        let searched = |operators: &str, times| scan(operators.repeat(times).as_bytes()).0.searched;
        for open in ["(", "[", "<<", "<", "[(a)", "<< /A [1]"] {
            assert!(searched(&format!("{open} n "), 1_000) > 1_000_000, "{open}");
        }
        for closed in ["(\\))", "[(])]", "<< /A <</B (>>)>> >>", "<a>"] {
            assert_eq!(searched(&format!("{closed} n "), 1_000), 0, "{closed}");
        }
        // Only in large contents does the library search for text objects first.
        assert!(searched("BT ", 100_000) > 10_000_000_000 && searched("BT ", 1_000) == 0);
        assert!(searched("BT ET ", 100_000) < 1_000_000);
    }

    /// Negative control: with 30 µs a piece instead of 7, the book was refused.
    #[test]
    fn a_book_drawn_letter_by_letter_is_read_and_a_flood_of_letters_is_not() {
        let page = "1 0 0 1 50.00 700.00 Tm (a) Tj\n".repeat(2_000);
        assert!(scan(page.as_bytes()).0.microseconds() * 400 < MAX_MICROSECONDS);
        let flood = "(a) Tj 1 0 Td\n".repeat(100_000);
        assert!(scan(flood.as_bytes()).0.microseconds() > MAX_MICROSECONDS);
    }
}
