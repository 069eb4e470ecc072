//! Invoices of purchases as PDF files. What an invoice says was stored when the purchase was paid, so it
//! can be made again at any time and always says the same.

use std::collections::BTreeMap;

use lectern_store::invoices::Invoice;
use lectern_types::PageLanguage;
use pdf_oxide::writer::{DocumentBuilder, EmbeddedFont, FluentPageBuilder, PageSize};
use serde::Deserialize;

use crate::{
    config::{ConfigError, Invoices},
    error::{Error, Result},
    mail::letters::figures,
};

/// Noto Sans with the letters of Latin, Greek and Cyrillic.
const REGULAR: &[u8] = include_bytes!("invoices/NotoSans-Regular.ttf");
const SEMI_BOLD: &[u8] = include_bytes!("invoices/NotoSans-SemiBold.ttf");

const TEXTS: &str = include_str!("invoices/texts.json");

/// The names of the fonts in the file.
const TEXT: &str = "Text";
const STRONG: &str = "Strong";

// A4 in points, and where things stand on it.
const LEFT: f32 = 57.0;
const RIGHT: f32 = 538.0;
const TOP: f32 = 785.0;
const MIDDLE: f32 = 300.0;
const SMALL: f32 = 9.0;
const NORMAL: f32 = 10.5;
const LARGE: f32 = 20.0;
/// From one line of text to the next.
const LINE: f32 = 15.0;
const SMALL_LINE: f32 = 12.0;
/// The lowest line of a page.
const BOTTOM: f32 = 50.0;
/// Between a column of labels and that of their values.
const GAP: f32 = 18.0;

/// The words of an invoice in one language.
#[derive(Debug, Deserialize)]
struct Words {
    title: String,
    number: String,
    date: String,
    purchase: String,
    buyer: String,
    tax_number: String,
    buyer_tax_number: String,
    description: String,
    amount: String,
    item: String,
    net: String,
    total: String,
    total_with_tax: String,
    paid: String,
}

fn words(language: PageLanguage) -> Result<Words> {
    let mut all: BTreeMap<String, Words> = serde_json::from_str(TEXTS)
        .map_err(|error| Error::Internal(format!("the texts of invoices: {error}")))?;
    let found = all.remove(language.as_str());
    found.ok_or_else(|| Error::Internal(format!("invoices have no texts in {language}")))
}

/// Makes invoices.
#[derive(Debug, Clone)]
pub struct Printer {
    /// A font of the operator's, for all that is written.
    own_font: Option<Vec<u8>>,
}

impl Printer {
    /// The printer that the settings describe.
    ///
    /// # Errors
    /// [`ConfigError`] when the font that they name cannot be used.
    pub fn new(settings: &Invoices) -> Result<Self, ConfigError> {
        let Some(path) = &settings.font_file else { return Ok(Self { own_font: None }) };
        let refused = |why: String| ConfigError::new("invoices.font_file", why);
        let bytes = std::fs::read(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
        EmbeddedFont::from_data(None, bytes.clone())
            .map_err(|error| refused(format!("is not a TrueType or OpenType font: {error}")))?;
        Ok(Self { own_font: Some(bytes) })
    }

    /// The invoice as a PDF file.
    ///
    /// # Errors
    /// [`Error::Internal`] when it cannot be made.
    pub fn pdf(&self, invoice: &Invoice) -> Result<Vec<u8>> {
        // The built-in font has no Japanese letters.
        let language = match invoice.language {
            PageLanguage::Ja if self.own_font.is_none() => PageLanguage::En,
            language => language,
        };
        let words = words(language)?;
        let font = |built_in: &[u8]| {
            let bytes = self.own_font.clone().unwrap_or_else(|| built_in.to_vec());
            EmbeddedFont::from_data(None, bytes)
                .map_err(|error| Error::Internal(format!("the font of invoices: {error}")))
        };
        let mut document = DocumentBuilder::new()
            .compress_streams(true)
            .tagged_pdf_ua1()
            .language(language.as_str())
            .title(format!("{} {}", words.title, invoice.name))
            .author(invoice.seller.lines.first().cloned().unwrap_or_default())
            .register_embedded_font(TEXT, font(REGULAR)?)
            .register_embedded_font(STRONG, font(SEMI_BOLD)?);
        let faces = Faces { text: font(REGULAR)?, strong: font(SEMI_BOLD)? };
        let sheet = Sheet { page: document.page(PageSize::A4), y: TOP, faces: &faces };
        sheet.write(invoice, &words, language);
        document.build().map_err(|error| Error::Internal(format!("an invoice cannot be written: {error}")))
    }
}

/// The page, the line that is written next, and how wide letters are.
struct Sheet<'a> {
    page: FluentPageBuilder<'a>,
    y: f32,
    faces: &'a Faces,
}

/// The two fonts, to measure texts before they are written.
struct Faces {
    text: EmbeddedFont,
    strong: EmbeddedFont,
}

