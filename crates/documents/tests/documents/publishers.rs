//! The roles in books as publishers of eight countries make them: without `epub:type`, known by titles and text alone. At
//! least 95 % of the parts get their role, and nothing that should be read is left out.
//!
//! Negative control: without titles of pages that the table of contents passes over, two parts of the English book are
//! body.

mod sentences;

use lectern_documents::{ChapterRole, Document, Kind, Limits, read};

use self::sentences::{CHINESE, ENGLISH, FRENCH, GERMAN, ITALIAN, JAPANESE, PORTUGUESE, SPANISH};
use crate::book::Book;
use ChapterRole::{
    Advertisement, Appendix, Bibliography, Body, Copyright, Dedication, Foreword, Glossary, Imprint, Index,
    Notes, TitlePage, Toc,
};

/// A part: its role, and its page.
type Part = (ChapterRole, String);

struct Publisher {
    language: &'static str,
    title: &'static str,
    author: &'static str,
    /// Whether the table of contents has an entry for each page that begins with a heading; otherwise it has chapters only.
    lists_all: bool,
    parts: Vec<Part>,
}

fn part(role: ChapterRole, page: impl Into<String>) -> Part {
    (role, page.into())
}

/// A page with a heading and lines.
fn page(role: ChapterRole, heading: &str, lines: &[&str]) -> Part {
    let lines: String = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
    let heading = if heading.is_empty() { String::new() } else { format!("<h2>{heading}</h2>") };
    (role, format!("{heading}{lines}"))
}

/// A page of prose.
fn prose(role: ChapterRole, heading: &str, sentences: &[&str], paragraphs: usize) -> Part {
    let paragraph = format!("<p>{}</p>", sentences.join(" ").repeat(3));
    (role, format!("<h2>{heading}</h2>{}", paragraph.repeat(paragraphs)))
}

fn french() -> Publisher {
    let parts = vec![
        page(
            Advertisement,
            "Du même auteur",
            &["Le Port, roman, 2011", "Les Voiles, nouvelles, 2014", "Le Quai nord, 2018"],
        ),
        page(TitlePage, "", &["Jeanne Morel", "LE GARDIEN", "roman", "Éditions du Phare"]),
        page(
            Copyright,
            "Mentions légales",
            &[
                "© Éditions du Phare, 2021.",
                "Couverture : studio Marée. Photographie de l'auteur : P. Lenoir.",
                "Tous droits de traduction, de reproduction et d'adaptation réservés pour tous pays.",
                "ISBN : 978-2-00-000000-1",
                "www.editionsduphare.example",
            ],
        ),
        page(Dedication, "", &["À ma mère, qui n'aimait pas la mer."]),
        page(
            Toc,
            "Table des matières",
            &["Avant-propos", "1. La lampe", "2. La tempête", "3. Le retour", "Remerciements"],
        ),
        prose(Foreword, "Avant-propos", FRENCH, 3),
        prose(Body, "Prologue", FRENCH, 6),
        prose(Body, "1. La lampe", FRENCH, 22),
        prose(Body, "2. La tempête", FRENCH, 22),
        prose(Body, "3. Le retour", FRENCH, 22),
        prose(Body, "Épilogue", FRENCH, 4),
        prose(Body, "Postface", FRENCH, 4),
        prose(Body, "Remerciements", FRENCH, 2),
        prose(Notes, "Notes", FRENCH, 2),
        page(
            Advertisement,
            "Dans la même collection",
            &["A. Faure, Le Banc", "P. Roche, La Digue", "M. Vidal, L'Écluse"],
        ),
        page(
            Imprint,
            "Achevé d’imprimer",
            &[
                "Achevé d’imprimer en mars 2021 par l'imprimerie du Large",
                "Dépôt légal : mars 2021",
                "N° d'édition : 12345",
            ],
        ),
    ];
    Publisher { language: "fr", title: "Le Gardien", author: "Jeanne Morel", lists_all: true, parts }
}

