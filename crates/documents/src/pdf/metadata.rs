//! Reads a PDF's information dictionary and XMP packet, much of which programs fill in by
//! themselves.

use pdf_oxide::{PdfDocument, object::Object, optional_content::decode_pdf_text_string};

use super::outline::member;
use crate::{
    builder::Metadata,
    decoding,
    xml::{Event, Events},
};

/// A longer XMP packet is ignored.
const MAX_PACKET_BYTES: usize = 4 << 20;

/// Names that programs enter as titles.
const PROGRAMS: [&str; 9] = [
    "microsoft word",
    "microsoft powerpoint",
    "powerpoint presentation",
    "untitled",
    "unknown",
    "openoffice",
    "pdfcreator",
    "print",
    "document",
];

const FILE_SUFFIXES: [&str; 16] = [
    ".doc", ".docx", ".pdf", ".odt", ".rtf", ".tex", ".dvi", ".ps", ".indd", ".qxd", ".pmd", ".ppt", ".pptx",
    ".txt", ".htm", ".html",
];

pub(super) fn metadata(pdf: &PdfDocument) -> Metadata {
    let info = member(pdf, pdf.trailer(), "Info").unwrap_or(Object::Null);
    let text =
        |name: &str| member(pdf, &info, name).and_then(|text| text.as_string().map(decode_pdf_text_string));
    let catalog = pdf.catalog().unwrap_or(Object::Null);
    let packet = member(pdf, &catalog, "Metadata").and_then(|packet| packet.decode_stream_data().ok());
    let packet = packet.filter(|packet| packet.len() <= MAX_PACKET_BYTES).unwrap_or_default();
    let found = parse_xmp(&decoding::markup(&packet));
    let language = member(pdf, &catalog, "Lang").and_then(|tag| tag.as_string().map(decode_pdf_text_string));
    Metadata {
        title: text("Title").filter(|title| is_title(title)).or(found.title.filter(|title| is_title(title))),
        author: text("Author")
            .filter(|author| is_author(author))
            .or(found.author.filter(|author| is_author(author))),
        copyright: found.copyright,
        language: language.or(found.language),
        cover: None,
    }
}

fn parse_xmp(text: &str) -> Metadata {
    let mut metadata = Metadata::default();
    let mut events = Events::lenient(text);
    while let Some(event) = events.next() {
        let Event::Open(element) = event else { continue };
        let field = match element.name() {
            "title" => &mut metadata.title,
            "creator" => &mut metadata.author,
            "rights" => &mut metadata.copyright,
            "language" => &mut metadata.language,
            _ => continue,
        };
        let found = events.text_of(element.name());
        if field.is_none() && !found.is_empty() {
            *field = Some(found);
        }
    }
    metadata
}

/// Whether a person wrote the title, not a program.
fn is_title(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    lower.chars().any(char::is_alphabetic)
        && !PROGRAMS.iter().any(|program| {
            lower.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['-', '–', '.']))
        })
        && !FILE_SUFFIXES.iter().any(|ending| lower.ends_with(ending))
        // Excludes file names such as `notice_v3` or `2014-03-11_final`.
        && (lower.contains(' ') || !lower.contains(['_', '/', '\\']))
}

fn is_author(author: &str) -> bool {
    let lower = author.trim().to_lowercase();
    lower.chars().any(char::is_alphabetic)
        && !["unknown", "user", "admin", "administrator", "owner", "root", "anonymous"]
            .contains(&lower.as_str())
        && !lower.contains('\\')
}

#[cfg(test)]
mod tests {
    use super::{is_author, is_title, parse_xmp};

    #[test]
    fn what_programs_fill_in_is_no_title_and_no_author() {
        for junk in [
            "Microsoft Word - notice_v3.doc",
            "untitled",
            "Untitled.indd",
            "final_v2",
            "1234",
            " ",
            "book.pdf",
        ] {
            assert!(!is_title(junk), "{junk}");
        }
        for title in ["The Tide Tables", "Untitled Poems", "Emma", "Document Design", "2001: A Space Odyssey"]
        {
            assert!(is_title(title), "{title}");
        }
        assert!(is_author("Ada Marlow") && !is_author("Administrator") && !is_author("OFFICE\\jp"));
    }

    #[test]
    fn a_packet_has_the_statement_of_copyright() {
        let packet = "<dc:creator><rdf:Seq><rdf:li>Ada Marlow</rdf:li></rdf:Seq></dc:creator>\
                      <dc:rights><rdf:Alt><rdf:li>© 2024\n Ada Marlow</rdf:li></rdf:Alt></dc:rights>";
        let found = parse_xmp(&format!("<rdf:Description>{packet}</rdf:Description>"));
        assert_eq!(found.copyright.as_deref(), Some("© 2024 Ada Marlow"));
    }
}