impl Faces {
    fn width(&self, font: &str, size: f32, text: &str) -> f32 {
        let face = if font == STRONG { &self.strong } else { &self.text };
        face.text_width(text, size)
    }
}

impl Sheet<'_> {
    fn write(self, invoice: &Invoice, words: &Words, language: PageLanguage) {
        let money = |minor| figures::money(language, minor, &invoice.currency);
        let seller = &invoice.seller;
        let mut sheet = self;
        let mut lines = seller.lines.clone();
        if !seller.tax_id.is_empty() {
            lines.push(format!("{}: {}", words.tax_number, seller.tax_id));
        }
        sheet = sheet.party(&lines);
        sheet = sheet.down(2.0 * LINE).left(TEXT, SMALL, &words.buyer).down(LINE);
        sheet = sheet.party(&buyer_lines(invoice, words));
        sheet = sheet.down(2.0 * LINE).left(STRONG, LARGE, &words.title).down(2.0 * LINE);
        let rows = [
            (&words.number, invoice.name.clone()),
            (&words.date, figures::date(language, invoice.issued_at)),
            (&words.purchase, invoice.purchase.to_string()),
        ];
        let labels = rows.iter().map(|(label, _)| sheet.faces.width(TEXT, NORMAL, label));
        let column = LEFT + labels.fold(0.0, f32::max) + GAP;
        for (label, value) in rows {
            sheet = sheet.left(TEXT, NORMAL, label).at(TEXT, NORMAL, column, &value).down(LINE);
        }
        sheet = sheet.down(LINE).pair(STRONG, &words.description, &words.amount).down(6.0).rule().down(LINE);
        let item = words.item.replace("{credits}", &figures::number(language, invoice.credits.0));
        let has_tax = seller.tax_basis_points > 0;
        let price = if has_tax { invoice.net_minor() } else { invoice.gross_minor };
        sheet = sheet.pair(TEXT, &item, &money(price)).down(6.0).rule().down(LINE);
        if has_tax {
            let percent = figures::percent(language, seller.tax_basis_points);
            sheet = sheet.sum(TEXT, &words.net, &money(invoice.net_minor())).down(LINE);
            let tax = format!("{} {percent}", seller.tax_name);
            sheet = sheet.sum(TEXT, &tax, &money(invoice.tax_minor)).down(LINE);
        }
        let total = if has_tax { &words.total_with_tax } else { &words.total };
        sheet = sheet.sum(STRONG, total, &money(invoice.gross_minor)).down(2.0 * LINE);
        let paid = words.paid.replace("{date}", &figures::date(language, invoice.issued_at));
        sheet = sheet.left(TEXT, NORMAL, &paid).down(2.0 * LINE);
        let footer: Vec<String> =
            seller.footer.lines().flat_map(|line| sheet.wrapped(TEXT, SMALL, line)).collect();
        for line in footer {
            sheet = sheet.left(TEXT, SMALL, &line).down(SMALL_LINE);
        }
        sheet.page.done();
    }

    /// Seller or buyer, the name in a strong font.
    fn party(self, lines: &[String]) -> Self {
        let mut sheet = self;
        for (at, line) in lines.iter().enumerate() {
            let font = if at == 0 { STRONG } else { TEXT };
            for part in sheet.wrapped(font, NORMAL, line) {
                sheet = sheet.left(font, NORMAL, &part).down(LINE);
            }
        }
        sheet
    }

    /// A text in lines that fit between the margins. A word that does not fit by itself is divided.
    fn wrapped(&self, font: &str, size: f32, text: &str) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_inclusive(' ') {
            let fits = |line: &str| self.faces.width(font, size, line.trim_end()) <= RIGHT - LEFT;
            let last = lines.last_mut().map(std::mem::take).unwrap_or_default();
            lines.pop();
            if fits(&format!("{last}{word}")) {
                lines.push(last + word);
                continue;
            }
            if !last.is_empty() {
                lines.push(last);
            }
            let mut line = String::new();
            for letter in word.chars() {
                if !fits(&format!("{line}{letter}")) {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
            lines.push(line);
        }
        lines
    }

    fn down(self, by: f32) -> Self {
        if self.y - by >= BOTTOM {
            return Self { y: self.y - by, ..self };
        }
        Self { page: self.page.new_page_same_size(), y: TOP, ..self }
    }

    fn at(self, font: &str, size: f32, x: f32, text: &str) -> Self {
        Self { page: self.page.font(font, size).at(x, self.y).text(text), ..self }
    }

    fn left(self, font: &str, size: f32, text: &str) -> Self {
        self.at(font, size, LEFT, text)
    }

    fn right(self, font: &str, text: &str) -> Self {
        let x = RIGHT - self.faces.width(font, NORMAL, text);
        self.at(font, NORMAL, x, text)
    }

    /// A text at the left and one at the right.
    fn pair(self, font: &str, left: &str, right: &str) -> Self {
        self.left(font, NORMAL, left).right(font, right)
    }

    /// A line of the sums, in the right half.
    fn sum(self, font: &str, label: &str, value: &str) -> Self {
        self.at(font, NORMAL, MIDDLE, label).right(font, value)
    }

    fn rule(self) -> Self {
        Self { page: self.page.line(LEFT, self.y, RIGHT, self.y), ..self }
    }
}

