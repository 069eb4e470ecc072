//! Headings of chapters and parts by their words, in the languages that Lectern reads: "CHAPTER I.
//! The Harbour", "Chapitre premier", `第一章 海港`, `अध्याय १`. Used where a file does not mark its
//! headings, or does not say which of them are parts.
//!
//! A sentence may begin with the same words, so a number must follow or come before, and what comes
//! after the number must look like a title.

mod devanagari;
mod east_asian;
mod latin;
mod notes;
mod numbers;
mod role_names;

pub(crate) use east_asian::is_sure as is_sure_east_asian;
pub(crate) use notes::{NoteWords, note_words};
pub(crate) use numbers::digit;
pub(crate) use role_names::named_role;

/// The longest line that is a chapter title.
pub(crate) const MAX_LINE_CHARACTERS: usize = 100;

/// `Some` if the line starts a chapter, with whether it is only a number, without a title.
pub(crate) fn chapter_line(line: &str) -> Option<bool> {
    if line.len() > 4 * MAX_LINE_CHARACTERS
        || line.chars().take(MAX_LINE_CHARACTERS + 1).count() > MAX_LINE_CHARACTERS
    {
        return None;
    }
    let line = line.trim();
    match line.chars().next()? {
        '\u{900}'..='\u{97F}' => devanagari::chapter_line(line),
        '\u{2E80}'..='\u{9FFF}' => east_asian::chapter_line(line),
        _ => latin::chapter_line(line),
    }
}

/// Whether a title is that of a part above chapters.
pub(crate) fn is_part(title: &str) -> bool {
    match title.chars().next() {
        Some('\u{900}'..='\u{97F}') => devanagari::is_part(title),
        Some('\u{2E80}'..='\u{9FFF}') => east_asian::is_part(title),
        _ => latin::is_part(&title.to_lowercase()),
    }
}

/// The word that names the kind of a part: "book", `卷`; the same for all parts of a kind.
pub(crate) fn part_kind(title: &str) -> String {
    match title.chars().next() {
        Some('\u{900}'..='\u{97F}' | '\u{2E80}'..='\u{9FFF}') => {
            let is_number = |c: &char| digit(*c).is_none() && !numbers::is_east_asian_digit(*c);
            title.chars().filter(is_number).take(2).collect()
        }
        _ => latin::part_kind(&title.to_lowercase()),
    }
}

/// Whether a chapter of this title belongs to the whole book, also after its last part.
pub(crate) fn closes_book(title: &str) -> bool {
    let word = title.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    CLOSING.contains(&word.as_str())
}

/// Titles of last chapters, in lower case.
const CLOSING: &[&str] = &[
    "epilogue",
    "afterword",
    "conclusion",
    "postscript",
    "epilog",
    "nachwort",
    "schlusswort",
    "épilogue",
    "postface",
    "epílogo",
    "posfacio",
    "epilogo",
    "postfazione",
    "posfácio",
    "эпилог",
    "acknowledgments",
    "acknowledgements",
];

/// Whether a heading says that a list of contents follows.
pub(crate) fn is_contents(heading: &str) -> bool {
    let heading: String = heading.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    CONTENTS.contains(&heading.trim_end_matches([':', '.', '：']))
}

/// Headings of lists of contents, in lower case and without spaces.
#[rustfmt::skip]
const CONTENTS: &[&str] = &[
    "contents", "tableofcontents", "tabledesmatières", "sommaire", "table", "indice", "sommario", "índice", "sumário", "conteúdo",
    "contenido", "tabladecontenido", "tabladecontenidos", "tábuadematérias", "inhalt", "inhaltsverzeichnis", "目次", "もくじ", "目录",
    "目錄", "目録", "विषय-सूची", "विषयसूची", "अनुक्रमणिका", "अनुक्रम", "सूची",
];

/// The value of a line that is only a Roman or Chinese numeral or a Hindi number word.
pub(crate) fn bare_number(line: &str) -> Option<u32> {
    numbers::bare(line)
}

#[cfg(test)]
mod tests {
    use super::{chapter_line, is_part};

    #[track_caller]
    fn all(lines: &[&str], expected: bool) {
        for line in lines {
            assert_eq!(chapter_line(line).is_some(), expected, "{line}");
        }
    }

    #[test]
    fn lines_of_chapters_are_told_from_sentences() {
        all(
            &[
                "CHAPTER I.",
                "Chapter 12",
                "CHAPTER XIV. The Long Night",
                "Chapter Twenty-One: Home",
                "PROLOGUE",
                "Preface",
                "PART THE SECOND",
                "BOOK ONE",
                "Kapitel 3",
                "ГЛАВА 5",
                "Letter 4",
                "Chapter 7 The Harbour",
                "INTRODUCTION TO THE SECOND EDITION",
            ],
            true,
        );
        all(
            &[
                "Chapter 12 was the longest.",
                "chapter 3",
                "Part of the crew stayed.",
                "Book early!",
                "Introduction of steam",
                "The chapter",
                "Letter to a friend",
                "Chapters 1 and 2",
                "Act now.",
                "First part of the story",
                "Section houses stood along the line, and in each of them a lamp was burning although it was a bright day in June",
            ],
            false,
        );
    }

