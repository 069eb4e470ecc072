//! Books in the languages that Lectern reads: language, chapters, text and chunks. The texts are the
//! beginnings of works in the public domain.

use encoding_rs::{BIG5, EUC_JP, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, WINDOWS_1252};
use lectern_documents::{
    CHUNK_CHARACTERS, ChapterRole, Document, Kind, Limits, chunks, detect, extract, language, read,
};
use lectern_types::LanguageSource;
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    book::Book,
    cases::{document, texts, titles},
    docx::{self, para},
};

const LONG: usize = 120;

/// The texts of the fixture that are to be named: their language and the text.
fn texts_to_name() -> Vec<(String, String)> {
    let all: Value = serde_json::from_str(include_str!("../fixtures/language/texts.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    all["read"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (text(&entry["language"]), text(&entry["text"])))
        .collect()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

#[test]
fn short_and_long_texts_of_each_language_are_named() {
    let (mut short, mut long) = (0, 0);
    for (tag, text) in texts_to_name() {
        assert!(letters(&text) >= 40, "{} letters: {text}", letters(&text));
        assert_eq!(language::detect(&text), Some(tag.as_str()), "{text}");
        *(if letters(&text) < LONG { &mut short } else { &mut long }) += 1;
    }
    assert!(short >= 24 && long >= 8, "{short} {long}");
}

#[test]
fn under_forty_letters_nothing_is_named_also_where_a_letter_is_a_word() {
    for text in [
        "我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。",
        "吾輩は猫である。名前はまだ無い。",
        "वह एक बूढ़ा आदमी था।",
    ] {
        assert!(letters(text) < 40);
        assert_eq!(language::detect(text), None, "{text}");
    }
}

/// The books of the folder `fixtures/languages`, made by `make_languages.py`.
const BOOKS: [(&str, &str, &str, &[u8]); 7] = [
    (
        "fr",
        "Vingt mille lieues sous les mers",
        "Jules Verne",
        include_bytes!("../fixtures/languages/fr.epub"),
    ),
    ("it", "Le avventure di Pinocchio", "Carlo Collodi", include_bytes!("../fixtures/languages/it.epub")),
    (
        "pt-BR",
        "Memórias póstumas de Brás Cubas",
        "Machado de Assis",
        include_bytes!("../fixtures/languages/pt-BR.epub"),
    ),
    (
        "es",
        "El ingenioso hidalgo don Quijote de la Mancha",
        "Miguel de Cervantes Saavedra",
        include_bytes!("../fixtures/languages/es.epub"),
    ),
    ("zh-CN", "呐喊", "鲁迅", include_bytes!("../fixtures/languages/zh-CN.epub")),
    ("ja", "吾輩は猫である", "夏目漱石", include_bytes!("../fixtures/languages/ja.epub")),
    ("hi", "प्रेमचंद की कहानियाँ", "प्रेमचंद", include_bytes!("../fixtures/languages/hi.epub")),
];

#[test]
fn a_book_of_each_language_has_its_language_chapters_and_text() {
    for (tag, title, author, bytes) in BOOKS {
        assert!(bytes.len() < 20_000);
        assert_eq!(detect(bytes, bytes), Ok(Kind::Epub), "{tag}");
        let book = read(Kind::Epub, bytes, &Limits::default()).unwrap();
        assert_eq!((book.title.as_deref(), book.author.as_deref()), (Some(title), Some(author)));
        assert_eq!(book.language.as_deref(), Some(tag));
        assert_eq!(book.chapters.len(), 2, "{tag}: {:?}", titles(&book));
        assert!(book.text.starts_with(&*titles(&book)[0].replace('　', " ")), "{tag}: {:.80}", book.text);
        assert!(!book.text.contains('<') && !book.text.contains("わがはい"), "{tag}");
        let read = extract(Kind::Epub, bytes, &Limits::default()).unwrap();
        assert_eq!(read.chunks.len(), 2, "{tag}");
        for chunk in &read.chunks {
            assert_eq!(chunk.characters as usize, read.text[chunk.range.clone()].chars().count());
        }
        // The text alone says the same language.
        assert_eq!(language::detect(&book.text), tag.split('-').next(), "{tag}");
    }
}

#[test]
fn ruby_is_read_once() {
    let page = "<ruby><rb>見当</rb><rp>（</rp><rt>けんとう</rt><rp>）</rp></ruby>がつかぬ。<ruby>\n<rb>薄</rb>\n<rt>うす</rt>\n\
                <rb>暗</rb>\n<rt>ぐら</rt>\n</ruby>い所で<ruby>獰<rt>どう</rt>悪<rt>あく</rt></ruby>な";
    let expected = "見当がつかぬ。薄暗い所で獰悪な";
    assert_eq!(document(Kind::Html, format!("<html><body><p>{page}</p></body></html>")).text, expected);
    let book = Book::default().page("a.xhtml", &format!("<p>{page}</p>"));
    assert_eq!(read(Kind::Epub, &book.epub(), &Limits::default()).unwrap().text, expected);
}

#[test]
fn a_page_headed_contents_that_is_mostly_links_is_a_list_of_contents() {
    for heading in [
        "Contents",
        "Table des matières",
        "Indice",
        "Índice",
        "Sumário",
        "Inhalt",
        "目　次",
        "目录",
        "विषय-सूची",
    ] {
        let lines: String = (1..5).map(|n| format!("<p><a href=\"a.xhtml#{n}\">{n}</a></p>")).collect();
        let story = "<p>Text.</p>";
        let book =
            Book::default().page("t.xhtml", &format!("<h2>{heading}</h2>{lines}")).page("a.xhtml", story);
        let document = read(Kind::Epub, &book.epub(), &Limits::default()).unwrap();
        let roles: Vec<ChapterRole> = document.chapters.iter().map(|chapter| chapter.role).collect();
        assert_eq!(roles, [ChapterRole::Toc, ChapterRole::Body], "{heading}");
    }
    // Links under another heading are text.
    let lines: String = (1..5).map(|n| format!("<p><a href=\"a.xhtml#{n}\">Verse {n}</a></p>")).collect();
    let book =
        Book::default().page("t.xhtml", &format!("<h2>Songs</h2>{lines}")).page("a.xhtml", "<p>Text.</p>");
    assert!(read(Kind::Epub, &book.epub(), &Limits::default()).unwrap().text.contains("Verse 2"));
}

fn plain(text: &str) -> Document {
    document(Kind::PlainText, text)
}

#[test]
fn plain_texts_have_chapters_in_each_language() {
    for (text, expected) in [
        (
            "Vingt mille lieues sous les mers\n\nPREMIÈRE PARTIE\n\nCHAPITRE PREMIER\n\nUN ÉCUEIL FUYANT\n\nL’année 1866 fut marquée \
             par un événement bizarre.\n\nCHAPITRE II\n\nLE POUR ET LE CONTRE\n\nÀ l’époque où ces événements se produisirent, je \
             revenais d’une exploration.\n",
            &[
                "-",
                "PREMIÈRE PARTIE",
                "CHAPITRE PREMIER: UN ÉCUEIL FUYANT",
                "CHAPITRE II: LE POUR ET LE CONTRE",
            ][..],
        ),
        (
            "Prefazione\n\nUn libro.\n\nCAPITOLO PRIMO\n\nC’era una volta un pezzo di legno.\n\nCAPITOLO SECONDO\n\nIn quel punto fu \
             bussato alla porta.\n\nParte di noi restò a casa.\n",
            &["Prefazione", "CAPITOLO PRIMO", "CAPITOLO SECONDO"],
        ),
        (
            "Ao leitor\n\nQue Stendhal confessasse.\n\nCAPÍTULO PRIMEIRO / ÓBITO DO AUTOR\n\nAlgum tempo hesitei.\n\nCAPÍTULO II / O \
             EMPLASTO\n\nCom efeito, um dia de manhã.\n",
            &["Ao leitor", "CAPÍTULO PRIMEIRO / ÓBITO DO AUTOR", "CAPÍTULO II / O EMPLASTO"],
        ),
        (
            "Prólogo\n\nDesocupado lector.\n\nPrimera parte\n\nCapítulo primero. Que trata de la condición del famoso hidalgo\n\nEn un \
             lugar de la Mancha.\n\nCapítulo aparte merece la sobrina.\n\nCapítulo II. De la primera salida\n\nHechas estas \
             prevenciones.\n\nEpílogo\n\nFin.\n",
            &[
                "Prólogo",
                "Primera parte",
                "Capítulo primero. Que trata de la condición del famoso hidalgo",
                "Capítulo II. De la primera salida",
                "Epílogo",
            ],
        ),
        (
            "Vorrede\n\nEin Wort zuvor.\n\nErstes Buch\n\n1. Kapitel\n\nEs war einmal.\n\n2. Kapitel\n\nEr ging fort.\n",
            &["Vorrede", "Erstes Buch", "1. Kapitel", "2. Kapitel"],
        ),
        // No blank lines, as texts from the web have them.
        (
            "呐喊\n第一章　故乡\n　　我冒了严寒，回到故乡去。\n　　时候既然是深冬。\n第二章　风波\n　　临河的土场上。第三章里他写道。\n　　第三章是最长的。\n尾声\n　　完。\n",
            &["-", "第一章 故乡", "第二章 风波"],
        ),
        // A list of contents, a volume and its first chapter, and no blank lines at all.
        (
            "呐喊\n目录\n第一章　故乡\n第二章　风波\n第三章　明天\n第一卷　上\n第一章　故乡\n　　我冒了严寒，回到故乡去。\n第二章　风波\n　　临河的土场上。\n",
            &["-", "第一章 故乡", "第二章 风波"],
        ),
        (
            "第一卷　风起\n第一章　故乡\n　　我冒了严寒，回到故乡去。\n第二章　风波\n　　临河的土场上。\n",
            &["第一卷 风起", "第一章 故乡", "第二章 风波"],
        ),
        (
            "序章\n\n　海が鳴った。\n\n第一回\n\n灯台守\n\n　彼は波を数えた。\n\n第二回　嵐\n\n　夜が来た。\n\n終章\n\n　朝。\n",
            &["序章", "第一回: 灯台守", "第二回 嵐", "終章"],
        ),
        // Numbers alone, as in the books of Aozora Bunko and of Premchand.
        (
            "吾輩は猫である\n\n一\n\n　吾輩は猫である。\n\n二\n\n　吾輩は新年来多少有名になった。\n\n三\n\n　三毛子は死ぬ。\n",
            &["-", "一", "二", "三"],
        ),
        (
            "गोदान\n\nएक\n\nहोरी ने दोनों बैलों को सानी-पानी देकर कहा।\n\nदो\n\nसेमरी और बेलारी दोनों अवध प्रांत के गाँव हैं।\n\nतीन\n\nहोरी अपने गाँव के समीप \
             पहुँचा।\n",
            &["-", "एक", "दो", "तीन"],
        ),
        (
            "भूमिका\n\nयह पुस्तक है।\n\nअध्याय १\n\nपंच परमेश्वर\n\nजुम्मन शेख़ और अलगू चौधरी में गाढ़ी मित्रता थी।\n\nदूसरा अध्याय\n\nरमज़ान के पूरे तीस रोज़ों \
             के बाद ईद आयी है।\n\nउपसंहार\n\nसमाप्त।\n",
            &["भूमिका", "अध्याय १: पंच परमेश्वर", "दूसरा अध्याय", "उपसंहार"],
        ),
    ] {
        let document = plain(text);
        assert_eq!(titles(&document), expected);
        assert_eq!(document.text, text);
    }
}

#[test]
fn lists_of_contents_and_sentences_start_no_chapters() {
    for text in [
        "Indice\n\nCapitolo I\nCapitolo II\nCapitolo III\n\nC’era una volta un pezzo di legno.\n",
        "目录\n\n第一章　故乡\n第二章　风波\n第三章　阿Q正传\n\n我冒了严寒，回到故乡去。\n",
        "विषय-सूची\n\nअध्याय १\nअध्याय २\nअध्याय ३\n\nजुम्मन शेख़ और अलगू चौधरी में गाढ़ी मित्रता थी।\n",
        "Capítulo a capítulo, ele leu o livro.\n\nParte da noite passou.\n\nLivro fechado, saiu.\n",
    ] {
        let document = plain(text);
        assert!(document.chapters.len() <= 1, "{:?}", titles(&document));
    }
}

#[test]
fn a_gutenberg_head_in_another_language_names_the_book() {
    let text = "The Project Gutenberg EBook of Le tour du monde\n\nTitre: Le tour du monde en quatre-vingts jours\n\n\
                Auteur : Jules Verne\n\nLangue: Français\n\nEn l’année 1872, la maison portait le numéro 7.\n";
    let document = plain(text);
    assert_eq!(document.title.as_deref(), Some("Le tour du monde en quatre-vingts jours"));
    assert_eq!(document.author.as_deref(), Some("Jules Verne"));
    assert_eq!(document.language.as_deref(), Some("fr"));
}

const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で\
                        ニャーニャー泣いていた事だけは記憶している。";
const SIMPLIFIED: &str = "我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。\n时候既然是深冬；渐近故乡时，天气又阴晦了，\
                          冷风吹进船舱中，呜呜的响。";
const TRADITIONAL: &str = "我冒了嚴寒，回到相隔二千餘里，別了二十餘年的故鄉去。\n時候既然是深冬；漸近故鄉時，天氣又陰晦了，\
                           冷風吹進船艙中，嗚嗚的響。";
const FRENCH: &str = "L’année 1866 fut marquée par un événement bizarre, un phénomène inexpliqué et inexplicable que personne \
                      n’a sans doute oublié. « Où ? » demanda-t-il.";

#[test]
fn plain_texts_are_read_in_the_encodings_of_their_languages() {
    for (encoding, text) in [
        (SHIFT_JIS, JAPANESE),
        (EUC_JP, JAPANESE),
        (ISO_2022_JP, JAPANESE),
        (GB18030, SIMPLIFIED),
        (BIG5, TRADITIONAL),
        (WINDOWS_1252, FRENCH),
    ] {
        let encoding: &Encoding = encoding;
        let (bytes, _, lost) = encoding.encode(text);
        assert!(!lost, "{}", encoding.name());
        assert_eq!(document(Kind::PlainText, &bytes).text, text, "{}", encoding.name());
    }
    for text in [JAPANESE, SIMPLIFIED, TRADITIONAL, FRENCH, "वह एक बूढ़ा आदमी था।"]
    {
        for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
            let marked = [&unit(0xFEFF), bytes.as_slice()].concat();
            assert_eq!(document(Kind::PlainText, marked).text, text);
            // Hindi without a mark is not told from other encodings.
            if !text.starts_with('व') {
                assert_eq!(document(Kind::PlainText, bytes).text, text);
            }
        }
    }
}

#[test]
fn styles_of_word_are_known_by_their_names_in_each_language() {
    for (heading, listing) in [
        ("Titre 1", "TM 1"),
        ("Überschrift 1", "Verzeichnis 1"),
        ("Título 1", "TDC 1"),
        ("Titolo 1", "Sommario 1"),
        ("見出し 1", "目次 1"),
        ("标题 1", "目录 1"),
        ("標題 1", "目錄 1"),
        ("शीर्षक 1", "विषय-सूची 1"),
    ] {
        let styles = format!(
            "<w:styles xmlns:w=\"w\"><w:style w:type=\"paragraph\" w:styleId=\"1\"><w:name w:val=\"{heading}\"/></w:style>\
             <w:style w:type=\"paragraph\" w:styleId=\"11\"><w:name w:val=\"{listing}\"/></w:style></w:styles>"
        );
        let paragraph = |style: &str, text: &str| {
            format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
        };
        let body = docx::body(
            &[paragraph("11", "A\t3"), paragraph("1", "A"), para("One."), paragraph("1", "B"), para("Two.")]
                .concat(),
        );
        let file =
            docx::zip(&[("word/styles.xml", styles.as_bytes()), ("word/document.xml", body.as_bytes())]);
        let document = read(Kind::Docx, &file, &Limits::default()).unwrap();
        assert_eq!(titles(&document), ["A", "B"], "{heading}");
        assert_eq!(document.text, "A\n\nOne.\n\nB\n\nTwo.", "{listing}");
    }
}

#[test]
fn headings_of_markdown_and_html_are_chapters_and_lines_of_the_source_no_spaces() {
    let text = "# 第一章　故乡\n\n我冒了严寒，\n回到故乡去。\n\n# 第二章　风波\n\nin English\nwords\n";
    let document = document(Kind::Markdown, text);
    assert_eq!(titles(&document), ["第一章 故乡", "第二章 风波"]);
    assert!(
        document.text.contains("严寒，回到") && document.text.contains("English words"),
        "{}",
        document.text
    );
    let page = "<html lang=\"ja\"><body><h2>その一</h2><p>彼は\n  波を\n数えた。ABC\nDEF</p><h2>その二</h2><p>夜。</p></body></html>";
    let document = crate::cases::document(Kind::Html, page);
    assert_eq!(titles(&document), ["その一", "その二"]);
    // Indented lines have spaces that may be meant.
    assert!(document.text.contains("波を数えた。ABC DEF"), "{}", document.text);
}

/// The chunks of a text in a language, at most `cap` characters each.
fn cut(language: &str, text: &str, cap: usize) -> Vec<String> {
    let document = Document { language: Some(language.to_owned()), ..plain(text) };
    let cut = chunks(&document, cap);
    assert_eq!(texts(&document, &cut).concat(), text);
    texts(&document, &cut).into_iter().map(str::to_owned).collect()
}

#[test]
fn chunks_end_with_the_sentences_of_each_language() {
    for (language, cap, text, first) in [
        (
            "hi",
            60,
            "साझे में खेती होती थी।कुछ लेन-देन में भी साझा था॥ एक को दूसरे पर अटल विश्वास था और रहेगा भी।",
            "साझे में खेती होती थी।कुछ लेन-देन में भी साझा था॥ ",
        ),
        (
            "zh",
            30,
            "“这不是我二十年来时时记得的故乡？”我所记得的故乡全不如此，我的故乡好得多了。",
            "“这不是我二十年来时时记得的故乡？”",
        ),
        (
            "ja",
            40,
            "名前はまだ無い！？どこで生れたか見当がつかぬ。「行く。」と彼は言った、それから二人は歩いた。",
            "名前はまだ無い！？どこで生れたか見当がつかぬ。",
        ),
        (
            "fr",
            60,
            "« Où est-il ? » Personne ne répondit. « Au fond. » Alors le capitaine descendit, seul, dans la cale.",
            "« Où est-il ? » Personne ne répondit. « Au fond. » ",
        ),
        (
            "fr",
            40,
            "Il s’arrêta. « Venez ! — dit-il tout bas à Conseil — et ne dites rien. »",
            "Il s’arrêta. ",
        ),
        (
            "es",
            50,
            "¿Quién eres? ¡Nadie! —¿Y de dónde vienes? —preguntó el rey, que no entendía nada de nada.",
            "¿Quién eres? ¡Nadie! ",
        ),
        (
            "it",
            60,
            "Guai a chiamarlo Polendina! Diventava subito una bestia. Il sig. Geppetto era bizzosissimo davvero.",
            "Guai a chiamarlo Polendina! Diventava subito una bestia. ",
        ),
        (
            "pt",
            60,
            "Súbito, deu um grande salto. A Sra. Dolores viu tudo. Estendeu os braços e as pernas, até o fim.",
            "Súbito, deu um grande salto. A Sra. Dolores viu tudo. ",
        ),
        (
            "de",
            45,
            "Er kam spät heim. »Wer ist da?« »Ich bin es«, sagte der alte Mann und lachte laut.",
            "Er kam spät heim. »Wer ist da?« ",
        ),
    ] {
        assert_eq!(cut(language, text, cap)[0], first, "{language}");
    }
}

#[test]
fn chunks_count_scalar_values_and_cut_no_cluster() {
    for text in [
        "क्षत्रिय".repeat(40),
        "𠮷野家で牛丼を食べた".repeat(20),
        "か\u{3099}き\u{3099}く\u{3099}".repeat(30),
        "葛\u{E0100}飾区".repeat(30),
        "नि\u{200D}र्मला ".repeat(30),
    ] {
        let document = plain(&text);
        let text = &document.text;
        let boundaries: Vec<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
        for cap in 20..40 {
            let cut = chunks(&document, cap);
            assert_eq!(texts(&document, &cut).concat(), *text);
            for chunk in &cut {
                let own = &text[chunk.range.clone()];
                assert!(chunk.characters as usize <= cap && chunk.characters as usize == own.chars().count());
                assert!(boundaries.contains(&chunk.range.end), "{own}");
            }
        }
    }
}

// The only space, after the number, is no place to cut.
#[test]
fn a_text_without_stops_is_cut_near_the_limit_not_at_a_far_space() {
    let text = format!("第一 {}", "春夏秋冬".repeat(2_000));
    let document = plain(&text);
    let cut = chunks(&document, CHUNK_CHARACTERS);
    assert_eq!(cut.len(), 2, "{:?}", cut.iter().map(|chunk| chunk.characters).collect::<Vec<_>>());
}

#[test]
fn long_titles_of_chapters_are_cut_to_their_limit() {
    let long = "贾雨村风尘怀闺秀".repeat(60);
    let document = document(Kind::Markdown, format!("# {long}\n\n一。\n\n# 第二回\n\n二。\n"));
    let title = titles(&document)[0];
    assert!(title.chars().count() <= 200 && title.ends_with('…'), "{title}");
    // A line of a plain text that is too long is no title.
    assert_eq!(titles(&plain(&format!("第一回　{long}\n\n一。\n"))), ["-"]);
    let title = "第一回　甄士隐梦幻识通灵　贾雨村风尘怀闺秀";
    assert_eq!(
        titles(&plain(&format!("{title}\n\n此开卷第一回也。\n\n第二回\n\n却说封肃。\n"))),
        [&title.replace('　', " "), "第二回"]
    );
}

#[test]
fn a_declared_language_is_kept_with_its_region() {
    let html =
        format!("<html lang=\"pt-BR\"><body><p>{}</p></body></html>", "Algum tempo hesitei. ".repeat(9));
    let found = extract(Kind::Html, html.as_bytes(), &Limits::default()).unwrap().language.unwrap();
    assert_eq!((found.tag.as_str(), found.source), ("pt-BR", LanguageSource::Declared));
}
