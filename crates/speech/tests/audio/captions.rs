//! Timestamps and captions.

use lectern_speech::{
    audio::captions::{BookCaptions, CaptionFormat, Cue, cues, srt, timestamps, vtt},
    engines::WordTiming,
};

const RATE: u32 = 24_000;

/// Times for every word of a text: 300 ms each, with 50 ms in between and more after a full stop.
fn words(text: &str) -> Vec<WordTiming> {
    let mut words = Vec::new();
    let mut at_ms = 100;
    let mut start = None;
    for (index, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, character.is_alphanumeric() || character == '\'') {
            (None, true) => start = Some(index),
            (Some(first), false) => {
                words.push(WordTiming {
                    source: first..index,
                    start_sample: at_ms * 24,
                    end_sample: (at_ms + 300) * 24,
                });
                at_ms += if character == '.' { 500 } else { 350 };
                start = None;
            }
            _ => {}
        }
    }
    words
}

const TEXT: &str = "“It was late,” said Dr. Müller, “and the well-known reading-room of the old town library had been \
empty since four.” Nobody answered!   1 < 2 & 3 > 2 — so he thought 🎈; then, without another word\nhe left.";

#[test]
fn captions_read_as_they_should() {
    let cues = cues(TEXT, &words(TEXT), RATE);
    assert_eq!(srt(&cues), include_str!("captions.srt"));
    assert_eq!(vtt(&cues), include_str!("captions.vtt"));
}

#[test]
fn captions_keep_their_bounds_and_lose_no_word() {
    let text = "One two three, four five six seven; eight nine. Ten eleven! ".repeat(60)
        + &"x".repeat(5_000)
        + " end.";
    let words = words(&text);
    let cues: Vec<Cue> = cues(&text, &words, RATE);
    for pair in cues.windows(2) {
        assert!(pair[0].end_ms <= pair[1].start_ms, "{pair:?}");
    }
    for cue in &cues {
        assert!(cue.start_ms < cue.end_ms && cue.end_ms - cue.start_ms <= 6_000, "{cue:?}");
        assert!(cue.lines.len() <= 2 && cue.lines.iter().all(|line| line.chars().count() <= 42), "{cue:?}");
    }
    let shown = cues.iter().flat_map(|cue| cue.lines.clone()).collect::<Vec<_>>().join(" ");
    let expected: Vec<&str> = text.split_whitespace().filter(|word| word.len() < 100).collect();
    let shown: Vec<&str> = shown.split_whitespace().filter(|word| !word.contains("xx")).collect();
    assert_eq!(shown, expected);
}

/// Words with the given times in milliseconds.
fn timed(text: &str, times: &[(u64, u64)]) -> Vec<WordTiming> {
    let mut at = 0;
    text.split(' ')
        .zip(times)
        .map(|(word, (start, end))| {
            let source = at..at + word.len();
            at = source.end + 1;
            WordTiming { source, start_sample: start * 24, end_sample: end * 24 }
        })
        .collect()
}

/// An address was once cut inside a word: "the-wa|r-of".
#[test]
fn no_line_ends_inside_a_word_or_an_address() {
    let text = "See https://standardebooks.org/ebooks/h-g-wells/the-war-of-the-worlds/text/single-page now.";
    let shown = cues(text, &timed(text, &[(0, 300), (400, 3_000), (3_100, 3_500)]), RATE);
    let lines: Vec<&str> = shown.iter().flat_map(|cue| &cue.lines).map(String::as_str).collect();
    assert_eq!(lines, ["See", "https://standardebooks.org/ebooks/h-g-…", "now."]);
    // Words joined by dashes are not an address: none is left out, and lines break after dashes.
    let text = "the-unmistakably-old-fashioned—and-yet-altogether-modern-reading-room";
    let shown = cues(text, &timed(text, &[(0, 4_000)]), RATE);
    assert_eq!(shown[0].lines.concat(), text);
    assert!(shown[0].lines.iter().all(|line| line.len() <= 50), "{shown:?}");
    assert!(shown[0].lines[0].ends_with('-') || shown[0].lines[0].ends_with('—'), "{shown:?}");
}

