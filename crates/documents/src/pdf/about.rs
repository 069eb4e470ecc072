//! What a PDF says of itself: its information dictionary and its XMP packet, of which much is what a program filled
//! in by itself.

use pdf_oxide::{PdfDocument, object::Object, optional_content::decode_pdf_text_string};

use super::outline::member;
use crate::{
    builder::About,
    decoding,
    xml::{Event, Events},
};

/// A longer XMP packet is not read, bytes.
const PACKET_BYTES: usize = 4 << 20;

/// Names of programs, which they give as titles.
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

/// What names of files end with.
const FILES: [&str; 16] = [
    ".doc", ".docx", ".pdf", ".odt", ".rtf", ".tex", ".dvi", ".ps", ".indd", ".qxd", ".pmd", ".ppt", ".pptx",
    ".txt", ".htm", ".html",
];

/// Title, author and language.
pub(super) fn about(pdf: &PdfDocument) -> About {
    let info = member(pdf, pdf.trailer(), "Info").unwrap_or(Object::Null);
    let text =
        |name: &str| member(pdf, &info, name).and_then(|text| text.as_string().map(decode_pdf_text_string));
    let catalog = pdf.catalog().unwrap_or(Object::Null);
    let packet = member(pdf, &catalog, "Metadata").and_then(|packet| packet.decode_stream_data().ok());
    let packet = packet.filter(|packet| packet.len() <= PACKET_BYTES).unwrap_or_default();
    let said = of_packet(&decoding::markup(&packet));
    let language = member(pdf, &catalog, "Lang").and_then(|tag| tag.as_string().map(decode_pdf_text_string));
    About {
        title: text("Title").filter(|title| is_title(title)).or(said.title.filter(|title| is_title(title))),
        author: text("Author")
            .filter(|author| is_author(author))
            .or(said.author.filter(|author| is_author(author))),
        language: language.or(said.language),
        cover: None,
    }
}

fn of_packet(text: &str) -> About {
    let mut about = About::default();
    let mut events = Events::of(text);
    while let Some(event) = events.next() {
        let Event::Open(element) = event else { continue };
        let field = match element.name() {
            "title" => &mut about.title,
            "creator" => &mut about.author,
            "language" => &mut about.language,
            _ => continue,
        };
        let said = events.text_of(element.name());
        if field.is_none() && !said.is_empty() {
            *field = Some(said);
        }
    }
    about
}

/// Whether somebody wrote it, and not a program.
fn is_title(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    lower.chars().any(char::is_alphabetic)
        && !PROGRAMS.iter().any(|program| {
            lower.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['-', '–', '.']))
        })
        && !FILES.iter().any(|ending| lower.ends_with(ending))
        // `notice_v3`, `2014-03-11_final`
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
    use super::{is_author, is_title};

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
}