fn german() -> Publisher {
    let parts = vec![
        page(TitlePage, "", &["Anna Berger", "Der Wärter", "Roman", "Leuchtturm Verlag"]),
        page(
            Imprint,
            "Impressum",
            &[
                "1. Auflage 2020",
                "© 2020 Leuchtturm Verlag GmbH, Hamburg",
                "Alle Rechte vorbehalten, insbesondere das des öffentlichen Vortrags sowie der Übertragung durch Rundfunk und Fernsehen, auch einzelner Teile.",
                "Umschlaggestaltung: Büro Nord",
                "Satz: Druckhaus Süd. Gesetzt aus der Garamond.",
                "ISBN 978-3-00-000000-1",
                "Kein Teil des Werkes darf in irgendeiner Form ohne schriftliche Genehmigung des Verlages reproduziert werden.",
            ],
        ),
        page(Toc, "Inhalt", &["Widmung", "Erster Teil", "Zweiter Teil", "Nachwort", "Danksagung", "Glossar"]),
        page(Dedication, "Widmung", &["Für Johanna"]),
        prose(Foreword, "Vorwort", GERMAN, 3),
        prose(Body, "Erster Teil", GERMAN, 25),
        prose(Body, "Zweiter Teil", GERMAN, 25),
        prose(Body, "Nachwort", GERMAN, 4),
        prose(Body, "Danksagung", GERMAN, 2),
        page(
            Glossary,
            "Glossar",
            &[
                "Bake: ein Zeichen für die Schifffahrt.",
                "Priel: ein Wasserlauf im Watt.",
                "Siel: ein Durchlass im Deich.",
            ],
        ),
        page(
            Bibliography,
            "Literaturverzeichnis",
            &[
                "Arndt, K.: Die Leuchttürme der Nordsee. Kiel 1988.",
                "Boysen, M.: Lampen und Linsen. Husum 1999.",
            ],
        ),
        prose(Body, "Über die Autorin", GERMAN, 1),
        page(
            Advertisement,
            "Weitere Bücher von Anna Berger",
            &["Das Boot der Väter", "Die stille Bucht", "Nordwind"],
        ),
    ];
    Publisher { language: "de", title: "Der Wärter", author: "Anna Berger", lists_all: true, parts }
}

fn italian() -> Publisher {
    let parts = vec![
        prose(Body, "Il libro", ITALIAN, 1),
        prose(Body, "L'autore", ITALIAN, 1),
        page(TitlePage, "Frontespizio", &["Carlo Riva", "Il guardiano", "Romanzo"]),
        page(
            Imprint,
            "Colophon",
            &[
                "© 2019 Edizioni del Faro, Genova",
                "Tutti i diritti riservati",
                "Prima edizione digitale: ottobre 2019",
                "ISBN 978-88-000-0000-1",
                "Progetto grafico: Studio Levante",
            ],
        ),
        page(Toc, "Indice", &["Prefazione", "Capitolo 1", "Capitolo 2", "Ringraziamenti", "Note"]),
        prose(Foreword, "Prefazione", ITALIAN, 3),
        prose(Body, "Capitolo 1", ITALIAN, 25),
        prose(Body, "Capitolo 2", ITALIAN, 25),
        prose(Body, "Ringraziamenti", ITALIAN, 2),
        prose(Notes, "Note al testo", ITALIAN, 2),
        page(Advertisement, "Dello stesso autore", &["La barca", "Il molo", "Vento di mare"]),
    ];
    Publisher { language: "it", title: "Il guardiano", author: "Carlo Riva", lists_all: true, parts }
}

fn spanish() -> Publisher {
    let parts = vec![
        page(TitlePage, "Portadilla", &["El guardián"]),
        page(TitlePage, "", &["Lucía Prado", "El guardián", "Novela", "Editorial Faro"]),
        page(
            Copyright,
            "Créditos",
            &[
                "Título original: El guardián",
                "Primera edición en formato digital: mayo de 2018",
                "© 2018, Lucía Prado",
                "© 2018, Editorial Faro, S. A.",
                "Diseño de la cubierta: Taller Norte",
                "Queda prohibida, salvo excepción prevista en la ley, cualquier forma de reproducción de esta obra. Todos los derechos reservados.",
                "ISBN: 978-84-00-00000-1",
                "Conversión a formato digital: Libros del Sur",
            ],
        ),
        page(
            Toc,
            "Índice",
            &["Dedicatoria", "Prólogo", "Capítulo 1", "Capítulo 2", "Agradecimientos", "Notas", "Créditos"],
        ),
        page(Dedication, "Dedicatoria", &["A mi hermana"]),
        prose(Body, "Prólogo", SPANISH, 4),
        prose(Body, "Capítulo 1", SPANISH, 25),
        prose(Body, "Capítulo 2", SPANISH, 25),
        prose(Body, "Agradecimientos", SPANISH, 2),
        prose(Notes, "Notas", SPANISH, 2),
        prose(Body, "Sobre la autora", SPANISH, 1),
        page(Advertisement, "Otros libros de Lucía Prado", &["La barca", "El muelle", "Viento del mar"]),
    ];
    Publisher { language: "es", title: "El guardián", author: "Lucía Prado", lists_all: true, parts }
}

