//! Where texts are cut, and the pauses between chunks.

use lectern_documents::{
    CHUNK_MS, Chapter, Chunk, Document, Kind, Limits, PauseAt, PlainRules, SpeechRules, chunks, extract_with,
    pauses,
};

use crate::cases::{document, texts};

fn plain(text: &str) -> Document {
    document(Kind::PlainText, text)
}

fn markdown(text: &str) -> Document {
    document(Kind::Markdown, text)
}

fn pause(chunks: &[Chunk]) -> Vec<u32> {
    chunks.iter().map(|chunk| chunk.pause_after_ms).collect()
}

#[test]
fn a_chunk_takes_as_many_whole_paragraphs_as_fit() {
    let document = plain("One two three.\n\nFour five.\n\nSix seven eight nine ten.\n\nEleven.\n");
    let chunks = chunks(&document, 30);
    assert_eq!(
        texts(&document, &chunks),
        ["One two three.\n\nFour five.\n\n", "Six seven eight nine ten.\n\n", "Eleven.\n"]
    );
    assert_eq!(pause(&chunks), [pauses::PARAGRAPH_MS, pauses::PARAGRAPH_MS, 0]);
    assert_eq!(chunks[0].pauses, [PauseAt { at: 14, pause_ms: pauses::PARAGRAPH_MS }]);
    assert_eq!(chunks.iter().map(|chunk| chunk.characters).collect::<Vec<_>>(), [28, 27, 8]);
}

#[test]
fn a_chapter_always_starts_a_chunk() {
    let document = plain("CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.\n");
    let chunks = chunks(&document, 5_000);
    assert_eq!(texts(&document, &chunks), ["CHAPTER I\n\nOne.\n\n", "CHAPTER II\n\nTwo.\n"]);
    assert_eq!(pause(&chunks), [pauses::CHAPTER_MS, 0]);
    assert!(chunks.iter().all(|chunk| chunk.starts_chapter));
    assert_eq!(chunks[1].title.as_deref(), Some("CHAPTER II"));
    assert_eq!(chunks[1].pauses, [PauseAt { at: 10, pause_ms: pauses::AFTER_HEADING_MS }]);
}

#[test]
fn pauses_know_headings_and_scenes() {
    let document = markdown("# Title\n\n# One\n\nA.\n\n## In\n\nB.\n\n---\n\nC.\n\n# Two\n\nD.\n");
    let chunks = chunks(&document, 5_000);
    let first: Vec<(&str, u32)> = {
        let own = texts(&document, &chunks)[0];
        chunks[0].pauses.iter().map(|rest| (own[..rest.at].lines().last().unwrap(), rest.pause_ms)).collect()
    };
    assert_eq!(
        first,
        [
            ("Title", pauses::BEFORE_HEADING_MS),
            ("One", pauses::AFTER_HEADING_MS),
            ("A.", pauses::BEFORE_HEADING_MS),
            ("In", pauses::AFTER_HEADING_MS),
            ("B.", pauses::SCENE_MS),
        ]
    );
}

#[test]
fn a_heading_stays_with_what_follows_it() {
    let document =
        markdown("Some text before it.\n\n## The Storm\n\nIt came in the night, and nobody was awake.\n");
    let cut = chunks(&document, 50);
    assert_eq!(texts(&document, &cut)[0], "Some text before it.\n\n");
    let document = markdown("# The Storm\n\nIt came in the night. Nobody was awake to see it come.\n");
    let cut = chunks(&document, 40);
    assert_eq!(texts(&document, &cut)[0], "The Storm\n\nIt came in the night. ");
}

#[test]
fn a_long_paragraph_is_cut_at_sentences_that_surely_end() {
    let document =
        plain("He met Dr. Marsh at 10 a.m. on the pier. She had the lamp. They left at once, and quietly.");
    let cut = chunks(&document, 62);
    assert_eq!(
        texts(&document, &cut),
        ["He met Dr. Marsh at 10 a.m. on the pier. She had the lamp. ", "They left at once, and quietly."]
    );
    assert_eq!(pause(&cut), [pauses::SENTENCE_MS, 0]);
    let cut = chunks(&document, 45);
    assert_eq!(texts(&document, &cut)[0], "He met Dr. Marsh at 10 a.m. on the pier. ");
    assert_eq!(
        texts(
            &plain("“Is it lit?” she asked. “It is.” He slept."),
            &chunks(&plain("“Is it lit?” she asked. “It is.” He slept."), 34)
        )[0],
        "“Is it lit?” she asked. “It is.” "
    );
}

#[test]
fn a_stop_inside_a_word_ends_no_sentence() {
    let document = plain("the log of lighthouses.Example.Org said nothing");
    assert_eq!(texts(&document, &chunks(&document, 30))[0], "the log of ");
}

#[test]
fn a_long_sentence_is_cut_at_clauses_then_words_then_letters() {
    let document = plain("the lamp burned all night, while the sea rose and fell below the rock without end");
    let cut = chunks(&document, 36);
    assert_eq!(
        texts(&document, &cut),
        ["the lamp burned all night, ", "while the sea rose and fell below ", "the rock without end"]
    );
    assert_eq!(pause(&cut), [0, 0, 0]);
    let document = plain("Donaudampfschifffahrtsgesellschaft");
    assert_eq!(texts(&document, &chunks(&document, 20)), ["Donaudampfschifffahr", "tsgesellschaft"]);
    let document = plain(&"e\u{301}".repeat(30));
    assert!(chunks(&document, 25).iter().all(|chunk| chunk.characters == 24 || chunk.characters == 12));
}