/// Whom the invoice is made out to, line by line.
fn buyer_lines(invoice: &Invoice, words: &Words) -> Vec<String> {
    let Some(buyer) = &invoice.buyer else { return vec![invoice.email.clone()] };
    let mut lines = vec![buyer.name.clone()];
    lines.extend(buyer.address.lines().map(str::to_owned));
    lines.extend(buyer.tax_id.iter().map(|id| format!("{}: {id}", words.buyer_tax_number)));
    lines
}

#[cfg(test)]
mod tests {
    use lectern_store::invoices::{Buyer, Seller};
    use lectern_types::{Credits, Timestamp};
    use pdf_oxide::PdfDocument;

    use super::*;

    fn invoice(language: PageLanguage) -> Invoice {
        Invoice {
            name: "LEC-000042".to_owned(),
            purchase: "pur_01a2060b53cc75e0855c8d3bf54c9d6a".parse().unwrap(),
            issued_at: Timestamp(1_795_680_000_000_000),
            seller: Seller {
                lines: vec![
                    "Lesepult GmbH".to_owned(),
                    "Große Straße 1".to_owned(),
                    "10115 Berlin".to_owned(),
                ],
                tax_id: "DE123456789".to_owned(),
                tax_name: "USt.".to_owned(),
                tax_basis_points: 1_900,
                footer: "Vielen Dank.".to_owned(),
            },
            buyer: Some(Buyer {
                name: "Żółć Łódź Sp. z o.o.".to_owned(),
                address: "ul. Piękna 3\n00-547 Warszawa".to_owned(),
                tax_id: Some("PL5260001246".to_owned()),
            }),
            email: "ada@example.com".to_owned(),
            credits: Credits(500_000),
            gross_minor: 1_190,
            tax_minor: 190,
            currency: "eur".to_owned(),
            language,
        }
    }

    fn text(bytes: Vec<u8>) -> String {
        let document = PdfDocument::from_bytes(bytes).unwrap();
        document.extract_text(0).unwrap().replace('\u{a0}', " ")
    }

    #[test]
    fn an_invoice_says_who_sold_what_to_whom_for_how_much() {
        let printer = Printer { own_font: None };
        let said = text(printer.pdf(&invoice(PageLanguage::De)).unwrap());
        for part in [
            "Lesepult GmbH",
            "Große Straße 1",
            "DE123456789",
            "Żółć Łódź Sp. z o.o.",
            "00-547 Warszawa",
            "PL5260001246",
            "Rechnung",
            "LEC-000042",
            "26.11.2026",
            "500.000",
            "10,00 EUR",
            "USt. 19 %",
            "1,90 EUR",
            "11,90 EUR",
            "Vielen Dank.",
        ] {
            assert!(said.contains(part), "{part} is not in:\n{said}");
        }
    }

    #[test]
    fn without_tax_and_buyer_it_shows_the_total_and_the_address() {
        let mut invoice = invoice(PageLanguage::Ja);
        invoice.buyer = None;
        (invoice.seller.tax_basis_points, invoice.tax_minor) = (0, 0);
        let said = text(Printer { own_font: None }.pdf(&invoice).unwrap());
        assert!(said.contains("ada@example.com") && said.contains("EUR 11.90"), "{said}");
        assert!(said.contains("Invoice") && !said.contains("USt."), "{said}");
    }

    // Negative control: without `wrapped` the end of the name is right of the margin, and this fails.
    #[test]
    fn the_longest_names_stay_between_the_margins_and_above_the_foot() {
        let mut invoice = invoice(PageLanguage::De);
        let buyer = invoice.buyer.as_mut().unwrap();
        (buyer.name, buyer.address) = ("W".repeat(200), ["M".repeat(75), "W".repeat(320)].join("\n"));
        invoice.seller.lines = vec!["W".repeat(100); 8];
        invoice.seller.footer = "W".repeat(500);
        let document = PdfDocument::from_bytes(Printer { own_font: None }.pdf(&invoice).unwrap()).unwrap();
        let pages = 0..document.page_count().unwrap();
        let letters: Vec<_> = pages.flat_map(|page| document.extract_chars(page).unwrap()).collect();
        assert!(letters.len() > 1_500, "{}", letters.len());
        for letter in letters {
            let place = letter.bbox;
            assert!(place.x >= LEFT - 1.0 && place.x + place.width <= RIGHT + 1.0, "{letter:?}");
            assert!(place.y > 10.0, "{letter:?}");
        }
    }

    #[test]
    fn every_language_has_texts() {
        for language in PageLanguage::ALL {
            let words = words(*language).unwrap();
            assert!(words.item.contains("{credits}") && words.paid.contains("{date}"), "{language}");
        }
    }
}