#[test]
fn captions_stay_long_enough_to_be_read() {
    // Short sentences. Each was once a separate caption of 0.3 s.
    let text = "Go! Now! He ran.";
    let shown = cues(text, &timed(text, &[(0, 300), (320, 600), (620, 800), (820, 1_100)]), RATE);
    assert_eq!(shown.len(), 1, "{shown:?}");
    // A fast caption extends into the silence after it and before it.
    let text = "Well. Extraordinarily-uncharacteristically-fast. Then nothing.";
    let times = [(0, 400), (1_600, 2_300), (2_900, 3_200), (3_300, 4_000)];
    let shown = cues(text, &timed(text, &times), RATE);
    let says = |cue: &&Cue| cue.lines.iter().any(|line| line.contains("Extra"));
    let fast = shown.iter().find(says).expect("is shown");
    let characters: usize = fast.lines.iter().map(|line| line.chars().count()).sum();
    assert!(fast.end_ms - fast.start_ms >= characters as u64 * 40, "{shown:?}");
    assert!(shown.windows(2).all(|pair| pair[0].end_ms <= pair[1].start_ms), "{shown:?}");
    // One word that lasts nine seconds.
    let text = "3.14159265358979 then";
    let shown = cues(text, &timed(text, &[(0, 9_000), (9_100, 9_600)]), RATE);
    assert_eq!(shown[0].end_ms - shown[0].start_ms, 7_000);
}

// Negative control: when the last caption could always join the previous one, both were one caption
// from 0 s on.
#[test]
fn a_caption_never_shows_what_is_said_after_a_long_pause() {
    let text = "Good night. Bye.";
    let shown = cues(text, &timed(text, &[(0, 300), (320, 700), (4_700, 5_000)]), RATE);
    let shown: Vec<(u64, &str)> = shown.iter().map(|cue| (cue.start_ms, cue.lines[0].as_str())).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown[1].1 == "Bye." && shown[1].0 >= 4_200, "{shown:?}");
}

// Negative control: with the words taken unchanged from the text, "Ada](/ˈAdə/)'s" was shown.
#[test]
fn markup_inside_a_word_is_not_shown() {
    let text = "[Ada](/ˈAdə/)'s book";
    let possessive = text.find(" book").expect("a book");
    let word = |source, start_ms: u64, end_ms: u64| WordTiming {
        source,
        start_sample: start_ms * 24,
        end_sample: end_ms * 24,
    };
    let words = [word(1..possessive, 0, 900), word(possessive + 1..text.len(), 950, 1_500)];
    let stamps = timestamps(text, &words, RATE);
    assert_eq!((stamps[0].text.as_str(), stamps[0].start_char, stamps[0].end_char), ("Ada's", 1, 15));
    let (mut captions, _) = BookCaptions::new(CaptionFormat::Srt);
    for shown in [srt(&cues(text, &words, RATE)), captions.chunk(text, &stamps, 0, 2_000)] {
        assert!(shown.contains("\nAda's book\n"), "{shown}");
    }
}

// Negative control: when the search for dashes came before the check of the length, this took 38 s.
#[test]
fn a_token_of_a_million_dashes_is_laid_out_in_one_pass() {
    let text = "a-".repeat(300_000);
    let begin = std::time::Instant::now();
    assert_eq!(cues(&text, &timed(&text, &[(0, 4_000)]), RATE).len(), 1);
    assert!(begin.elapsed().as_secs() < 3);
}

#[test]
fn timestamps_count_unicode_scalar_values() {
    let text = "🎈 Übung macht Mühe";
    let stamps = timestamps(text, &words(text), RATE);
    let expected = serde_json::json!([
        {"text": "Übung", "start_char": 2, "end_char": 7, "start_ms": 100, "end_ms": 400},
        {"text": "macht", "start_char": 8, "end_char": 13, "start_ms": 450, "end_ms": 750},
        {"text": "Mühe", "start_char": 14, "end_char": 18, "start_ms": 800, "end_ms": 1100},
    ]);
    assert_eq!(serde_json::to_value(stamps).expect("JSON"), expected);
}

#[test]
fn a_word_read_as_several_is_one() {
    let text = "In 1984 she left";
    let word = |source, start, end| WordTiming { source, start_sample: start, end_sample: end };
    let words = [
        word(0..2, 0, 10),
        word(3..7, 20, 30),
        word(3..7, 31, 40),
        word(8..11, 50, 60),
        word(12..16, 60, 70),
    ];
    let stamps = timestamps(text, &words, 1_000);
    let shown: Vec<(&str, u64, u64)> =
        stamps.iter().map(|stamp| (stamp.text.as_str(), stamp.start_ms, stamp.end_ms)).collect();
    assert_eq!(shown, [("In", 0, 10), ("1984", 20, 40), ("she", 50, 60), ("left", 60, 70)]);
}

const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー\
                        泣いていた事だけは記憶している。";

