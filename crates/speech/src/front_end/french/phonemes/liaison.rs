//! Consonants that are heard only before a vowel, and words that lose their vowel before one.

use super::Part;
use crate::front_end::romance::word_set::WordSet;

/// The sounds of a word that lost its vowel: `l'`, `qu'`, `jusqu'`.
pub(super) fn elided(head: &str) -> String {
    match head {
        "c" => "s".to_owned(),
        "j" => "ʒ".to_owned(),
        "l" | "d" | "m" | "n" | "s" | "t" => head.to_owned(),
        "qu" => "k".to_owned(),
        _ => super::letters::sounds(&format!("{head}e"), false),
    }
}

/// Whether a word begins with a vowel that consonants join.
pub(super) fn begins_with_vowel(text: &str, said: &str) -> bool {
    if text.starts_with('h') && ASPIRATED.begins(text) && !MUTE.contains(text) {
        return false;
    }
    if APART.contains(text) {
        return false;
    }
    said.starts_with(|c| "aeiouyɛøœɔɑ".contains(c)) || (said.starts_with('w') && text.starts_with('o'))
}

/// Words without an h that are kept apart all the same.
static APART: WordSet = WordSet::new(
    "onze onzième oui ouistiti un, uns ululer yaourt yacht yoga yoyo week huit huitième ouah hein \
     ok a, yeti yen yens",
);

/// Beginnings of words whose h keeps other words apart.
static ASPIRATED: WordSet = WordSet::new(
    "hach haie haill hain haï hais hait hal hamac hamb hameau hamster hanch hand hangar hanneton \
     hant happ harang haras harass harcel harcèl hard harem hareng hargn haricot harnais harp \
     hasard hât hausse hauss haut havr hay hazard hennir hérauts héraut hérisson hériss hernie \
     héron héros hêtre heurt hibou hic hideu hiérarch hippie hiss hobby hoch hockey hold holland \
     hollywood homard hongr hong honte honteu hoquet hors hotte houbl houe houill houl houpp housse \
     houx hublot huche huée hugo huguenot huit hul hum huns huppe hurl hutte hyène hip hot haïti \
     haine hall halt henri",
);

/// Words that begin like those and have a silent h.
static MUTE: WordSet = WordSet::new(
    "haleine haleines hallucination hallucinations halluciné haltère haltères harmonie humain \
     humaine humains humaines humanité humble humbles humeur humeurs humide humides humidité \
     humilier humilié humiliation humilité humour humoriste humus horse hippique hippocampe \
     hippopotame hôtel hôtels hotel hôtesse huître huîtres huissier huile huiles halogène \
     humanitaire humaniste humanisme hummus hongkong haïku halieutique hameçon hameçons hicham \
     humer",
);

/// Words whose last consonant joins any vowel that follows.
const ALWAYS: &[&str] = &[
    // Articles, possessives and the like.
    "un",
    "les",
    "des",
    "ces",
    "mes",
    "tes",
    "ses",
    "nos",
    "vos",
    "leurs",
    "aux",
    "mon",
    "ton",
    "son",
    "quels",
    "quelles",
    "quelques",
    "plusieurs",
    "certains",
    "certaines",
    "aucun",
    "tout",
    "toutes",
    "autres",
    "mêmes",
    "diverses",
    "divers",
    // Numbers.
    "deux",
    "trois",
    "six",
    "dix",
    "vingt",
    "vingts",
    "cent",
    "cents",
    // Pronouns.
    "nous",
    "vous",
    "ils",
    "elles",
    "on",
    "en",
    // Prepositions, adverbs and conjunctions.
    "dans",
    "sans",
    "sous",
    "chez",
    "dès",
    "très",
    "plus",
    "moins",
    "bien",
    "trop",
    "quand",
    "dont",
    "fort",
    // Adjectives before their noun.
    "petit",
    "petits",
    "petites",
    "grand",
    "grands",
    "grandes",
    "gros",
    "grosses",
    "bon",
    "bons",
    "bonnes",
    "mauvais",
    "mauvaises",
    "beaux",
    "belles",
    "nouveaux",
    "nouvelles",
    "vieux",
    "vieilles",
    "jeunes",
    "premier",
    "premiers",
    "premières",
    "dernier",
    "derniers",
    "dernières",
    "ancien",
    "anciens",
    "anciennes",
    "prochain",
    "prochains",
    "certain",
    "moyen",
    "plein",
    "saint",
    "saints",
    "second",
    "seconds",
    "différents",
    "différentes",
    "nombreux",
    "nombreuses",
    "principaux",
    "principales",
    "meilleurs",
    "meilleures",
    "long",
    "longs",
    "longues",
    "hauts",
    "hautes",
    "tels",
    "telles",
    "rien",
    "excellent",
    "différent",
    "vrais",
    "vraies",
    "faux",
    "chers",
    "chères",
    "rares",
    "simples",
    "seuls",
    "seules",
    // Verbs that lean on what follows.
    "est",
    "sont",
    "ont",
    "était",
    "étaient",
    "sera",
    "serait",
    "soit",
    "suis",
    "êtes",
    "sommes",
    "avons",
    "avez",
    "étais",
    "fut",
    "furent",
    "avait",
    "avaient",
    "ait",
    "aient",
    "vont",
    "dit",
    "doit",
    "doivent",
    "peut",
    "peuvent",
    "fait",
    "font",
    "faut",
    "comment",
];

