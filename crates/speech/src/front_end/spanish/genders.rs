//! The gender of nouns, as far as numbers agree with it: by endings, and by lists of the common
//! nouns whose ending does not show their gender.

use crate::front_end::romance::word_set::WordSet;

/// Masculine nouns in -a, in the singular.
static MASCULINE: WordSet = WordSet::new(
    "aroma atleta axioma carisma clima cometa cosmonauta crucigrama dálmata diagrama dilema diploma drama \
     día enigma esquema estigma fantasma fonema gorila holograma idioma koala lema magma mapa \
     mediodía monarca organigrama panda panorama papa papá pentagrama pirata planeta poema poeta \
     pijama problema programa reuma síntoma sistema sofá telegrama tema teorema tequila tranvía \
     trauma tanka yoga",
);

/// Feminine nouns with another ending, in the singular.
static FEMININE: WordSet = WordSet::new(
    "ave base barbarie calle capital carne cárcel catedral clase clave coliflor corriente cruz \
     cumbre especie espiral fase fe fiebre flor foto frase fuente gente grasa hambre hélice imagen \
     índole intemperie labor leche legumbre ley llave lumbre luz madre mano mente miel moto muerte \
     mujer nariz nave nieve noche nube orden parte pared paz piel planicie plebe pirámide radio \
     raíz red res sal sangre sed sede señal serie serpiente sien simiente suerte superficie tarde \
     tilde torre tos tribu variante vez vocal voz web perdiz cicatriz codorniz lombriz actriz \
     emperatriz matriz nuez niñez vejez pubertad hipótesis crisis tesis síntesis dosis bilis \
     diócesis elipsis metrópolis necrópolis revista lista vista pista entrevista conquista arista \
     amatista autopista reconquista sartén hoz ley grey mies col cal sucursal postal credencial \
     terminal multinacional diagonal patente vertiente vacante constante restante esfinge laringe \
     faringe estirpe liebre ubre comadre sílice catástrofe pelvis génesis \
     tuberculosis parálisis base",
);

/// Adjectives with one form for both genders that may stand between a number and its noun.
const NEUTRAL: &[&str] = &[
    "grandes",
    "mejores",
    "peores",
    "principales",
    "diferentes",
    "posibles",
    "simples",
    "nobles",
    "breves",
    "enormes",
    "miles",
    "tales",
    "mil",
    "importantes",
    "terribles",
    "siguientes",
];

/// Whether a noun, singular or plural, is feminine.
pub(super) fn is_feminine(noun: &str) -> bool {
    const ENDINGS: [&str; 9] = ["ción", "sión", "xión", "dad", "tad", "tud", "umbre", "triz", "ícola"];
    let singular = singular(noun);
    let is = |list: &WordSet| list.contains(noun) || list.contains(&singular);
    if is(&FEMININE) {
        return true;
    }
    if singular.ends_with('a') {
        return !is(&MASCULINE) && !singular.ends_with("ista");
    }
    ENDINGS.iter().any(|ending| singular.ends_with(ending))
}

/// Whether a word after a number leaves the gender to the next word.
pub(super) fn is_neutral(word: &str) -> bool {
    NEUTRAL.contains(&word)
}

/// The singular of a plural, as far as the lists and endings above need it.
fn singular(noun: &str) -> String {
    for (many, one) in [("ciones", "ción"), ("siones", "sión"), ("xiones", "xión"), ("ces", "z")] {
        if let Some(stem) = noun.strip_suffix(many) {
            return format!("{stem}{one}");
        }
    }
    match noun {
        "imágenes" => return "imagen".to_owned(),
        "órdenes" => return "orden".to_owned(),
        _ => {}
    }
    // As in "dosis" and "crisis".
    if noun.ends_with("is") || noun.ends_with("us") {
        return noun.to_owned();
    }
    let Some(stem) = noun.strip_suffix('s') else { return noun.to_owned() };
    // After a consonant the plural is -es: flores, ciudades, leyes.
    match stem.strip_suffix('e') {
        Some(short) if short.ends_with(['d', 'l', 'n', 'r', 's', 'y', 'j']) && !FEMININE.contains(stem) => {
            short.to_owned()
        }
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_feminine;

    #[test]
    fn nouns_have_a_gender_by_their_ending_or_by_the_lists() {
        for noun in [
            "página",
            "páginas",
            "personas",
            "canciones",
            "ciudades",
            "veces",
            "manos",
            "noches",
            "flores",
            "calles",
            "luces",
            "dosis",
            "mujeres",
            "señales",
            "tesis",
            "leyes",
            "torres",
            "clases",
        ] {
            assert!(is_feminine(noun), "{noun}");
        }
        for noun in [
            "libro",
            "libros",
            "días",
            "mapas",
            "problemas",
            "meses",
            "árboles",
            "poetas",
            "artistas",
            "habitantes",
            "coches",
            "peces",
            "autobuses",
        ] {
            assert!(!is_feminine(noun), "{noun}");
        }
    }
}