fn width(line: &str) -> usize {
    line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

// Tests two timings: word by word, and the whole text as one word.
#[test]
fn captions_without_spaces_are_cut_between_words_by_their_width() {
    // Words of two characters, which a tagger might produce.
    let mut timed = Vec::new();
    let letters: Vec<(usize, char)> = JAPANESE.char_indices().filter(|(_, c)| c.is_alphabetic()).collect();
    for (at, pair) in letters.chunks(2).enumerate() {
        let source = pair[0].0..pair[pair.len() - 1].0 + pair[pair.len() - 1].1.len_utf8();
        let start_sample = at as u64 * 7_200;
        timed.push(WordTiming { source, start_sample, end_sample: start_sample + 7_200 });
    }
    let whole = [WordTiming { source: 0..JAPANESE.len(), start_sample: 0, end_sample: 30 * 24_000 }];
    for words in [timed.as_slice(), &whole] {
        let cues = cues(JAPANESE, words, RATE);
        assert!(cues.len() > 2, "{cues:?}");
        let lines: Vec<&String> = cues.iter().flat_map(|cue| &cue.lines).collect();
        assert!(lines.iter().all(|line| width(line) <= 42 && !line.contains(' ')), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with(['。', '、'])), "{lines:?}");
        assert_eq!(lines.into_iter().map(String::as_str).collect::<String>(), JAPANESE);
        assert!(cues.windows(2).all(|pair| pair[0].end_ms <= pair[1].start_ms), "{cues:?}");
    }
}

#[test]
fn nonsense_timings_do_no_harm() {
    let text = "né à Paris";
    let word = |source, start, end| WordTiming { source, start_sample: start, end_sample: end };
    // Inside a character, backwards, past the end, empty, out of order, and at the largest possible
    // time.
    #[expect(clippy::reversed_empty_ranges, reason = "that is the nonsense")]
    let words = [
        word(2..2, 9, 5),
        word(1..2, 9, 5),
        word(5..4, 0, 0),
        word(7..500, 1, u64::MAX),
        word(0..1, u64::MAX, u64::MAX),
        word(usize::MAX - 1..usize::MAX, 0, 1),
    ];
    for rate in [0, 1, RATE] {
        let stamps = timestamps(text, &words, rate);
        assert!(stamps.iter().all(|stamp| stamp.start_char < stamp.end_char && stamp.end_char <= 10));
        let cues = cues(text, &words, rate);
        assert!(vtt(&cues).starts_with("WEBVTT\n\n"));
    }
    assert_eq!(srt(&cues("", &[], RATE)), "");
}

#[test]
fn a_long_book_is_stamped_in_one_pass() {
    let text = "Größe zählt nicht. ".repeat(50_000);
    let words = words(&text);
    let begin = std::time::Instant::now();
    assert_eq!(timestamps(&text, &words, RATE).len(), 150_000);
    assert!(!cues(&text, &words, RATE).is_empty());
    // Counting from the start for each word would take minutes.
    assert!(begin.elapsed().as_secs() < 10);
}

/// Times for the words of a text, given as parts of it in order: 300 ms each, with 50 ms in between.
fn of_words(text: &str, words: &[&str]) -> Vec<WordTiming> {
    let mut at = 0;
    let mut timed = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let start = at + text[at..].find(word).expect("the words of the text, in order");
        at = start + word.len();
        let start_sample = index as u64 * 350 * 24;
        timed.push(WordTiming { source: start..at, start_sample, end_sample: start_sample + 300 * 24 });
    }
    timed
}

fn shown(text: &str, words: &[&str]) -> Vec<String> {
    cues(text, &of_words(text, words), RATE).into_iter().flat_map(|cue| cue.lines).collect()
}

/// The words of a text between spaces and marks.
fn spaced_words(text: &str) -> Vec<&str> {
    let parts =
        text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-' | '\u{94D}' | '\u{93C}'));
    parts.filter(|part| part.chars().any(char::is_alphanumeric)).collect()
}

#[test]
fn french_marks_after_a_space_stay_with_their_words() {
    let text = "« Où va-t-il donc ? » demanda M. Aronnax. « Au fond, monsieur ! » — Vraiment ? fit Conseil ; je n’en crois rien : c’est trop loin.";
    let lines = shown(text, &spaced_words(text));
    assert_eq!(lines.join(" "), text);
    for line in &lines {
        assert!(!line.starts_with(['»', '!', '?', ';', ':', ',']), "{lines:?}");
        assert!(!line.ends_with(['«', '—']), "{lines:?}");
    }
    // "M." ends no sentence, the quotation does.
    assert!(lines.iter().any(|line| line.ends_with("? »") || line.contains("? » demanda")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.ends_with("M.")), "{lines:?}");
}

#[test]
fn a_dash_that_begins_a_speech_and_inverted_marks_go_with_what_is_said() {
    let text = "—¿Quién eres? —preguntó el rey. — ¡Nadie! Soy D. Quijote, y vengo de muy lejos, señor.";
    let lines = shown(text, &spaced_words(text));
    assert_eq!(lines.join(" "), text);
    assert!(lines.iter().all(|line| !line.ends_with(['—', '¿', '¡']) && !line.ends_with("D.")), "{lines:?}");
    let text = "— Come ti chiami? — Pinocchio! — rispose il Sig. Antonio, che abitava nell’art. 5 del paese.";
    let lines = shown(text, &spaced_words(text));
    assert_eq!(lines.join(" "), text);
    assert!(lines.iter().all(|line| !line.ends_with("Sig.") && !line.ends_with("art.")), "{lines:?}");
}