fn portuguese() -> Publisher {
    let parts = vec![
        page(TitlePage, "Folha de rosto", &["Rita Nunes", "O Guarda", "Romance"]),
        page(
            Copyright,
            "Ficha técnica",
            &[
                "Título: O Guarda",
                "Autora: Rita Nunes",
                "Revisão: Paulo Reis",
                "Capa: Ateliê do Mar",
                "Projeto gráfico: Oficina Norte",
                "ISBN: 978-972-00-0000-1",
                "Editora Farol, uma chancela do grupo Costa, Rua do Cais, 12, Lisboa",
                "© 2017, Rita Nunes e Editora Farol",
                "Todos os direitos reservados de acordo com a legislação em vigor",
            ],
        ),
        page(Toc, "Sumário", &["Prefácio", "Capítulo um", "Capítulo dois", "Agradecimentos", "Bibliografia"]),
        prose(Foreword, "Prefácio", PORTUGUESE, 3),
        prose(Body, "Capítulo um", PORTUGUESE, 25),
        prose(Body, "Capítulo dois", PORTUGUESE, 25),
        prose(Body, "Agradecimentos", PORTUGUESE, 2),
        prose(Body, "Nota da autora", PORTUGUESE, 1),
        page(
            Bibliography,
            "Bibliografia",
            &["Alves, J.: Os faróis de Portugal. Porto, 1985.", "Brito, M.: Luz e mar. Lisboa, 2001."],
        ),
    ];
    Publisher { language: "pt", title: "O Guarda", author: "Rita Nunes", lists_all: true, parts }
}

fn japanese() -> Publisher {
    let parts = vec![
        page(TitlePage, "扉", &["灯台守", "山田花子"]),
        page(Toc, "目次", &["はじめに", "第一章　灯", "第二章　嵐", "あとがき", "参考文献"]),
        prose(Body, "はじめに", JAPANESE, 3),
        prose(Body, "第一章　灯", JAPANESE, 40),
        prose(Body, "第二章　嵐", JAPANESE, 40),
        prose(Body, "あとがき", JAPANESE, 3),
        page(
            Bibliography,
            "参考文献",
            &["佐藤一郎『日本の灯台』海辺書房、一九九八年", "鈴木二郎『海の光』港社、二〇〇五年"],
        ),
        prose(Body, "著者紹介", JAPANESE, 1),
        page(
            Imprint,
            "奥付",
            &[
                "灯台守",
                "二〇二二年四月一日　初版発行",
                "著者　山田花子",
                "発行者　海野太郎",
                "発行所　灯台書房",
                "無断転載を禁じます",
            ],
        ),
    ];
    Publisher { language: "ja", title: "灯台守", author: "山田花子", lists_all: true, parts }
}

fn chinese() -> Publisher {
    let parts = vec![
        page(TitlePage, "书名页", &["守塔人", "王海 著", "海洋出版社"]),
        page(
            Copyright,
            "版权页",
            &[
                "图书在版编目（CIP）数据",
                "守塔人 / 王海著. — 北京：海洋出版社, 2020.5",
                "ISBN 978-7-00-000000-1",
                "责任编辑：李明",
                "封面设计：北方工作室",
                "出版发行：海洋出版社",
                "版次：2020年5月第1版",
                "定价：39.00元",
                "版权所有，侵权必究",
            ],
        ),
        page(Toc, "目录", &["序言", "第一章　灯", "第二章　风暴", "后记", "参考文献"]),
        prose(Foreword, "序言", CHINESE, 3),
        prose(Body, "第一章　灯", CHINESE, 50),
        prose(Body, "第二章　风暴", CHINESE, 50),
        prose(Body, "后记", CHINESE, 3),
        prose(Body, "致谢", CHINESE, 2),
        page(
            Bibliography,
            "参考文献",
            &["陈平：《中国的灯塔》，海风出版社，1998年。", "刘洋：《海上的光》，港湾书局，2005年。"],
        ),
        page(
            Copyright,
            "版权信息",
            &["书名：守塔人", "作者：王海", "出版社：海洋出版社", "ISBN：9787000000001", "版权所有"],
        ),
    ];
    Publisher { language: "zh", title: "守塔人", author: "王海", lists_all: true, parts }
}

