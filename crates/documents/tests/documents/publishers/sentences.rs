//! Three sentences of a novel in each language, of which the books of the tests are made.

pub(super) const FRENCH: &[&str] = &[
    "La lampe brûlait encore quand le gardien descendit vers la mer. ",
    "Personne, dans le village, ne se souvenait d'un hiver aussi long. ",
    "Il pensa que le bateau ne reviendrait pas avant le printemps. ",
];
pub(super) const GERMAN: &[&str] = &[
    "Die Lampe brannte noch, als der Wärter zum Meer hinunterging. ",
    "Niemand im Dorf erinnerte sich an einen so langen Winter. ",
    "Er dachte, das Schiff werde vor dem Frühling nicht zurückkehren. ",
];
pub(super) const ITALIAN: &[&str] = &[
    "La lampada bruciava ancora quando il guardiano scese verso il mare. ",
    "Nessuno, nel paese, ricordava un inverno così lungo. ",
    "Pensò che la barca non sarebbe tornata prima della primavera. ",
];
pub(super) const SPANISH: &[&str] = &[
    "La lámpara seguía encendida cuando el guardián bajó hacia el mar. ",
    "Nadie en el pueblo recordaba un invierno tan largo. ",
    "Pensó que el barco no volvería antes de la primavera. ",
];
pub(super) const PORTUGUESE: &[&str] = &[
    "A lâmpada ainda ardia quando o guarda desceu até ao mar. ",
    "Ninguém na aldeia se lembrava de um inverno tão longo. ",
    "Pensou que o barco não voltaria antes da primavera. ",
];
pub(super) const JAPANESE: &[&str] = &[
    "灯台守が海へ下りていったとき、ランプはまだ燃えていた。",
    "村の誰も、これほど長い冬を覚えていなかった。",
    "船は春になるまで戻らないだろうと、彼は思った。",
];
pub(super) const CHINESE: &[&str] =
    &["守塔人走向大海的时候，灯还亮着。", "村里没有人记得这么长的冬天。", "他想，船在春天以前是不会回来的。"];
pub(super) const ENGLISH: &[&str] = &[
    "The lamp was still burning when the keeper went down to the sea. ",
    "Nobody in the village could remember a winter as long as this. ",
    "He thought that the boat would not be back before the spring. ",
];
