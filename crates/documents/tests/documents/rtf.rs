//! RTF files, written out.

use lectern_documents::{Document, Kind, Limits, Reason, read};

use crate::cases::{document, titles};

pub(crate) const STORY: &[u8] = include_bytes!("fixtures/light.rtf");

fn of(rtf: impl AsRef<[u8]>) -> Document {
    document(Kind::Rtf, rtf)
}

/// The text of a body after the usual head.
fn text(body: impl AsRef<[u8]>) -> String {
    of([&b"{\\rtf1\\ansi\\ansicpg1252 "[..], body.as_ref(), b"}"].concat()).text
}

#[test]
fn styles_and_outline_levels_make_headings() {
    let document = of(
        "{\\rtf1{\\stylesheet{\\s0 Normal;}{\\s1 \\'dcberschrift 1;}{\\s2\\sbasedon1 Mine;}{\\s3\\sbasedon3 Loop;}{\\s4\\outlinelevel1 Own;}{\\s5 Title;}{\\s6 toc 1;}}\
         {\\info{\\title Other}{\\author A. {\\b Marsh}}}\\pard\\s5 The \\'c9tude\\par\\pard\\s6 One 1\\par\\pard\\s1 One\\par\\pard a\\par\\pard\\s4 Inside\\par\
         \\pard b\\par\\pard\\s2 Two\\par\\pard\\s3 c\\par{\\pard\\outlinelevel0 Three\\par}\\pard\\outlinelevel9 d\\par\\pard\\s99 e}",
    );
    assert_eq!(document.title.as_deref(), Some("The Étude"));
    assert_eq!(document.author.as_deref(), Some("A. Marsh"));
    assert_eq!(titles(&document), ["One", "Two", "Three"]);
    assert_eq!(document.text, "The Étude\n\nOne\n\na\n\nInside\n\nb\n\nTwo\n\nc\n\nThree\n\nd\n\ne");
    assert_eq!(of("{\\rtf1{\\info{\\title Other}}a\\par}").title.as_deref(), Some("Other"));
}

#[test]
fn letters_come_from_code_pages_fonts_and_unicode() {
    assert_eq!(text("na\\'efve \\'93x\\'94 caf\\'e9\\'"), "naïve “x” café");
    assert_eq!(of("{\\rtf1\\ansi\\ansicpg1251 \\'cc\\'ee\\'f0\\'e5}").text, "Море");
    assert_eq!(of("{\\rtf1\\mac caf\\'8e}").text, "café");
    let fonts = "{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}{\\f3\\fcharset134 D;}{\\f4\\fcharset2 E;}{\\f5\\fcharset1 F;}{\\f6\\cpg1250 G;}}";
    // The second byte of a character may be a letter, also one that is escaped.
    assert_eq!(
        text(format!(
            "{fonts}\\'e9 {{\\f1\\'cc}} {{\\f2\\'83n\\'83\\'5c\\'95\\\\}} {{\\f3\\'ba\\'a3}} \\'e9{{\\f5\\'e9}}{{\\f6\\'b3}}"
        )),
        "é М ハソ表 海 ééł"
    );
    // Bytes of a font of symbols are no letters.
    assert_eq!(text(format!("{fonts}a{{\\f4\\'b7\\u-3913?}}b")), "ab");
    // A font's character set counts for the document's own font, too.
    assert_eq!(of(format!("{{\\rtf1\\ansi\\deff1{fonts}\\'cc\\plain\\'cc}}")).text, "ММ");
    assert_eq!(
        text("\\u8212?\\u233\\'e9 \\uc2\\u28023\\'8a\\'43\\uc0\\u233 x{\\uc3\\u233abc}\\u233 y"),
        "—é 海éxééy"
    );
    assert_eq!(text("\\u-10180?\\u-9035? \\u-10180?x \\u-9035?y \\u65533?z"), "🂵 x y z");
    // A group ends what stands for a character, and so does a word that is none.
    assert_eq!(text("{\\uc9\\u233}abc \\uc9\\u233\\par def"), "éabc é\n\ndef");
    assert_eq!(text("\\u8220\\ldblquote x"), "“x");
}

