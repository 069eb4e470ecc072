//! A table of short texts for each rule of dialogue attribution.

use std::fmt::Write;

use lectern_documents::dialogue::{
    Attribution, HIGH_CONFIDENCE, NARRATOR, attribute, attribute_pieces, has_rules,
};

/// The speaker of each quote in order, `-` for none and `!` after one with high confidence.
fn speakers(text: &str, language: &str) -> String {
    let Attribution { quotes, .. } = attribute(text, language);
    let mut line = String::new();
    for quote in quotes {
        let sure = if quote.confidence >= HIGH_CONFIDENCE { "!" } else { "" };
        write!(line, "{}{sure}, ", quote.speaker.as_deref().unwrap_or("-")).unwrap();
    }
    line.trim_end_matches(", ").to_owned()
}

#[track_caller]
fn all(language: &str, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = speakers(text, language);
        if found != *expected {
            writeln!(wrong, "{text}\n  is    {found}\n  wants {expected}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

// Negative control: this fails with the check for `that` left out of `tags::after`, the one for `who` out of
// `tags::bearer`, `is_covered` out of `Layout::of`, `before_insertion`, or `things` out of `phrases::role`.
#[test]
fn tags_name_the_speaker() {
    all(
        "en",
        &[
            ("“Come in,” said Ines.", "Ines!"),
            ("“Come in,” Ines said.", "Ines!"),
            ("“Come in,” Ines Alvarez said quietly.", "Ines Alvarez!"),
            ("“Come in!” cried Mr. Alvarez, and rose.", "Mr. Alvarez!"),
            ("“Who is there?” asked the old man.", "Old man"),
            ("Ines said, “Come in.”", "Ines!"),
            ("Ines put down the lamp and said: “Come in.”", "Ines!"),
            ("Ines looked at the door, and at last she said—\n\n“Come in.”", "Ines!"),
            ("“Come in,” Ines went on. “Sit down.”", "Ines!, Ines!"),
            ("“Yes,” said Ines, “but not tonight.”", "Ines!, Ines!"),
            ("“Yes,” said Ines to Tom, “but not tonight.”", "Ines!, Ines!"),
            ("“Yes,” replied Ines, to whom the boy then said nothing, “but not tonight.”", "Ines!, Ines!"),
            ("After some Vivaldi pieces, Ines, smiling at Tom, said, “Come in.”", "Ines!"),
            ("They were met by Ines, who said, “Come in.”", "Ines!"),
            ("“Come in,” cried poor Ines.", "Ines!"),
            // Indirect speech is no tag, and a voice is nobody.
            ("“Come in,” said Tom. “Is it late?” Ines replied that it was. “Then sit.”", "Tom!, Tom!, Tom!"),
            ("A low voice said, “Come in.”", "-"),
        ],
    );
}

// Negative control: this fails when a mark after a letter always closes (`next_clear`), with `is_elision` always
// false, with `is_single` always false, and without the branch for a mark that was never closed.
#[test]
fn marks_of_each_kind() {
    all(
        "en",
        &[
            ("\"Come in,\" said Ines. \"Sit down.\"", "Ines!, Ines!"),
            ("‘Come in,’ said Ines. ‘Don’t wait for the boys’ father.’", "Ines!, Ines!"),
            ("'Come in,' said Ines. 'Don't wait. 'Tis late.'", "Ines!, Ines!"),
            ("‘The “old” one?’ said Ines.", "Ines!"),
            ("“He said ‘No’ to me,” said Ines.", "Ines!"),
            ("“See this coin?\"—she held it up—\"it is yours,” said Ines.", "Ines!, Ines!"),
            ("'Come in,' said Ines, and 'twas late. 'Sit.'", "Ines!, Ines!"),
            // A mark that is never closed.
            ("\"It was late. \"Come in,\" said Ines.", "Ines!, Ines!"),
            // Apostrophes alone are no quotes.
            ("The boys’ room was at the Smiths’ house, and ’twas the dogs’ as well.", ""),
        ],
    );
}

// Negative control: this fails without `follows_word` or `inside` in `is_speech`, and without `starts_letter`.
#[test]
fn what_is_quoted_but_not_spoken() {
    all(
        "en",
        &[
            ("The so-called “expert” left the room.", ""),
            ("He read “The Lighthouse” twice, and then the “Odyssey”.", ""),
            ("They called it the “Nautilus,” and it sank.", ""),
            ("The ship, “Nautilus,” sank.", ""),
            // A letter that is read out.
            (
                "“Read,” said Tom.\n\n“My dear Brother,\n\n“I am well.\n\n“Yours, Ines.”\n\n“Well?” asked Ann.",
                "Tom!, -, -, -, Ann!",
            ),
        ],
    );
}

// Negative control: this fails with `continues` always false in `Scenes::read`.
#[test]
fn a_speech_of_several_paragraphs_is_one_persons() {
    all(
        "en",
        &[(
            "“It was long ago,” said Ines. “I was a child.\n\n“We lived by the sea.\n\n“Then we left.”\n\n“Why?” asked Tom.",
            "Ines!, Ines!, Ines!, Ines!, Tom!",
        )],
    );
}

// Negative control: this fails when a pronoun fits people of the other gender (`Evidence::weight`).
#[test]
fn pronouns_follow_gender_and_place() {
    all(
        "en",
        &[
            (
                "Mr. Alvarez looked up.\n\n“Come in,” he said.\n\n“No,” said Mrs. Alvarez.",
                "Mr. Alvarez!, Mrs. Alvarez!",
            ),
            (
                "“One,” said Ann.\n\n“Two,” said Tom.\n\n“Three,” said Ann.\n\n“Four,” she said.",
                "Ann!, Tom!, Ann!, Ann!",
            ),
            ("Tom sat down. “Come in,” he said. “Sit down.”", "Tom!, Tom!"),
            (
                "“Where were you?” asked Ines.\n\n“At home,” said Tom.\n\n“Alone?” she asked.\n\n“Alone,” he said.",
                "Ines!, Tom!, Ines!, Tom!",
            ),
            // Somebody whom no tag names, mentioned in passing, is not whom "he" means.
            (
                "The cart was that of Adam Lobb.\n\n“Stop!” he cried.\n\n“Why?” said I.\n\n“Orders,” said the soldier.",
                "Soldier!, Narrator!, Soldier",
            ),
        ],
    );
}

// Negative control: the first text fails without the beat in `Scenes::hear`, the last one without `confidence::FAR`.
#[test]
fn a_beat_in_the_paragraph_names_the_speaker() {
    all(
        "en",
        &[("“Well?” asked Tom.\n\n“Well,” said Ines.\n\nInes put down the cup. “No.”", "Tom!, Ines!, Ines")],
    );
    all(
        "en",
        &[(
            "“Well?” asked Tom.\n\n“Well,” said Ines.\n\nInes put down the cup. “No.”\n\n“No?” asked Tom.",
            "Tom!, Ines!, Ines!, Tom!",
        )],
    );
    // After much narration, it is less sure that the paragraph is still one person's.
    all(
        "en",
        &[(
            "“Well,” said Ines. The rain fell. The street was dark. A dog barked. It was cold. “No.”",
            "Ines!, Ines",
        )],
    );
}

// Negative control: this fails without the factors against the called in `References::addressed`, with a factor of 1
// for them in the next turn, and when any name at the start of a quote is called.
#[test]
fn whom_a_speaker_calls_is_not_the_speaker() {
    all(
        "en",
        &[
            (
                "“You see it, Watson?” said Holmes.\n\n“I do,” said Watson.\n\n“Come, Watson,” said he.",
                "Holmes!, Watson!, Holmes!",
            ),
            (
                "“Well?” said Holmes.\n\nWatson looked up.\n\n“Come, Watson,” he said.\n\n“Yes,” said Watson.",
                "Holmes!, Holmes!, Watson!",
            ),
            // A name at the start is called only before a comma.
            ("“Well?” said Max.\n\n“Tom is late,” said Ann.\n\n“He is.”", "Max!, Ann!, Max!"),
            (
                "“Are you there, Tom?” asked Ines.\n\n“Yes.”\n\n“Good,” said Max. “And you, Ines?”\n\n“I am, Max,” said Ines.",
                "Ines!, Tom, Max!, Max!, Ines!",
            ),
        ],
    );
}

// Negative control: this fails with transitions that make the same speaker as probable as the one before.
#[test]
fn turns_without_tags_alternate() {
    let text = "“Where were you?” asked Ines.\n\n“At home,” said Tom.\n\n“Alone?”\n\n“Alone.”\n\n“All night?”\n\n\
                “All night,” said Tom.";
    all("en", &[(text, "Ines!, Tom!, Ines!, Tom!, Ines!, Tom!")]);
    // Farther from a tag, alternation is worth less.
    let mut text = "“Where were you?” asked Ines.\n\n“At home,” said Tom.".to_owned();
    for _ in 0..10 {
        text.push_str("\n\n“And then?”\n\n“Then I slept.”");
    }
    let quotes = attribute(&text, "en").quotes;
    assert!(quotes[2].confidence > quotes[8].confidence, "{quotes:?}");
    assert!(quotes[8].confidence > quotes[20].confidence, "{quotes:?}");
    assert!(quotes[20].confidence < HIGH_CONFIDENCE, "{quotes:?}");
}

// Negative control: this fails when `Phrase::First` refers to nobody.
#[test]
fn a_narrator_in_the_first_person_has_a_name() {
    all(
        "en",
        &[(
            "“Who are you?” said I.\n\n“Nobody,” said Tom.\n\n“Then come in,” I said.",
            "Narrator!, Tom!, Narrator!",
        )],
    );
    assert_eq!(NARRATOR, "Narrator");
}

// Negative control: this fails when `Phrase::Group` is no evidence, and without the factor for a spouse.
#[test]
fn relatives_and_crowds() {
    all(
        "en",
        &[
            // A chorus has no voice to choose.
            (
                "“Well?” asked Tom.\n\n“Hm,” said Ann.\n\n“Hurrah!” cried the men.\n\n“Good,” said Ann.\n\n“Hurrah!” cried Tom and Ann.",
                "Tom!, Ann!, -, Ann!, -",
            ),
            (
                "Mr. Ash slept. Mr. Bell came in.\n\n“Late!” said Mr. Bell.\n\n“Who?” said Mrs. Ash.\n\n“I,” replied her husband.",
                "Mr. Bell!, Mrs. Ash!, Mr. Ash",
            ),
        ],
    );
}

// Negative control: this fails when `Merge::same_person` finds nobody.
#[test]
fn names_of_one_person_are_merged_over_the_book() {
    let text = "“One,” said Ines Alvarez.\n\n“Two,” said Ines.\n\nShe sat down.\n\n“Three,” said Miss Alvarez.\n\n\
                “Four,” said Ines.\n\n“Five,” said Mr. Alvarez.";
    all("en", &[(text, "Ines!, Ines!, Ines!, Ines!, Mr. Alvarez!")]);
    let Attribution { speakers, .. } = attribute(text, "en");
    let names: Vec<(&str, u32)> = speakers.iter().map(|one| (one.name.as_str(), one.quotes)).collect();
    assert_eq!(names, [("Ines", 4), ("Mr. Alvarez", 1)]);

    all(
        "en",
        &[
            // Two sisters: Miss Bell may be either.
            (
                "“One,” said Ann Bell.\n\n“Two,” said Jane Bell.\n\n“Three,” said Miss Bell.",
                "Ann Bell!, Jane Bell!, Miss Bell!",
            ),
            // A bare surname is the man's.
            (
                "“One,” said Mr. Bell.\n\n“Two,” said Miss Bell.\n\n“Three,” said Bell.",
                "Mr. Bell!, Miss Bell!, Mr. Bell!",
            ),
            (
                "“One,” said Captain Bell.\n\n“Two,” said Max.\n\n“Three,” said the captain.",
                "Captain Bell!, Max!, Captain Bell!",
            ),
        ],
    );
}

// Negative control: this fails with tags left inside French quotes (`dashes::without_tags`).
#[test]
fn other_languages() {
    all(
        "fr",
        &[
            ("« Entrez », dit Inès. « Il est tard. »", "Inès!, Inès!"),
            ("« Entrez, dit Inès, il est tard. »", "Inès!, Inès!"),
            ("— Entrez, dit Inès, il est tard.\n\n— Merci ! s'écria Paul.", "Inès!, Inès!, Paul!"),
            ("Paul leva la tête.\n\n— Entrez, dit-il.\n\n— Merci, répondit Inès.", "Paul!, Inès!"),
        ],
    );
    all(
        "es",
        &[
            ("—Sí —dijo Inés—, pero no hoy.\n\n—¿Cuándo? —preguntó Pablo.", "Inés!, Inés!, Pablo!"),
            ("«Entra», dijo Inés.", "Inés!"),
        ],
    );
    all(
        "de",
        &[
            ("„Komm herein“, sagte Ines. „Es ist spät.“", "Ines!, Ines!"),
            ("»Komm herein!« rief Max. »Es ist spät.«", "Max!, Max!"),
        ],
    );
    all(
        "it",
        &[
            ("«Entra», disse Ines. «È tardi.»", "Ines!, Ines!"),
            ("— Sì — disse Ines, — ma non oggi.\n\n— Quando? — chiese Paolo.", "Ines!, Ines!, Paolo!"),
        ],
    );
    for language in ["ja", "zh", "hi", "pt", "", "x"] {
        assert!(!has_rules(language), "{language}");
        assert_eq!(attribute("“Come in,” said Ines.", language), Attribution::default());
    }
    assert!(has_rules("en-GB"));
}

#[test]
fn ranges_hold_the_marks() {
    let text = "“Yes,” said Ines, “but—”\n\n  ‘No’\n\n\"Why?\" asked Tom.";
    let quotes = attribute(text, "en").quotes;
    let found: Vec<&str> = quotes.iter().map(|quote| &text[quote.range.clone()]).collect();
    assert_eq!(found, ["“Yes,”", "“but—”", "\"Why?\""]);
}

#[test]
fn a_book_in_pieces_gets_the_same_proposal() {
    let text = "“One,” said Ines. “A long speech. With sentences.”\n\n“Two,” said Tom.";
    let whole = attribute(text, "en");
    for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        let pieces = [&text[..cut], &text[cut..]];
        let (speakers, quotes) = attribute_pieces(&pieces, "en");
        assert_eq!(speakers, whole.speakers);
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (quotes, start) in quotes.iter().zip([0, cut]) {
            for quote in quotes {
                joined.push((quote.range.start + start, quote.range.end + start));
            }
        }
        // A quote across the border is in both.
        joined.dedup_by(|next, before| {
            before.1 == next.0 && next.0 == cut && {
                before.1 = next.1;
                true
            }
        });
        let expected: Vec<(usize, usize)> =
            whole.quotes.iter().map(|quote| (quote.range.start, quote.range.end)).collect();
        assert_eq!(joined, expected, "cut at {cut}");
    }
}
