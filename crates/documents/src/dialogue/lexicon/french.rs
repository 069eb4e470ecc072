//! French: `« … »` and dashes, with tags that are inverted (`dit Inès`, `dit-il`).

use std::collections::HashMap;

use super::{Dashes, Gender, Lexicon, Possessor, genders, set};

pub(super) fn lexicon() -> Lexicon {
    Lexicon {
        marks: &[('«', &['»']), ('“', &['”', '"']), ('"', &['"', '”'])],
        dashes: Dashes::Opening,
        verbs: set(
            "dit répondit demanda cria répond demande crie s'écria murmura reprit ajouta répliqua fit continua s'exclama déclara \
             interrompit observa poursuivit balbutia soupira hurla chuchota insista expliqua interrogea \
             commença répéta grommela gémit pensa dis répondis demandai criai murmurai repris ajoutai \
             m'écriai répliquai s'enquit avoua affirma proposa conclut annonça protesta souffla",
        ),
        adverbs: set("alors encore enfin ensuite aussitôt lui leur me doucement"),
        first: set("je j"),
        male: set("il"),
        female: set("elle"),
        group: set("ils elles nous tous on"),
        determiners: set("le la un une ce cet cette"),
        possessives: HashMap::from([
            ("son", Possessor::Third(Gender::Unknown)),
            ("sa", Possessor::Third(Gender::Unknown)),
            ("leur", Possessor::Third(Gender::Unknown)),
            ("mon", Possessor::First),
            ("ma", Possessor::First),
        ]),
        his: set("il"),
        hers: set("elle"),
        titles: genders(
            "monsieur m messire maître père frère oncle sire roi prince comte duc abbé sieur",
            "madame mme mademoiselle mlle mère sœur tante reine princesse comtesse duchesse dame",
            "docteur dr capitaine colonel professeur commandant général lieutenant",
        ),
        kin: genders("père frère fils oncle mari cousin", "mère sœur fille tante femme cousine", "ami amie"),
        nouns: genders(
            "homme garçon roi prince vieillard prêtre soldat docteur monsieur père frère",
            "femme fille reine princesse vieille servante dame mère sœur",
            "",
        ),
        crowds: set("hommes femmes gens enfants autres tous deux soldats matelots"),
        function: set(
            "et ou mais donc or ni car si que qui quoi dont où quand comme lorsque puis alors oui non ne pas \
             est était sont ai as avait avez avec cela ça ici là tu vous te me se ah oh eh hé bien les des ces \
             mes ses",
        ),
        prepositions: set(
            "de d du des à au aux en dans sur sous avec sans pour par chez vers entre devant derrière",
        ),
        given: genders(
            "jean pierre paul jacques louis charles henri andré michel françois georges philippe antoine",
            "marie jeanne louise anne inès claire julie emma sophie catherine marguerite cosette",
            "",
        ),
        dear: set("cher chère mon ma"),
        and: set("et"),
        to: set("à"),
        plural_s: true,
        ..Lexicon::default()
    }
}