#[test]
fn words_stand_for_marks_and_spaces() {
    assert_eq!(
        text(
            "\\ldblquote a\\rdblquote\\~\\lquote b\\rquote\\emdash c\\endash d\\_e\\-f\\tab g\\emspace h\\line i\\bullet  \\{\\}\\\\"
        ),
        "“a” ‘b’—c–d-ef g h\ni• {}\\"
    );
    assert_eq!(text("a\\page b\\par\\par c\\sect d\\\ne\\\r\nf"), "a b\n\nc\n\nd\n\ne\n\nf");
}

#[test]
fn what_is_hidden_deleted_or_made_by_the_program_is_not_read() {
    assert_eq!(text("a{\\v hidden}{\\deleted gone} b\\v c\\v0  d\\v e\\plain  f"), "a b d f");
    assert_eq!(
        text(
            "{\\header Head\\par}{\\footerf Foot\\par}{\\*\\unknown x{\\b y}}{\\*\\bkmkstart m}a{\\pict\\wmetafile8 0102}{\\object{\\*\\objdata 01}{\\result b}}\
             {\\field{\\*\\fldinst HYPERLINK \"x\"}{\\fldrslt c}}{\\xe{\\v d}}{\\*\\annotation e}{\\nonshppict{\\pict 01}}\\bin5 }{}}}z"
        ),
        "abcz"
    );
    assert_eq!(text("{\\upr{plain}{\\*\\ud{\\u233?t\\u233?}}}"), "été");
}

#[test]
fn tables_are_read_row_by_row() {
    assert_eq!(
        text(
            "\\trowd\\cellx1\\cellx2\\pard\\intbl Ship\\cell Tons\\cell\\row\\trowd Ada\\cell\\cell 90\\cell\\row\\pard After.\\par"
        ),
        "Ship, Tons\n\nAda, 90\n\nAfter."
    );
    assert_eq!(
        text(
            "\\trowd\\pard\\intbl a\\par b\\cell c\\cell\\row\\pard\\intbl\\itap2 d\\nestcell e\\nestcell{\\*\\nesttableprops\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\cell\\row\\pard f"
        ),
        "a\n\nb\n\nc\n\nd\n\ne\n\nf"
    );
    // A row that is not ended.
    assert_eq!(text("\\pard\\intbl a\\cell b\\cell\\pard c\\par"), "a, b\n\nc");
}

#[test]
fn labels_of_lists_are_read_and_bullets_are_not() {
    assert_eq!(
        text(
            "{\\listtext\\pard 1.\\tab}\\pard\\ls1 Wick\\par{\\listtext\\pard\\'95\\tab}Oil\\par\\pard{\\pntext a)\\tab}{\\*\\pn\\pnlvlbody{\\pntxtb x}}Glass\\par"
        ),
        "1. Wick\n\nOil\n\na) Glass"
    );
    let symbols = "{\\fonttbl{\\f0 A;}{\\f1\\fcharset2 Wingdings;}}";
    let bullets = "{\\listtext\\f1 l\\tab}One\\par{\\listtext o\\tab}Two\\par{\\listtext o.\\tab}Three\\par";
    assert_eq!(text(format!("{symbols}{bullets}")), "One\n\nTwo\n\no. Three");
    assert_eq!(text("\\pard\\dropcapli2\\dropcapt1 T\\par\\pard he lamp\\par"), "The lamp");
}

#[test]
fn notes_are_kept_apart() {
    let document = of(
        "{\\rtf1 The lamp{\\super\\chftn}{\\footnote\\pard{\\super\\chftn} With oil.\\par More.} burned{\\*\\footnote\\ftnalt Low.} all night.{\\v{\\footnote Hidden.}}\\par}",
    );
    assert_eq!(document.text, "The lamp burned all night.");
    let notes: Vec<(&str, &str)> =
        document.notes.iter().map(|note| (&document.text[..note.at], note.text.as_str())).collect();
    assert_eq!(notes, [("The lamp", "With oil. More."), ("The lamp burned", "Low.")]);
}