#[test]
fn scripts_without_spaces_end_sentences_all_the_same() {
    let document = plain("灯台守は海を聞いていた。彼は波を数えた！そして夜が来た、静かに、いつものように。");
    let cut = chunks(&document, 24);
    assert_eq!(
        texts(&document, &cut),
        ["灯台守は海を聞いていた。彼は波を数えた！", "そして夜が来た、静かに、いつものように。"]
    );
    assert_eq!(pause(&cut), [pauses::SENTENCE_MS, 0]);
    let document = plain("The keeper (灯台守) heard it. 彼は波を数えた。Then night came over the rock.");
    assert_eq!(texts(&document, &chunks(&document, 40))[0], "The keeper (灯台守) heard it. 彼は波を数えた。");
}

#[test]
fn ornaments_join_a_neighbour_that_has_room() {
    let document = plain("The first scene is this one.\n\n* * *\n\nThe second scene is this.\n\n* * *\n");
    for cap in [20, 40, 60, 5_000] {
        let cut = chunks(&document, cap);
        let silent =
            texts(&document, &cut).into_iter().filter(|text| !text.contains(char::is_alphabetic)).count();
        assert_eq!(silent, 0, "{cap}: {:?}", texts(&document, &cut));
    }
}

#[test]
fn the_same_document_always_gives_the_same_chunks() {
    let document = plain(&"The lamp burned, and the sea rose; nobody saw. ".repeat(2_000));
    assert_eq!(chunks(&document, 5_000), chunks(&document, 5_000));
}

#[test]
fn a_document_crosses_a_pipe_unchanged() {
    use lectern_documents::{Cover, Extracted, extract};
    let mut extracted =
        extract(Kind::Markdown, b"# One\n\nA \xE2\x80\x9Cb\xE2\x80\x9D.\n", &Limits::default()).unwrap();
    extracted.cover = Some(Cover { media_type: "image/png".to_owned(), bytes: vec![0, 255, 7] });
    let json = serde_json::to_string(&extracted).unwrap();
    assert!(json.contains("\"AP8H\""), "{json}");
    assert_eq!(serde_json::from_str::<Extracted>(&json).unwrap(), extracted);
    assert_eq!(extracted.into_document(), markdown("# One\n\nA “b”.\n"));
    let empty = Document { chapters: Vec::<Chapter>::new(), ..Document::default() };
    assert!(chunks(&empty, 5_000).is_empty());
}

/// Rules of a voice that reads French too slowly for chunks of full length.
struct SlowFrench;

impl SpeechRules for SlowFrench {
    fn characters(&self, text: &str) -> usize {
        PlainRules.characters(text)
    }

    fn is_speakable(&self, text: &str) -> bool {
        PlainRules.is_speakable(text)
    }

    fn duration_ms(&self, text: &str, language: Option<&str>) -> u64 {
        let per_character =
            if language.is_some_and(|tag| tag.starts_with("fr")) { CHUNK_MS / 1_000 } else { 0 };
        text.chars().count() as u64 * per_character
    }

    fn cut_at(&self, text: &str, at: usize) -> usize {
        PlainRules.cut_at(text, at)
    }
}

#[test]
fn durations_are_estimated_in_the_language_that_is_declared_or_detected() {
    let french =
        "Le gardien monta lentement vers la lampe et regarda la mer pendant toute la nuit. ".repeat(30);
    let declared = format!("<html lang=\"fr\"><body><p>{}</p></body></html>", "1, 2, 3. ".repeat(300));
    let english = "The keeper climbed up to the lamp and watched the sea for the whole night. ".repeat(30);
    for (kind, text, is_one) in
        [(Kind::PlainText, french, false), (Kind::Html, declared, false), (Kind::PlainText, english, true)]
    {
        let read = extract_with(kind, text.as_bytes(), &Limits::default(), &SlowFrench).unwrap();
        assert_eq!(read.chunks.len() == 1, is_one, "{:?}", read.language);
    }
}

// Negative controls: without the smaller limit, the first chunk has nearly 5,000 characters; without the limit on chapters, the
// one of 1,500 characters is cut; without the second try, one line is a chunk.
#[test]
fn the_first_chunk_of_a_book_that_is_heard_is_short() {
    let said = "It rained all night. Nobody came to the gate, and the dog slept on.\n\n".repeat(180);
    let book = format!("# Title Page\n\nOf a book.\n\n# Chapter 1\n\n{said}\n# Chapter 2\n\n{said}");
    let document = markdown(&book);
    let lengths = |document: &Document| -> Vec<(u32, u32)> {
        chunks(document, 5_000).iter().map(|chunk| (chunk.chapter, chunk.characters)).collect()
    };
    let all = lengths(&document);
    let first = |chapter: u32| all.iter().find(|chunk| chunk.0 == chapter).unwrap().1;
    assert!((500..=700).contains(&first(1)), "{all:?}");
    assert!(first(2) > 4_500, "{all:?}");
    assert!(all.iter().filter(|chunk| chunk.1 < 4_500).count() <= 4, "{all:?}");
    // In a small book, too, unless its first chapter is short.
    let small = |first: usize| markdown(&format!("# One\n\n{}\n# Two\n\n{}", &said[..first], &said[..5_000]));
    assert!((500..=700).contains(&lengths(&small(5_000))[0].1));
    assert!(lengths(&small(1_500))[0].1 > 1_400);
    // Not one line alone, where a long paragraph follows.
    let paragraph = said.replace("\n\n", " ");
    let long = markdown(&format!("# One\n\nIt began.\n\n{paragraph}\n\n# Two\n\n{said}"));
    assert!((500..=700).contains(&lengths(&long)[0].1), "{:?}", lengths(&long));
    // What is read soon enough is not divided further.
    let short = markdown(&format!("# Chapter 1\n\n{}", &said[..12_000]));
    assert!(lengths(&short)[0].1 > 4_500);
}