#[test]
fn no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one() {
    let text = "彼は「灯台へ行こう。」と言って、（少し笑いながら）ラジオのスイッチを切った。『はい、そうします』と私は答えた。\
                それから二人は黙って長い坂をゆっくり上って行ったが、ちょっと寒かった。";
    let words = [
        "彼",
        "は",
        "灯台",
        "へ",
        "行こう",
        "と",
        "言っ",
        "て",
        "少し",
        "笑い",
        "ながら",
        "ラジオ",
        "の",
        "スイッチ",
        "を",
        "切っ",
        "た",
        "はい",
        "そう",
        "し",
        "ます",
        "と",
        "私",
        "は",
        "答え",
        "た",
        "それから",
        "二人",
        "は",
        "黙っ",
        "て",
        "長い",
        "坂",
        "を",
        "ゆっくり",
        "上っ",
        "て",
        "行っ",
        "た",
        "が",
        "ちょっと",
        "寒かっ",
        "た",
    ];
    let whole = [WordTiming { source: 0..text.len(), start_sample: 0, end_sample: 30 * 24_000 }];
    for timed in [of_words(text, &words).as_slice(), &whole] {
        let cues = cues(text, timed, RATE);
        let lines: Vec<&String> = cues.iter().flat_map(|cue| &cue.lines).collect();
        assert_eq!(lines.iter().map(|line| line.as_str()).collect::<String>(), text);
        for line in &lines {
            assert!(width(line) <= 42, "{lines:?}");
            assert!(
                !line.starts_with(['、', '。', '」', '』', '）', 'ー', 'っ', 'ょ', '！', '？']),
                "{lines:?}"
            );
            assert!(!line.ends_with(['「', '『', '（']), "{lines:?}");
        }
    }
    // The sentence goes on after its quotation: no caption ends between 」 and と.
    assert!(
        !shown(text, &words).iter().any(|line| line.ends_with("行こう。」")),
        "{:?}",
        shown(text, &words)
    );
}

#[test]
fn words_without_spaces_are_shown_as_the_text_has_them() {
    // The words of jieba; the line end inside the first sentence is no space.
    let text = "我冒了严寒，回到相隔\n二千余里，别了2024年的故乡去。用Docker部署，别忘了！";
    let words = [
        "我",
        "冒",
        "了",
        "严寒",
        "回到",
        "相隔",
        "二千余里",
        "别",
        "了",
        "2024",
        "年",
        "的",
        "故乡",
        "去",
        "用",
        "Docker",
        "部署",
        "别",
        "忘",
        "了",
    ];
    let lines = shown(text, &words);
    assert_eq!(lines.concat(), text.replace('\n', ""));
    assert!(!lines.iter().any(|line| line.ends_with("2024")), "{lines:?}");
    let text = "ボートは八百メートル進んだ。";
    assert_eq!(shown(text, &["ボート", "は", "八百", "メートル", "進ん", "だ"]), [text]);
}

#[test]
fn devanagari_is_cut_at_its_own_stops_and_keeps_its_clusters() {
    let text = "जुम्मन शेख़ और अलगू चौधरी में गाढ़ी मित्रता थी। साझे में खेती होती थी ॥ कुछ लेन-देन में भी साझा था।";
    let words = spaced_words(text);
    let lines = shown(text, &words);
    assert_eq!(lines.join(" "), text);
    assert!(lines.iter().all(|line| !line.starts_with(['।', '॥'])), "{lines:?}");
    let sentences: Vec<String> =
        cues(text, &of_words(text, &words), RATE).iter().map(|cue| cue.lines.join(" ")).collect();
    assert!(sentences.iter().all(|cue| cue.ends_with(['।', '॥'])), "{sentences:?}");
}

/// Marks by the thousand: nothing is lost without bound, and nothing takes long.
#[test]
fn floods_of_marks_are_laid_out_in_one_pass() {
    let begin = std::time::Instant::now();
    for mark in ["「", "」", "、", "ー", "«\u{A0}", " —", "…", "っ", "॥", "\n"] {
        let text = format!("猫{}猫", mark.repeat(5_000));
        let last = text.len() - "猫".len();
        let word =
            |source, start_sample| WordTiming { source, start_sample, end_sample: start_sample + 9_000 };
        let cues = cues(&text, &[word(0..3, 0), word(last..text.len(), 10_000)], RATE);
        assert!(!cues.is_empty() && cues.len() < 5_000, "{mark}");
    }
    assert!(begin.elapsed().as_secs() < 3);
}