/// Verbs and adverbs of [`ALWAYS`] that join only some words.
fn joins(before: &str, next: &str) -> bool {
    match before {
        "comment" => next == "allez",
        // "Il dit-il", "peut-être" and inversions are joined by their hyphen.
        "dit" | "peut" | "doit" | "fait" | "faut" | "avait" | "avaient" | "vont" | "font" | "peuvent"
        | "doivent" | "ait" | "aient" | "sera" => {
            matches!(next, "il" | "elle" | "on" | "ils" | "elles" | "être" | "eu" | "été")
        }
        // "Tout à coup".
        "tout" => !matches!(next, "et" | "ou" | "au" | "aux" | "en" | "avec"),
        "excellent" | "différent" => {
            !matches!(next, "et" | "ou" | "à" | "au" | "aux" | "en" | "avec" | "est")
        }
        "fort" | "rien" => !matches!(next, "et" | "ou" | "à" | "au" | "aux" | "en" | "avec"),
        // "Nous" and "on" after a verb: "allons-nous à".
        "on" | "ils" | "elles" | "nous" | "vous" => !matches!(next, "et" | "ou" | "à" | "au" | "aux"),
        _ => !matches!(next, "et" | "ou") || matches!(before, "vingt"),
    }
}

/// The sounds of a part before the next one: with the consonant that joins them, or without one
/// that is heard only at an end.
pub(super) fn before(earlier: &[Part<'_>], part: &Part<'_>, next: &Part<'_>) -> String {
    let text = part.text.as_str();
    let said = part.said.as_str();
    let vowel = next.takes_liaison();
    let hyphen = part.word == next.word;
    if let Some(number) = number(text, next, vowel) {
        return number.to_owned();
    }
    // The t of "a-t-il" is said already.
    if !vowel || text == "t" {
        return said.to_owned();
    }
    // "Neuf heures", "neuf ans".
    if text == "neuf" && matches!(next.text.as_str(), "heures" | "heure" | "ans") {
        return "nœv".to_owned();
    }
    // "Trois pour cent au total": it ends what is counted.
    if text == "cent" && earlier.last().is_some_and(|earlier| earlier.text == "pour") {
        return said.to_owned();
    }
    // "Quatre-vingt-un" and "cent un" are not joined.
    let counted = matches!(next.text.as_str(), "un" | "une" | "onze" | "unième");
    if matches!(text, "vingt" | "vingts" | "cent" | "cents") && counted {
        return said.to_owned();
    }
    let inverted = hyphen
        && matches!(next.text.as_str(), "il" | "elle" | "on" | "ils" | "elles" | "en" | "y" | "être" | "à")
        && text.ends_with(['t', 'd', 's', 'z', 'x']);
    let after_article = earlier.last().is_none_or(|earlier| !is_article(&earlier.text));
    // "Le trois avril": a date is not a count.
    let month = matches!(next.text.as_str(), "avril" | "août" | "octobre");
    let listed = !month
        && ALWAYS.contains(&text)
        && joins(text, &next.text)
        // "Les nouveaux et les anciens": an adjective that is the noun.
        && (after_article || !matches!(next.text.as_str(), "et" | "ou" | "à" | "au" | "aux" | "est" | "ont" | "a" | "en"));
    if !inverted && !listed {
        return said.to_owned();
    }
    let joined = |consonant: &str| format!("{said}{consonant}");
    match text.chars().next_back() {
        Some('s' | 'x' | 'z') => joined("z"),
        Some('t' | 'd') => joined("t"),
        Some('p') => joined("p"),
        Some('g') => joined("ɡ"),
        Some('r') if said.ends_with('e') => format!("{}ɛʁ", said.strip_suffix('e').unwrap_or(said)),
        Some('n') => match text {
            "bon" => "bɔn".to_owned(),
            "un" | "aucun" | "mon" | "ton" | "son" | "on" | "en" | "bien" | "rien" => joined("n"),
            // "Certain âge", "ancien ami": without the nasal.
            _ => format!("{}n", said.strip_suffix('\u{303}').unwrap_or(said)),
        },
        _ => said.to_owned(),
    }
}

fn is_article(text: &str) -> bool {
    matches!(
        text,
        "le" | "la"
            | "les"
            | "l"
            | "un"
            | "une"
            | "des"
            | "du"
            | "ces"
            | "cette"
            | "ce"
            | "nos"
            | "vos"
            | "leurs"
    )
}

/// Numbers whose end depends on what follows.
fn number(text: &str, next: &Part<'_>, vowel: bool) -> Option<&'static str> {
    // They are like alone before what is not counted: "six et sept", "le dix de pique".
    let apart = matches!(
        next.text.as_str(),
        "et" | "ou" | "de" | "à" | "en" | "sur" | "dans" | "est" | "a" | "virgule" | "fois" | "par" | "au"
    );
    match text {
        "six" if apart && next.text != "fois" => Some("sis"),
        "six" if vowel => Some("siz"),
        "six" => Some("si"),
        "dix" if apart && next.text != "fois" => Some("dis"),
        "dix" if vowel || matches!(next.text.as_str(), "huit" | "neuf" | "huitième" | "neuvième") => {
            Some("diz")
        }
        "dix" if matches!(next.text.as_str(), "sept" | "septième") => Some("di"),
        "dix" => Some("di"),
        "huit" if !vowel && !apart => Some("yi"),
        // "Vingt-deux", but "quatre-vingt-deux".
        "vingt" if next.word_is_unit() => Some("vɛ̃t"),
        _ => None,
    }
}

impl Part<'_> {
    fn word_is_unit(&self) -> bool {
        matches!(
            self.text.as_str(),
            "deux"
                | "trois"
                | "quatre"
                | "cinq"
                | "six"
                | "sept"
                | "huit"
                | "neuf"
                | "et"
                | "deuxième"
                | "troisième"
                | "quatrième"
                | "cinquième"
                | "sixième"
                | "septième"
                | "huitième"
                | "neuvième"
        )
    }
}