    #[test]
    fn chapters_of_romance_languages_and_german() {
        all(
            &[
                "Chapitre premier",
                "CHAPITRE PREMIER",
                "Chapitre IV",
                "CHAPITRE XII. — Où l’on voit le capitaine",
                "Chapitre 3 : Le phare",
                "Première partie",
                "DEUXIÈME PARTIE",
                "Tome II",
                "Livre troisième",
                "Acte III",
                "Prologue",
                "Épilogue",
                "ÉPILOGUE",
                "Avant-propos",
                "Note de l’auteur",
                "CAPITOLO PRIMO",
                "Capitolo IX: La balena",
                "Parte prima",
                "Parte terza",
                "Prefazione",
                "Introduzione",
                "Capítulo 12",
                "CAPÍTULO PRIMERO",
                "Capítulo primero. Que trata de la condición del famoso hidalgo",
                "Capítulo XXIII",
                "Primera parte",
                "Capítulo 4 ¿Quién llama?",
                "Prólogo",
                "Introducción",
                "Primeira parte",
                "CAPÍTULO PRIMEIRO",
                "Capítulo 1.º",
                "Capítulo CXVI / Filosofia das folhas velhas",
                "Prefácio",
                "Ao leitor",
                "Erster Teil",
                "Zweites Buch",
                "3. Kapitel",
                "Vorrede",
                "Cap. IV",
            ],
            true,
        );
        all(
            &[
                "Chapitre après chapitre, il lisait.",
                "Chapitre premier de sa vie, qu’il oublia.",
                "Première partie de la nuit",
                "Partie de bonne heure, elle arriva tard.",
                "Livre en main, il sortit.",
                "Acte de naissance",
                "Capitolo dopo capitolo la storia cresceva.",
                "Parte di noi restò a casa.",
                "Libro e moschetto",
                "Capítulo aparte merece la cocina.",
                "Capítulo 12 era el más largo.",
                "Parte de la tripulación se quedó.",
                "Parte dos homens partiu.",
                "Libro en mano, salió a la calle.",
                "Primeira parte do caminho",
                "Segunda-feira, parte da manhã",
                "Teil des Ganzen",
                "Cap. Nemo",
            ],
            false,
        );
    }

    #[test]
    fn chapters_of_chinese_and_japanese() {
        all(
            &[
                "第一章",
                "第一章 海港",
                "第一章　海港",
                "第一章海港",
                "第12章",
                "第１２章　灯台",
                "第 一 章 开端",
                "第三回",
                "第一回　甄士隐梦幻识通灵　贾雨村风尘怀闺秀",
                "第二部 风暴",
                "第二十三節",
                "第三話「灯台守」",
                "その一",
                "其の二　海",
                "卷一",
                "上巻",
                "序章",
                "序",
                "終章　夜明け",
                "プロローグ",
                "エピローグ",
                "あとがき",
                "楔子",
                "尾声",
                "后记",
            ],
            true,
        );
        all(
            &[
                "第三章是最长的。",
                "第一章で述べたように",
                "第一章では、灯台について述べた。",
                "第三章里他写道",
                "第一回目の航海",
                "第二部分",
                "第一次",
                "第一印象很好",
                "その一人が言った。",
                "其中一个",
                "序文によると、",
                "上部",
                "一番",
                "プロローグは短い。",
                "后记里说",
            ],
            false,
        );
        assert_eq!(chapter_line("第一章"), Some(true));
        assert_eq!(chapter_line("第一章　海港"), Some(false));
    }

    #[test]
    fn chapters_of_hindi() {
        all(
            &[
                "अध्याय १",
                "अध्याय 12",
                "अध्याय - 3",
                "अध्याय एक",
                "अध्याय १: नदी का किनारा",
                "पहला अध्याय",
                "प्रथम खंड",
                "भाग २",
                "भाग दो",
                "दूसरा भाग",
                "प्रस्तावना",
                "भूमिका",
                "उपसंहार",
                "दो शब्द",
            ],
            true,
        );
        all(
            &[
                "अध्याय समाप्त हुआ।",
                "भाग जाओ",
                "भाग एक में वह नदी पर गया था।",
                "भाग्य का खेल",
                "पहला अध्याय बहुत लंबा था।",
                "भूमिका में लिखा है",
                "दो शब्द कहकर वह चला गया।",
                "अंक 5 है",
            ],
            false,
        );
        assert_eq!(chapter_line("पहला अध्याय"), Some(true));
    }

    #[test]
    fn parts_stand_above_chapters() {
        for title in ["Part One", "Première partie", "第一部", "第二卷 风暴", "上巻", "भाग २", "पहला भाग"]
        {
            assert!(is_part(title), "{title}");
        }
        for title in ["第一章", "第一回 海港", "अध्याय १", "Chapitre 2", ""] {
            assert!(!is_part(title), "{title}");
        }
    }
}
