//! The gender of Portuguese nouns, as far as numbers agree with it.

use crate::front_end::romance::word_set::WordSet;

/// The gender of a noun by its ending, and by lists of the common nouns whose ending does not show
/// it.
pub(super) fn is_feminine(noun: &str) -> bool {
    static FEMININE: WordSet = WordSet::new(
        "ala alemã amanhã antítese análise anã apoteose aptidão atividade atriz avalanche ave avó \
         barbárie base cal calvície capital carne catedral catástrofe certidão chaminé chance \
         chave cicatriz cidadã classe colher comissão cor corrente cortesã couve crase credencial crise \
         cruz cárie decisão diagonal diocese discussão dor dose elipse embalagem enchente enxó \
         escuridão espiral espécie estirpe exatidão expressão face fase febre ferragem filial \
         flor fome fonte foto foz frase fuligem fé garagem gente gratidão gravidez greve gripe \
         hipótese homenagem hélice ilusão imensidão imperatriz impressão intempérie internet irmã \
         legião lei lente lentidão libido luz lã manhã mansidão margem maré matriz maçã mensagem \
         mente mercê metamorfose missão moral morte moto mulher multidão multinacional mãe mão mó \
         nave neblina neve noite noz nuance nuvem opinião ordem origem osmose overdose parede \
         parte passagem patente paz pele perdiz performance planície plebe ponte postal prece \
         pressão prisão profissão prontidão prótese pá pólvora raiz razão rebelião rede região \
         religião reunião romã ré saúde sede semente serpente servidão sessão solidão sorte \
         sucursal superfície série síntese tarde televisão tese tez timidez torre tribo união \
         vertente vertigem vez viagem virgem visão vogal vontade voz árvore ênfase",
    );
    static MASCULINE: WordSet = WordSet::new(
        "dia problema sistema tema programa mapa clima drama poema idioma planeta cinema artista \
         poeta pirata grama quilograma telefonema dilema diploma sofá papa guarda esquema fantasma \
         telegrama trauma cometa teorema",
    );
    const ENDINGS: &[&str] = &["ção", "são", "dade", "tude", "gem", "ice", "ez", "triz", "tã", "ade"];
    let one = singular(noun);
    if FEMININE.contains(&one) || FEMININE.contains(noun) {
        return true;
    }
    if MASCULINE.contains(&one) {
        return false;
    }
    one.ends_with('a') || ENDINGS.iter().any(|ending| one.ends_with(ending))
}

/// The singular of a plural, as far as the lists and endings above need it.
fn singular(noun: &str) -> String {
    for (many, one) in
        [("ções", "ção"), ("sões", "são"), ("gens", "gem"), ("vens", "vem"), ("zes", "z"), ("ais", "al")]
    {
        if let Some(stem) = noun.strip_suffix(many) {
            return format!("{stem}{one}");
        }
    }
    match noun {
        "mãos" => "mão".to_owned(),
        "mulheres" | "flores" | "cores" | "dores" => noun.trim_end_matches("es").to_owned(),
        _ => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_feminine;

    #[test]
    fn nouns_have_a_gender_by_their_ending_or_by_the_lists() {
        for noun in [
            "horas",
            "pessoas",
            "estações",
            "mãos",
            "cidades",
            "vezes",
            "páginas",
            "viagens",
            "mulheres",
            "luzes",
        ] {
            assert!(is_feminine(noun), "{noun}");
        }
        for noun in ["dias", "euros", "problemas", "anos", "homens", "livros", "gramas"] {
            assert!(!is_feminine(noun), "{noun}");
        }
    }
}
