//! Titles of chapters that are not the text itself: "Contents", "Vorwort", "Du même auteur", `索引`. A
//! title alone is weak evidence: [`crate::roles`] looks at the text as well.

use crate::ChapterRole;

/// The longest title that names a role.
const MAX_TITLE_BYTES: usize = 160;

/// The role that a title names.
pub(crate) fn named_role(title: &str) -> Option<ChapterRole> {
    if title.len() > MAX_TITLE_BYTES {
        return None;
    }
    let title = normalized(title);
    if super::is_contents(&title) {
        return Some(ChapterRole::Toc);
    }
    let named = |list: &[(ChapterRole, &[&str])], is_one: &dyn Fn(&str) -> bool| {
        list.iter().find(|(_, names)| names.iter().any(|name| is_one(name))).map(|(role, _)| *role)
    };
    named(NAMES, &|name| title == name).or_else(|| named(BEGINNINGS, &|name| begins(&title, name)))
}

/// Whether a title begins with a name and goes on after it as a title does: "Appendix A",
/// "Appendix: The Maps", "Also by Ada Marlow".
fn begins(title: &str, name: &str) -> bool {
    let Some(rest) = title.strip_prefix(name) else { return false };
    rest.is_empty() || rest.starts_with([' ', ':', '.', '—', '–', '-', '、', '：'])
}

/// A title in lower case, without marks around it, and with one form of apostrophes.
fn normalized(title: &str) -> String {
    let lower = title.to_lowercase().replace(['’', 'ʼ'], "'").replace(['\u{A0}', '\u{202F}'], " ");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let joined = words.join(" ");
    let bare = joined.trim_matches(|c: char| !c.is_alphanumeric());
    ["the ", "les ", "die ", "das "]
        .iter()
        .find_map(|article| bare.strip_prefix(article))
        .unwrap_or(bare)
        .to_owned()
}

use ChapterRole::{
    Advertisement, Appendix, Bibliography, Copyright, Cover, Dedication, Foreword, Glossary, Imprint, Index,
    Licence, Notes, TitlePage, Toc,
};

/// Whole titles.
#[rustfmt::skip]
const NAMES: &[(ChapterRole, &[&str])] = &[
    (Cover, &["cover", "cover page", "front cover", "back cover", "umschlag", "umschlagseite", "couverture", "cubierta", "copertina",
        "capa", "omslag", "обложка", "表紙", "封面"]),
    (TitlePage, &["title page", "titlepage", "half title", "half-title", "halftitle", "half title page", "half-title page",
        "halftitlepage", "half-titlepage", "titelseite", "titelblatt", "schmutztitel", "page de titre", "faux-titre", "portada", "portadilla", "frontespizio",
        "occhiello", "folha de rosto", "página de título", "titelpagina", "титульный лист", "扉", "书名页", "扉页", "मुखपृष्ठ"]),
    (Imprint, &["imprint", "colophon", "impressum", "colofón", "colofon", "colophon", "cólofon", "achevé d'imprimer", "奥付"]),
    (Copyright, &["copyright", "copyright page", "copyright notice", "copyright information", "copyright and permissions",
        "copyright & permissions", "uncopyright", "legal notice", "urheberrecht", "copyrightseite", "mentions légales", "droits d'auteur",
        "derechos de autor", "página legal", "página de derechos", "note legali", "diritti d'autore", "direitos autorais",
        "ficha técnica", "版权", "版权页", "版权信息", "版权声明", "版權頁", "著作権表示"]),
    (Dedication, &["dedication", "widmung", "zueignung", "dédicace", "dedicatoria", "dedica", "dedicatória", "opdracht", "посвящение", "献辞",
        "献词", "獻詞", "समर्पण"]),
    (Toc, &["brief contents", "detailed contents", "contents in brief", "list of contents", "contents of this book", "list of illustrations", "illustrations",
        "list of figures", "list of tables", "list of maps", "list of plates", "abbildungsverzeichnis", "tabellenverzeichnis",
        "verzeichnis der abbildungen", "table des illustrations", "liste des illustrations", "table des figures", "table des chapitres", "table des matieres",
        "índice de ilustraciones", "lista de ilustraciones", "índice general", "indice generale", "indice delle illustrazioni",
        "lista de ilustrações", "índice geral", "inhoud", "inhoudsopgave", "оглавление", "содержание", "图目录", "図目次"]),
    (Foreword, &["foreword", "forward", "preface", "author's preface", "editor's preface", "translator's preface", "vorwort", "vorrede",
        "geleitwort", "zum geleit", "préface", "preface de l'auteur", "préface de l'auteur", "avant-propos", "avertissement", "prefacio", "prefazione", "premessa",
        "prefácio", "voorwoord", "предисловие", "序", "序文", "序言", "自序", "代序", "前言", "まえがき", "前書き", "प्रस्तावना", "भूमिका", "प्राक्कथन",
        "to the reader", "au lecteur", "an den leser", "al lettore", "al lector", "ao leitor"]),
    (Notes, &["notes", "endnotes", "end notes", "footnotes", "notes and references", "anmerkungen", "fußnoten", "fussnoten", "endnoten", "notes de fin",
        "notes de bas de page", "notas", "notas al pie", "notas finales", "note a piè di pagina", "note al testo", "notas de rodapé", "notas finais",
        "voetnoten", "noten", "примечания", "注", "注释", "註釋", "注解", "註", "訳注", "脚注", "टिप्पणियाँ"]),
    (Appendix, &["appendices", "anhänge", "annexes", "apéndices", "apêndices", "appendici", "附录", "附錄", "付録", "附録", "परिशिष्ट", "приложения"]),
    (Glossary, &["glossary", "glossary of terms", "glossar", "glossaire", "glosario", "glossario", "glossário", "woordenlijst", "глоссарий",
        "用語集", "用語解説", "术语表", "词汇表", "शब्दावली"]),
    (Bibliography, &["bibliography", "select bibliography", "selected bibliography", "works cited", "references", "further reading",
        "sources", "literatur", "literaturverzeichnis", "bibliographie", "références", "références bibliographiques", "bibliografía", "referencias",
        "bibliografia", "riferimenti bibliografici", "referências", "referências bibliográficas", "literatuur", "библиография", "список литературы",
        "参考文献", "參考文獻", "संदर्भ", "संदर्भ ग्रंथ सूची"]),
    (Index, &["index", "general index", "subject index", "name index", "author index", "index of names", "index of first lines", "register", "sachregister",
        "personenregister", "namenregister", "namensregister", "ortsregister", "stichwortverzeichnis", "index des noms", "index général", "índice alfabético",
        "índice onomástico", "índice analítico", "índice temático", "indice analitico", "indice dei nomi", "índice remissivo", "указатель", "索引"]),
    (Licence, &["license", "licence", "license agreement", "full project gutenberg license", "project gutenberg license",
        "full project gutenberg licence", "full license", "lizenz", "lizenzbestimmungen", "licencia", "licenza", "licença", "лицензия", "许可证", "许可协议"]),
    (Advertisement, &["by the same author", "by this author", "advertisements", "other titles", "du même auteur", "de la même autrice", "dans la même collection",
        "vom selben autor", "vom gleichen autor", "von derselben autorin", "werbung", "anzeigen", "weitere titel", "weitere bücher", "del mismo autor",
        "de la misma autora", "otros títulos", "dello stesso autore", "della stessa autrice", "altri titoli", "do mesmo autor", "da mesma autora",
        "outros títulos", "作者其他作品"]),
];

