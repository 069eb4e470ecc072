//! Italian: `«…»`, `“…”` and dashes around the narration.

use std::collections::HashMap;

use super::{Dashes, Gender, Lexicon, Possessor, genders, set};

pub(super) fn lexicon() -> Lexicon {
    Lexicon {
        marks: &[('«', &['»']), ('“', &['”', '"']), ('"', &['"', '”'])],
        dashes: Dashes::Enclosing,
        verbs: set(
            "disse rispose domandò chiese esclamò gridò mormorò aggiunse replicò riprese continuò soggiunse \
             ripeté interruppe osservò spiegò pensò sussurrò balbettò sospirò ordinò dichiarò dissi risposi \
             domandai chiesi esclamai gridai mormorai aggiunsi fece dice",
        ),
        adverbs: set("allora poi ancora infine subito gli le mi"),
        first: set("io"),
        male: set("egli lui"),
        female: set("ella lei"),
        group: set("essi loro tutti noi"),
        determiners: set("il lo la un uno una quel quella questo questa l"),
        possessives: HashMap::from([
            ("suo", Possessor::Third(Gender::Unknown)),
            ("sua", Possessor::Third(Gender::Unknown)),
            ("mio", Possessor::First),
            ("mia", Possessor::First),
        ]),
        his: set("egli lui"),
        hers: set("ella lei"),
        titles: genders(
            "signor sig don padre fra frate fratello zio re principe conte duca mastro",
            "signora sig.ra signorina donna madre suora sorella zia regina principessa contessa",
            "dottor dottore dr capitano colonnello professore",
        ),
        kin: genders(
            "padre fratello figlio zio marito cugino amico",
            "madre sorella figlia zia moglie cugina amica",
            "",
        ),
        nouns: genders(
            "uomo ragazzo vecchio re curato soldato oste signore padre bambino burattino",
            "donna ragazza vecchia regina signora madre bambina fata",
            "",
        ),
        crowds: set("uomini donne gente ragazzi altri tutti"),
        function: set(
            "e ed o ma se che chi quando come dove perché sì no né è era sono ha aveva già qui là ah oh tu voi \
             ti mi si ci lo gli le i",
        ),
        prepositions: set("di del della a al alla in nel nella con senza per su tra fra da dal dalla verso"),
        given: genders(
            "giovanni pietro paolo giuseppe carlo luigi antonio renzo lorenzo geppetto pinocchio",
            "maria anna ines lucia elena teresa rosa agnese perpetua",
            "",
        ),
        dear: set("caro cara"),
        and: set("e ed"),
        to: set("a"),
        ..Lexicon::default()
    }
}
