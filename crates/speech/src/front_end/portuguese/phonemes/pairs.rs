//! Words that are two words by their vowel: the noun with a closed e or o, and the verb of the first
//! person with an open one, told by what stands beside them.

use crate::front_end::romance::word_set::WordSet;

/// Nouns with a closed vowel, which are verbs with an open one after "eu".
static PAIRS: WordSet =
    WordSet::new("gosto começo jogo choro olho acordo almoço governo apelo selo gelo seco peso rolo molho");

/// Words before a verb of the first person.
static BEFORE_VERB: WordSet =
    WordSet::new("eu não nunca já me te se lhe sempre também realmente ainda só nem");

/// Whether a word may be one of them, by its length and its last letter.
pub(super) fn may_be(text: &str) -> bool {
    (4..=8).contains(&text.len()) && text.ends_with(['o', 'O', 'e', 'E'])
}

/// Whether the e or o of a word is open here. `None` when the word is no such pair.
pub(super) fn is_open(before: [&str; 2], text: &str, next: [&str; 2]) -> Option<bool> {
    if text == "sede" {
        return Some(!is_thirst(before, next));
    }
    if !PAIRS.contains(text) {
        return None;
    }
    let [second, first] = before;
    // "Gosto de ler", "Começo a ver", "Olho para ela" begin a clause.
    let begins = first.is_empty()
        && matches!(
            (text, next[0]),
            ("gosto", "de" | "do" | "da" | "dos" | "das" | "muito" | "tanto")
                | ("começo", "a" | "agora")
                | ("olho", "para" | "pra")
        );
    let wakes = text == "acordo" && matches!(next[0], "cedo" | "tarde" | "às");
    Some(begins || wakes || BEFORE_VERB.contains(first) || (second == "que" && first == "eu"))
}

/// Whether "sede" is thirst and not the seat of a company.
fn is_thirst([second, first]: [&str; 2], [next, after]: [&str; 2]) -> bool {
    let of_place = matches!(next, "em" | "no" | "na" | "nos" | "nas" | "própria" | "social");
    let has = matches!(
        first,
        "com"
            | "ter"
            | "tenho"
            | "tem"
            | "têm"
            | "tinha"
            | "tive"
            | "teve"
            | "sinto"
            | "muita"
            | "tanta"
            | "sem"
    );
    let kills = matches!(first, "a" | "minha" | "sua" | "nossa")
        && matches!(second, "matar" | "mata" | "matou" | "saciar" | "saciou" | "sacia");
    let wants = matches!(next, "de")
        && matches!(
            after,
            "vingança"
                | "poder"
                | "sangue"
                | "justiça"
                | "conhecimento"
                | "saber"
                | "viver"
                | "vencer"
                | "água"
        );
    let hunger = first == "e" && second == "fome";
    (has && !of_place) || kills || wants || hunger
}
