//! PDFs in other languages than English: hyphens, lines without spaces, headings, vertical text.

use lectern_documents::{Kind, Limits, read};

use crate::{
    cases::titles,
    pdf_hostile::{outcome, stream},
    pdf_layout::file,
};

/// A line: its position, size and text.
type Line<'a> = (f32, f32, f32, &'a str);

/// A page of these lines in a font whose codes are Unicode's.
fn wide(lines: &[Line<'_>]) -> String {
    let line = |(x, y, size, text): &Line<'_>| {
        let codes: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
        format!("BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm <{codes}> Tj ET\n")
    };
    lines.iter().map(line).collect()
}

/// A file of pages in such a font, horizontal (`H`) or vertical (`V`).
fn unicode(pages: &[String], mode: char) -> Vec<u8> {
    let next = 4 + 2 * pages.len();
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Song /Encoding /Identity-{mode} /DescendantFonts [{next} 0 R] \
         /ToUnicode {} 0 R >>",
        next + 1
    );
    let inner = "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Song /DW 1000 \
                 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>";
    // Ranges of a map keep the first byte of a code.
    let ranges: String = [0x00, 0x09, 0x20, 0x2F, 0x30]
        .into_iter()
        .chain(0x4E..=0x9F)
        .chain([0xFF])
        .map(|high: u32| format!("<{high:02X}00> <{high:02X}FF> <{high:02X}00>\n"))
        .collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n\
         1 begincodespacerange <0000> <FFFF> endcodespacerange\n88 beginbfrange\n{ranges}endbfrange endcmap end end"
    );
    file(pages, "", &font, vec![inner.as_bytes().to_vec(), stream("", map.as_bytes())])
}

#[test]
fn lines_of_chinese_are_joined_without_spaces_and_indented_ones_start_paragraphs() {
    let page = wide(&[
        (50.0, 740.0, 16.0, "第一章　故乡"),
        (70.0, 700.0, 10.0, "我冒了严寒，回到相隔"),
        (50.0, 686.0, 10.0, "二千余里，别了二十余年的"),
        (50.0, 672.0, 10.0, "故乡去。"),
        (50.0, 658.0, 10.0, "　　时候既然是深冬；渐近"),
        (50.0, 644.0, 10.0, "故乡时，天气又阴晦了。"),
    ]);
    let text = outcome(&unicode(&[page], 'H')).unwrap();
    assert_eq!(
        text,
        "第一章 故乡\n\n我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。\n\n时候既然是深冬；渐近故乡时，天气又阴晦了。"
    );
}

#[test]
fn characters_set_one_by_one_are_not_spaced_out() {
    // Each character apart, with wide gaps around the comma, and a radical for a character.
    let mut lines = Vec::new();
    for (at, c) in
        ["吾", "輩", "は", "猫", "で", "あ", "る", "。", "⽇", "が", "出", "た", "。"].iter().enumerate()
    {
        let x = 50.0 + 10.0 * at as f32 + if at > 7 { 5.0 } else { 0.0 };
        lines.push((x, 700.0, 10.0, *c));
    }
    assert_eq!(outcome(&unicode(&[wide(&lines)], 'H')).unwrap(), "吾輩は猫である。日が出た。");
}

#[test]
fn vertical_columns_are_read_from_the_right() {
    let columns = ["吾輩は猫である。名前はまだ", "無い。どこで生れたかとんと", "見当がつかぬ。"];
    let lines: Vec<Line<'_>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| (500.0 - 18.0 * at as f32, 750.0, 10.0, *column))
        .collect();
    let whole = columns.concat();
    assert_eq!(outcome(&unicode(&[wide(&lines)], 'V')).unwrap(), whole);
    // Without a vertical font each character is placed by itself.
    let mut letters = Vec::new();
    let single: Vec<String> = whole.chars().map(String::from).collect();
    for (at, c) in single.iter().enumerate() {
        letters.push((500.0 - 18.0 * (at / 13) as f32, 750.0 - 10.0 * (at % 13) as f32, 10.0, c.as_str()));
    }
    assert_eq!(outcome(&unicode(&[wide(&letters)], 'H')).unwrap(), whole);
}

#[test]
fn words_of_devanagari_stay_whole() {
    let page = wide(&[
        (50.0, 740.0, 16.0, "अध्याय १"),
        (50.0, 700.0, 10.0, "जुम्मन शेख़ और अलगू चौधरी में"),
        (50.0, 686.0, 10.0, "गाढ़ी मित्रता थी। साझे में खेती होती थी।"),
    ]);
    let text = outcome(&unicode(&[page], 'H')).unwrap();
    assert_eq!(text, "अध्याय १\n\nजुम्मन शेख़ और अलगू चौधरी में गाढ़ी मित्रता थी। साझे में खेती होती थी।");
}

#[test]
fn french_hyphens_at_line_ends_are_those_of_the_author() {
    let page = wide(&[
        (
            50.0,
            740.0,
            10.0,
            "Les gens de mer furent particulièrement émus de cette apparition, et les négociants se préoc-",
        ),
        (
            50.0,
            726.0,
            10.0,
            "cupèrent de ce fait au plus haut point. « Que voulez-vous que ce soit ? demanda-t-",
        ),
        (50.0, 712.0, 10.0, "il au capitaine. — C’est peut-"),
        (
            50.0,
            698.0,
            10.0,
            "être une baleine », répondit l’autre, qui n’avait jamais rien vu de pareil sur la mer.",
        ),
    ]);
    let text = outcome(&unicode(&[page], 'H')).unwrap();
    assert!(
        text.contains("se préoccupèrent") && text.contains("demanda-t-il") && text.contains("peut-être"),
        "{text}"
    );
}

#[test]
fn chapters_in_the_size_of_the_text_are_known_by_their_words() {
    for (first, second, text) in [
        ("Capítulo primeiro", "Capítulo II", "Algum tempo hesitei se devia abrir estas memórias."),
        ("第一章", "第二章", "我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。"),
        ("अध्याय १", "अध्याय २", "जुम्मन शेख़ और अलगू चौधरी में गाढ़ी मित्रता थी।"),
    ] {
        let mut lines = vec![(50.0, 760.0, 10.0, first)];
        lines.extend((0..6).map(|at| (50.0, 720.0 - 12.0 * at as f32, 10.0, text)));
        lines.push((50.0, 600.0, 10.0, second));
        lines.extend((0..6).map(|at| (50.0, 560.0 - 12.0 * at as f32, 10.0, text)));
        let document = read(Kind::Pdf, &unicode(&[wide(&lines)], 'H'), &Limits::default()).unwrap();
        assert_eq!(titles(&document), [first, second]);
    }
}

#[test]
fn numbers_of_pages_in_other_scripts_are_dropped() {
    for number in ["第{}页", "{}ページ", "पृष्ठ {}"] {
        let pages: Vec<String> = (1..=5)
            .map(|page| {
                let foot = number.replace("{}", &page.to_string());
                let mut lines: Vec<Line<'_>> = (0..20)
                    .map(|at| (50.0, 700.0 - 14.0 * at as f32, 10.0, "我冒了严寒，回到相隔二千余里，"))
                    .collect();
                lines.push((280.0, 40.0, 10.0, &foot));
                wide(&lines)
            })
            .collect();
        let text = outcome(&unicode(&pages, 'H')).unwrap();
        assert!(!text.contains(|c: char| c.is_ascii_digit()), "{number}: {text}");
    }
}
