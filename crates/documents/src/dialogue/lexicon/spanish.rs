//! Spanish: dashes around the narration (`—Sí —dijo Inés—, pero no.`), and `«…»`.

use std::collections::HashMap;

use super::{Dashes, Gender, Lexicon, Possessor, genders, set};

pub(super) fn lexicon() -> Lexicon {
    Lexicon {
        marks: &[('«', &['»']), ('“', &['”', '"']), ('"', &['"', '”'])],
        dashes: Dashes::Enclosing,
        verbs: set(
            "dijo respondió preguntó exclamó contestó replicó murmuró gritó añadió repuso susurró continuó \
             prosiguió repitió interrumpió observó explicó pensó insistió suspiró balbuceó ordenó declaró \
             anunció afirmó dije respondí pregunté exclamé contesté repliqué murmuré grité añadí dice \
             pregunta responde",
        ),
        adverbs: set("entonces luego después por fin le les me"),
        first: set("yo"),
        male: set("él"),
        female: set("ella"),
        group: set("ellos ellas todos ambos nosotros"),
        determiners: set("el la un una aquel aquella este esta"),
        possessives: HashMap::from([("su", Possessor::Third(Gender::Unknown)), ("mi", Possessor::First)]),
        his: set("él"),
        hers: set("ella"),
        titles: genders(
            "señor sr don padre hermano tío rey príncipe conde duque fray",
            "señora sra señorita srta doña madre hermana tía reina princesa condesa duquesa",
            "doctor dr capitán coronel profesor",
        ),
        kin: genders(
            "padre hermano hijo tío marido esposo primo amigo",
            "madre hermana hija tía mujer esposa prima amiga",
            "",
        ),
        nouns: genders(
            "hombre muchacho niño viejo rey cura soldado ventero barbero señor padre",
            "mujer muchacha niña vieja reina criada señora madre ama",
            "",
        ),
        crowds: set("hombres mujeres gente niños otros todos"),
        function: set(
            "y e o u pero mas si que quien cuando como donde porque aunque pues sí no ni es era son ha había \
             ya aquí allí ah oh tú usted ustedes te me se lo los las nos qué quién cómo",
        ),
        prepositions: set("de del a al en con sin por para sobre entre hacia hasta desde tras ante bajo"),
        given: genders(
            "juan pedro pablo josé carlos luis antonio manuel francisco miguel sancho diego",
            "maría ana inés isabel teresa lucía elena carmen rosa juana dorotea",
            "",
        ),
        dear: set("querido querida"),
        and: set("y e"),
        to: set("a"),
        plural_s: true,
        ..Lexicon::default()
    }
}
