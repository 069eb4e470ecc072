//! Words that are not read as they are written, and words whose reading depends on their neighbors.

use super::{Part, Stress};
use crate::front_end::romance::{word_map::WordMap, word_set::WordSet};

/// Words that are not read as they are written.
static WORDS: WordMap = WordMap::new(include_str!("words.tsv"));

/// Words with a hyphen or an apostrophe that are one word.
pub(super) fn is_whole(text: &str) -> bool {
    text.contains(['-', '\'']) && said(text).is_some()
}

/// Function words, which are stressed only before a pause.
static UNSTRESSED: WordSet = WordSet::new(
    "a ai as au autre autres aux c ça car ce celle ces cet cette ceux chaque chez comme contre d \
     dans de des dès dont du elle elles en entre es est et eu eux faut il ils je l la le les leur \
     leurs lors ma mais me mes mon ne ni non nos notre nous on ou où par pas peu plus pour près qu \
     quand que quel qui sa sans se ses si son sous sur ta tant te tes ton tous tout toute toutes \
     très trop tu un une vers vos votre vous y à",
);

/// Function words of which one syllable is heard more.
static SECONDARY: WordSet = WordSet::new(
    "afin ainsi alors après assez aussi autant avant avec beaucoup cela comment depuis encore enfin \
     jamais loin lui mieux moi mois oui plusieurs point pourquoi quelque quelques quoi rien soit \
     toi toujours",
);

/// How loud a word is when another word follows it.
pub(super) fn stress(text: &str) -> Stress {
    if UNSTRESSED.contains(text) {
        Stress::None
    } else if SECONDARY.contains(text) {
        Stress::Secondary
    } else {
        Stress::Primary
    }
}