#[test]
fn text_boxes_follow_their_paragraphs() {
    assert_eq!(
        text(
            "Before{\\shp{\\*\\shpinst\\shpleft1{\\sp{\\sn a}{\\sv b}}{\\shptxt\\pard In the box.\\par Still.\\par}}{\\shprslt{\\*\\do\\dobxpage{\\dptxbx{\\dptxbxtext again\\par}}}}} and after.\\par"
        ),
        "Before and after.\n\nIn the box.\n\nStill."
    );
    assert_eq!(text("a{\\*\\do\\dobxpage{\\dptxbx{\\dptxbxtext b\\par}}}c\\par"), "ac\n\nb");
}

#[test]
fn the_language_is_that_of_most_of_the_text_and_others_are_marked() {
    let document = of(
        "{\\rtf1\\deflang1033\\lang2057 He said that it was {\\lang1036 la petite lumi\\'e8re du rocher} and nothing else at all, as far as he knew.\\par}",
    );
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    let marked: Vec<(&str, &str)> = document
        .languages
        .iter()
        .map(|marked| (marked.tag.as_str(), &document.text[marked.range.clone()]))
        .collect();
    assert_eq!(marked, [("fr", "la petite lumière du rocher")]);
    // The default language is that of the program.
    assert_eq!(of("{\\rtf1\\deflang1033 Le phare.}").language, None);
}

#[test]
fn a_file_that_is_cut_off_is_damaged_and_one_without_its_last_brace_is_not() {
    let outcome = |rtf: &[u8]| {
        read(Kind::Rtf, rtf, &Limits::default()).map(|document| document.text).map_err(|error| error.reason)
    };
    assert_eq!(outcome(b"{\\rtf1 One.\\par Two.\\par"), Ok("One.\n\nTwo.".to_owned()));
    assert_eq!(outcome(b"{\\rtf1 One.\\par Tw"), Err(Reason::Damaged));
    assert_eq!(outcome(b"{\\rtf1 One.\\par {\\b "), Err(Reason::Damaged));
    // What follows the document is none of it.
    assert_eq!(outcome(b"{\\rtf1 One.\\par}}}{ Two.\0\0"), Ok("One.".to_owned()));
    assert_eq!(outcome(b"{\\rtf1}"), Err(Reason::NoText));
}

/// Negative control: with the state of all groups kept, a paragraph with as many boxes in boxes was
/// dropped by recursion, and the stack overflowed.
#[test]
fn groups_may_be_nested_without_end() {
    let deep =
        |levels: usize| format!("{{\\rtf1 a{}b{} c\\par}}", "{\\b ".repeat(levels), "}".repeat(levels));
    for levels in [10, 2_500, 100_000, 500_000] {
        assert_eq!(of(deep(levels)).text, "ab c", "{levels}");
    }
    // Groups with notes and boxes in groups without state.
    let notes = format!("{{\\rtf1 a{}b{}\\par}}", "{\\footnote ".repeat(5_000), "}".repeat(5_000));
    assert_eq!(of(notes).text, "a");
    let boxes = format!(
        "{{\\rtf1 a{}b{}\\par}}",
        "{\\shp{\\*\\shpinst{\\shptxt ".repeat(200_000),
        "}}}".repeat(200_000)
    );
    assert_eq!(of(boxes).text, "a");
}

#[test]
fn a_text_beyond_the_limit_is_refused() {
    let limits = Limits { text_characters: 1_000, ..Limits::default() };
    let rtf = format!("{{\\rtf1 {}}}", "word\\par ".repeat(1_000));
    assert_eq!(read(Kind::Rtf, rtf.as_bytes(), &limits).unwrap_err().reason, Reason::TooLarge);
}