fn english() -> Publisher {
    let parts = vec![
        page(
            TitlePage,
            "",
            &["The Keeper of the Northern Light", "A Novel", "Ada Marlow", "Harbour House", "New York"],
        ),
        page(
            Copyright,
            "",
            &[
                "This is a work of fiction. Names, characters, places, and incidents either are the product of the author’s imagination or are used fictitiously.",
                "Copyright © 2019 by Ada Marlow",
                "All rights reserved.",
                "Cover design by North Studio",
                "Library of Congress Cataloging-in-Publication Data is available.",
                "ISBN 978-0-00-000000-1 (ebook)",
            ],
        ),
        page(Dedication, "", &["For my brother"]),
        part(
            Body,
            "<p><i>And all the lights went out along the coast, and nobody lit them again.</i></p><p>—A. Sailor, Letters</p>",
        ),
        page(
            Toc,
            "Contents",
            &[
                "Cover",
                "Title Page",
                "Copyright",
                "Dedication",
                "Epigraph",
                "Chapter One",
                "Chapter Two",
                "Acknowledgments",
                "About the Author",
            ],
        ),
        prose(Body, "Chapter One", ENGLISH, 25),
        prose(Body, "Chapter Two", ENGLISH, 25),
        prose(Body, "Author’s Note", ENGLISH, 2),
        prose(Body, "Acknowledgments", ENGLISH, 2),
        prose(Appendix, "Appendix A: The Lights", ENGLISH, 2),
        page(
            Index,
            "Index",
            &["lamps, 12, 44", "oil, see lamps", "sea, 3", "ships, 8", "storms, 9, 10", "winter, 7"],
        ),
        prose(Body, "Reading Group Guide", ENGLISH, 2),
        prose(Body, "About the Author", ENGLISH, 1),
        page(Advertisement, "Also by Ada Marlow", &["The Boat", "The Bay", "North Wind"]),
    ];
    Publisher {
        language: "en",
        title: "The Keeper of the Northern Light",
        author: "Ada Marlow",
        lists_all: false,
        parts,
    }
}

fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            _ if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

impl Publisher {
    fn book(&self) -> Document {
        let Self { language, title, author, .. } = self;
        let mut book = Book {
            metadata: format!(
                "<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>{language}</dc:language>"
            ),
            items: "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>".to_owned(),
            ..Book::default()
        };
        let mut entries = String::new();
        for (index, (role, page)) in self.parts.iter().enumerate() {
            let name = format!("{index}.xhtml");
            let heading = page
                .split_once("<h2>")
                .and_then(|(_, rest)| rest.split_once("</h2>"))
                .map(|(heading, _)| heading);
            if let Some(heading) = heading.filter(|_| self.lists_all || *role == Body) {
                entries += &format!("<li><a href=\"{name}\">{heading}</a></li>");
            }
            book = book.page(&name, page);
        }
        let nav = format!(
            "<html xmlns:epub=\"http://www.idpf.org/2007/ops\"><body><nav epub:type=\"toc\"><ol>{entries}</ol></nav></body></html>"
        );
        read(Kind::Epub, &book.member("OEBPS/nav.xhtml", nav.as_bytes()).epub(), &Limits::default()).unwrap()
    }

    /// The roles that the parts got, with where they begin.
    fn roles(&self) -> Vec<(ChapterRole, ChapterRole, String)> {
        let document = self.book();
        let words: Vec<&str> = document.text.split_whitespace().collect();
        let offsets: Vec<usize> =
            words.iter().map(|word| word.as_ptr() as usize - document.text.as_ptr() as usize).collect();
        let mut from = 0;
        let mut found = Vec::new();
        for (role, page) in &self.parts {
            let text = text_of(page);
            let begins: Vec<&str> = text.split_whitespace().take(6).collect();
            let at = (from..words.len())
                .find(|&at| {
                    words[at..].iter().zip(&begins).take_while(|(a, b)| a == b).count() == begins.len()
                })
                .unwrap_or_else(|| panic!("{begins:?} is lost: {}", document.text));
            from = at + 1;
            let chapter = document.chapters.iter().rfind(|chapter| chapter.start <= offsets[at]).unwrap();
            found.push((*role, chapter.role, begins.join(" ")));
        }
        found
    }
}

/// Parts with the role that they have, and parts.
const MEASURED: (usize, usize) = (94, 94);

#[test]
fn parts_of_books_have_their_roles_in_eight_languages() {
    let publishers =
        [french(), german(), italian(), spanish(), portuguese(), japanese(), chinese(), english()];
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for publisher in &publishers {
        for (wanted, found, begins) in publisher.roles() {
            all += 1;
            right += usize::from(wanted == found);
            let is_lost = wanted.is_included_by_default() && !found.is_included_by_default();
            if wanted != found {
                let lost = if is_lost { " LEFT OUT" } else { "" };
                wrong.push(format!("{}: {begins}: {found}, not {wanted}{lost}", publisher.language));
            }
        }
    }
    let list = wrong.join("\n");
    assert!(!list.contains("LEFT OUT"), "{right} of {all}:\n{list}");
    assert!(right * 100 >= 95 * all, "{right} of {all}:\n{list}");
    assert_eq!((right, all), MEASURED, "\n{list}");
}