/// A word that is read by what stands beside it.
pub(super) fn by_neighbors(parts: &[Part<'_>], at: usize) -> Option<&'static str> {
    let near = |offset: isize| {
        let index = at.checked_add_signed(offset)?;
        parts.get(index).map(|part| part.text.as_str())
    };
    let (before, next) = (near(-1).unwrap_or(""), near(1).unwrap_or(""));
    let part = &parts[at];
    Some(match part.text.as_str() {
        // "À l'est", against "il l'est".
        "est" if part.elided == "l" && matches!(before, "à" | "de" | "vers" | "dans" | "" | "par") => "ɛst",
        "est" if matches!(before, "nord" | "sud") => "ɛst",
        // "Est-ce que".
        "ce" if before == "est" && part.word_has_more(parts, at) => "s",
        // "Tous les jours", against "ils sont tous venus".
        "tous"
            if matches!(
                next,
                "les"
                    | "mes"
                    | "tes"
                    | "ses"
                    | "nos"
                    | "vos"
                    | "leurs"
                    | "ces"
                    | "deux"
                    | "trois"
                    | "ceux"
                    | "types"
            ) =>
        {
            "tu"
        }
        "tous" => "tus",
        // "De plus en plus", "en plus", but "plus de pain", "ne plus".
        "plus" if next.is_empty() && matches!(before, "en" | "de" | "un") => "plys",
        // "Trois plus quatre".
        "plus" if is_number(before) && is_number(next) => "plys",
        // "L'os", against "les os".
        "os" if matches!(before, "les" | "des" | "ses" | "aux" | "mes" | "ces" | "leurs") => "o",
        "os" => "ɔs",
        // "Les fils de fer", "les fils électriques"; others are sons.
        "fils"
            if matches!(
                next,
                "électriques" | "électrique" | "barbelés" | "téléphoniques" | "conducteurs"
            ) || (next == "de"
                && near(2).is_some_and(|of| {
                    matches!(
                        of,
                        "fer" | "soie" | "laine" | "coton" | "cuivre" | "nylon" | "acier" | "discussion"
                    )
                })) =>
        {
            "fil"
        }
        "fils" => "fis",
        "s" | "t" | "c" | "d" | "j" | "l" | "m" | "n"
            if part.elided.is_empty() && part.word_has_more(parts, at) =>
        {
            match part.text.as_str() {
                "t" => "t",
                "s" => "s",
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn is_number(text: &str) -> bool {
    matches!(
        text,
        "zéro"
            | "un"
            | "deux"
            | "trois"
            | "quatre"
            | "cinq"
            | "six"
            | "sept"
            | "huit"
            | "neuf"
            | "dix"
            | "onze"
            | "douze"
            | "treize"
            | "quatorze"
            | "quinze"
            | "seize"
            | "vingt"
            | "trente"
            | "quarante"
            | "cinquante"
            | "soixante"
            | "cent"
            | "mille"
    )
}

impl Part<'_> {
    /// Whether the word has other parts.
    fn word_has_more(&self, parts: &[Part<'_>], at: usize) -> bool {
        let same = |part: Option<&Part<'_>>| part.is_some_and(|part| part.word == self.word);
        same(parts.get(at + 1)) || at.checked_sub(1).is_some_and(|before| same(parts.get(before)))
    }
}

/// Words in -ent that are nouns, adjectives or adverbs; others are verbs.
static NOUNS: WordSet = WordSet::new(
    "absent accent accident adhérent adjacent adolescent affluent agent apparent ardent argent \
     arpent auvent avent cent ciment client cohérent comment compétent concurrent conscient \
     constituent content contingent continent convent couvent décent déférent dent détergent \
     différent diligent dissident divergent dolent efficient élément éloquent éminent émollient \
     équivalent escient évent évident excellent excédent expédient fervent fréquent gent gradient \
     grandiloquent imminent impatient impertinent important imprudent impudent incident \
     incohérent inconscient inconvénient indécent indifférent indigent indolent indulgent \
     ingrédient inhérent innocent insolent insurgent intelligent intermittent jument lent \
     mécontent moment occident omniprésent onguent opulent orient parent patient pénitent \
     permanent pertinent phosphorescent précédent présent président proéminent prudent quotient \
     récent récipient référent régent réticent résident sanglant serpent sergent serment \
     somnolent souvent strident subséquent supplément talent testament torrent tourment \
     transparent trident truculent turbulent urgent vent violent virulent argument document \
     monument instrument aliment sentiment bâtiment vêtement événement évènement négligent latent \
     pestilent succulent ferment segment pigment fragment firmament tempérament médicament \
     parlement appartement régiment compliment sédiment détriment condiment rudiment châtiment \
     piment filament ornement excrément tégument émolument occurrent récurrent sous-jacent \
     contrevent paravent engoulevent quatre-vent coefficient omniscient déficient patent \
     ambivalent polyvalent prévalent prépondérent adent trent kent brent tangent convergent \
     astringent entregent rodent influent conséquent sent ressent consent pressent florent \
     lorient clément vincent laurent résurgent afférent confluent effluent émergent prescient \
     corpulent fraudulent purulent abstinent incontinent prééminent convalescent fluorescent \
     effervescent évanescent luminescent incandescent impotent omnipotent",
);

/// Verbs in -ment; the other words in -ment are adverbs and nouns.
static VERBS: WordSet = WordSet::new(
    "aiment allument animent affirment assument blâment calment charment chôment clament confirment \
     consomment consument déclament déforment déplument désarment diffament dorment écument \
     enferment enflamment endorment enfument entament estiment expriment forment fument gomment \
     impriment informent intiment légitiment limment nomment paument parfument oppriment performent \
     priment présument proclament programment réaffirment réclament referment reforment réforment \
     renferment répriment résument raniment ressèment riment sèment suppriment surnomment \
     sublimment subliment transforment trament dépriment hument arment acclament affament alarment \
     dénomment filment infirment miment zooment compriment déciment désignent",
);

/// Words that are both a noun or an adjective and a verb.
static BOTH: WordSet = WordSet::new(
    "président couvent content violent excellent négligent résident convergent divergent équivalent \
     précédent expédient affluent ferment serpent vent parent patient évident influent adhèrent \
     argument document complément",
);

/// Whether the word at this place in -ent is a verb, whose ending is not heard.
pub(super) fn is_verb(parts: &[Part<'_>], at: usize) -> bool {
    let text = parts[at].text.as_str();
    if text.ends_with("ment") && !NOUNS.contains(text) {
        return VERBS.contains(text);
    }
    if !NOUNS.contains(text) && !BOTH.contains(text) {
        return text != "ent" && !text.ends_with("scent");
    }
    // "Ils président", "elles y résident", "qui convergent", "les poules couvent".
    let back = |offset: usize| {
        at.checked_sub(offset).and_then(|at| parts.get(at)).map_or("", |part| part.text.as_str())
    };
    let pronoun = |text: &str| matches!(text, "ils" | "elles" | "qui");
    let clitic = |text: &str| {
        matches!(text, "se" | "s" | "y" | "en" | "les" | "le" | "la" | "nous" | "vous" | "lui" | "leur")
    };
    // "Ils affluent et violent la règle."
    let joined = matches!(back(1), "et" | "ou")
        && at.checked_sub(2).is_some_and(|two| {
            let verb = parts[two].text.ends_with("ent") && is_verb(parts, two);
            verb && (pronoun(back(3)) || clitic(back(3)))
        });
    BOTH.contains(text)
        && (joined
            || pronoun(back(1))
            || (clitic(back(1)) && pronoun(back(2)))
            || follows_plural(text, [back(1), back(2), back(3)])
            || follows_owner(parts, at))
}

/// "Les oiseaux du parc couvent": a noun of one owner stands between the plural and its verb.
fn follows_owner(parts: &[Part<'_>], at: usize) -> bool {
    // These are no adjectives, which could go with the owner.
    const NOUNS_ONLY: [&str; 5] = ["couvent", "président", "résident", "affluent", "ferment"];
    let text = |at: usize| parts.get(at).map_or("", |part| part.text.as_str());
    let of = |at: usize| matches!(text(at), "du" | "de" | "d") || parts[at].elided == "d";
    let Some(owner) = at.checked_sub(1).filter(|_| NOUNS_ONLY.contains(&text(at))) else { return false };
    let start = match owner {
        _ if parts[owner].elided == "d" => Some(owner),
        1.. if of(owner - 1) => Some(owner - 1),
        2.. if of(owner - 2)
            && matches!(text(owner - 1), "la" | "mon" | "ma" | "son" | "sa" | "ce" | "cette") =>
        {
            Some(owner - 2)
        }
        _ => None,
    };
    let Some(noun) = start.and_then(|start| start.checked_sub(1)) else { return false };
    let article = noun.checked_sub(1).map_or("", text);
    text(noun).ends_with(['s', 'x'])
        && matches!(article, "les" | "des" | "ces" | "mes" | "ses" | "nos" | "vos" | "leurs")
}

/// "Les députés président", "les poules du couvent couvent": no singular can stand after a plural
/// with its article, nor after itself.
fn follows_plural(text: &str, [one, two, three]: [&str; 3]) -> bool {
    static NEVER: WordSet =
        WordSet::new("précédent vent parent serpent document argument complément évident");
    static PLURAL: WordSet = WordSet::new(
        "les des ces mes tes ses nos vos leurs aux deux trois plusieurs quelques certains certaines",
    );
    static NO_NOUN: WordSet = WordSet::new(
        "plus moins pas très jamais toujours fois ans mois jours temps sans dans sous vers chez dès après puis \
         alors mais nous vous lors",
    );
    if NEVER.contains(text) {
        return false;
    }
    let noun = one.ends_with(['s', 'x']) && !PLURAL.contains(one) && !NO_NOUN.contains(one);
    one == text || (noun && (PLURAL.contains(two) || PLURAL.contains(three)))
}

/// Whether "nous" is the subject of the word at this place: "nous portions", "nous ne les portions".
pub(super) fn follows_we(parts: &[Part<'_>], at: usize) -> bool {
    let near = parts.get(at.saturating_sub(3)..at).unwrap_or(&[]);
    let clitic =
        |text: &str| matches!(text, "ne" | "n" | "le" | "la" | "les" | "lui" | "leur" | "y" | "en" | "vous");
    near.iter().rev().find(|part| !clitic(&part.text)).is_some_and(|part| part.text == "nous")
}

/// The phonemes of an irregular word.
pub(super) fn said(text: &str) -> Option<&'static str> {
    WORDS.get(text)
}
