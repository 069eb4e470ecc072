//! Finds out whether a page shows pictures, without decoding any.

use std::collections::{HashMap, HashSet};

use pdf_oxide::{PdfDocument, object::Object};

use super::outline::member;

/// Forms beyond this number are ignored.
const MAX_FORMS: usize = 1_000;

/// Pictures that cover this share of a page are a scan.
const MIN_COVERED: f32 = 0.6;

/// The pictures of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pictures {
    pub(super) any: bool,
    /// Whether they cover most of the page, as a scan does.
    pub(super) covers_page: bool,
}

/// A transformation matrix as operators write it.
type Matrix = [f32; 6];

/// The pictures of a page with these operators and this area.
pub(super) fn of(pdf: &PdfDocument, page: &Object, contents: &[u8], area: f32) -> Pictures {
    let resources = member(pdf, page, "Resources").unwrap_or(Object::Null);
    let xobjects = xobjects(pdf, &resources);
    let inline = contents.split(u8::is_ascii_whitespace).any(|word| word == b"BI");
    let any = inline || xobjects.values().any(|&is_picture| is_picture) || in_forms(pdf, resources);
    Pictures { any, covers_page: any && covered(contents, &xobjects) >= MIN_COVERED * area }
}

/// The names that a page can draw, and whether each is a picture.
fn xobjects(pdf: &PdfDocument, resources: &Object) -> HashMap<String, bool> {
    let drawn = member(pdf, resources, "XObject");
    let names = drawn.as_ref().and_then(Object::as_dict).into_iter().flatten();
    let is_picture = |object: &Object| {
        let loaded = object.as_reference().and_then(|at| pdf.load_object(at).ok());
        let dictionary = loaded.as_ref().unwrap_or(object).as_dict();
        dictionary.and_then(|names| names.get("Subtype")).and_then(Object::as_name) == Some("Image")
    };
    names.map(|(name, object)| (name.clone(), is_picture(object))).collect()
}

/// Whether forms contain pictures, directly or in other forms; each is visited once.
fn in_forms(pdf: &PdfDocument, resources: Object) -> bool {
    let mut seen = HashSet::new();
    let mut next = vec![resources];
    while let Some(resources) = next.pop() {
        if xobjects(pdf, &resources).values().any(|&is_picture| is_picture) {
            return true;
        }
        let Some(drawn) = member(pdf, &resources, "XObject") else { continue };
        for at in
            drawn.as_dict().into_iter().flat_map(|names| names.values()).filter_map(Object::as_reference)
        {
            if seen.len() < MAX_FORMS && seen.insert(at) {
                let form = pdf.load_object(at).ok();
                next.extend(form.and_then(|form| member(pdf, &form, "Resources")));
            }
        }
    }
    false
}

/// The total area of the pictures drawn by operators, except those in forms.
fn covered(contents: &[u8], xobjects: &HashMap<String, bool>) -> f32 {
    let mut stack: Vec<Matrix> = Vec::new();
    let mut matrix: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let (mut numbers, mut before, mut area): (Vec<f32>, &[u8], f32) = (Vec::new(), &[], 0.0);
    for word in contents.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        match word {
            b"q" if stack.len() < MAX_FORMS => stack.push(matrix),
            b"Q" => matrix = stack.pop().unwrap_or(matrix),
            b"cm" => {
                if let Some(&[a, b, c, d, e, f]) = numbers.last_chunk() {
                    matrix = product([a, b, c, d, e, f], matrix);
                }
            }
            b"Do" | b"EI" => {
                let name = before.strip_prefix(b"/").and_then(|name| std::str::from_utf8(name).ok());
                if word == b"EI" || name.and_then(|name| xobjects.get(name)) == Some(&true) {
                    area += (matrix[0] * matrix[3] - matrix[1] * matrix[2]).abs();
                }
            }
            _ => {}
        }
        match std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()) {
            Some(number) => numbers.push(number),
            None => numbers.clear(),
        }
        before = word;
    }
    area
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    ]
}