/// Titles that go on after these words.
#[rustfmt::skip]
const BEGINNINGS: &[(ChapterRole, &[&str])] = &[
    (Foreword, &["foreword by", "foreword to", "preface by", "preface to", "vorwort zur", "vorwort von", "préface de", "préface à", "prefacio de", "prefacio a", "prefazione di",
        "prefazione alla", "prefácio de", "prefácio à"]),
    (Appendix, &["appendix", "anhang", "annexe", "appendice", "apéndice", "apêndice", "anexo", "bijlage", "приложение", "附录", "附錄", "付録"]),
    (Notes, &["notes to"]),
    (Advertisement, &["also by", "also available", "also from", "other books by", "other books from", "other titles by", "other titles from",
        "other works by", "more books by", "more from", "books by", "novels by", "works by", "also in this series", "weitere bücher von", "weitere titel von",
        "weitere werke von", "bücher von", "von derselben", "du même", "autres livres de", "ouvrages de", "otros libros de", "otras obras de", "libros de", "altri libri di",
        "outros livros de", "livros de"]),
];

#[cfg(test)]
mod tests {
    use super::{ChapterRole, named_role};

    #[test]
    fn titles_name_roles_in_several_languages() {
        for (title, role) in [
            ("THE CONTENTS", ChapterRole::Toc),
            ("Table des Matières", ChapterRole::Toc),
            ("Inhaltsverzeichnis", ChapterRole::Toc),
            ("List of Illustrations.", ChapterRole::Toc),
            ("Vorwort", ChapterRole::Foreword),
            ("PRÉFACE.", ChapterRole::Foreword),
            ("Preface to the Second Edition", ChapterRole::Foreword),
            ("Uncopyright", ChapterRole::Copyright),
            ("Impressum", ChapterRole::Imprint),
            ("Appendix B: The Maps", ChapterRole::Appendix),
            ("Also by Ada Marlow", ChapterRole::Advertisement),
            ("Du même auteur", ChapterRole::Advertisement),
            ("The Full Project Gutenberg License", ChapterRole::Licence),
            ("索引", ChapterRole::Index),
            ("まえがき", ChapterRole::Foreword),
        ] {
            assert_eq!(named_role(title), Some(role), "{title}");
        }
        for title in [
            "The Index of Fear",
            "Notes from Underground",
            "Covered",
            "Introduction",
            "Prologue",
            "I",
            "A Preface",
            "",
        ] {
            assert_eq!(named_role(title), None, "{title}");
        }
    }
}
