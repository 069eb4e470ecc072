//! The gender of French nouns, as far as numbers agree with it: by endings that are regular, and by
//! lists of the nouns that are counted most.

use crate::front_end::romance::word_set::WordSet;

/// Feminine nouns whose ending does not show it, in the singular.
static NOUNS: WordSet = WordSet::new(
    "abeille affaire affiche aiguille aile ampoule année antenne arme armoire arène assiette \
     attaque audience avenue bactérie bague baie baignoire balle banane bande banque barque barre \
     base bataille bavure bibliothèque biche bière blague blouse bombe borne botte bouche bougie \
     bourse bouteille boîte branche brebis brique brosse brèche bulle bête bêtise bûche cabane \
     cabine cage caisse calorie canne capsule caravane caresse carotte carte casserole \
     catastrophe cause cave caverne centaine cerise chaise chaleur chambre chanson chaussure \
     chaîne chemise chenille chose chèvre cible cicatrice cigale cigarette cité clarinette classe \
     clef clinique cloche clé coiffe collecte colline colonne commande compagnie comète \
     console consonne contrainte coopérative copie coque corbeille corde corne couche couleur \
     coupe coupure cour courbe couronne course couverture crampe crevette crise croix crypte \
     crème crêpe cuillerée cuillère cuisine cuisse culture cure cuve côte dame danse date demande \
     demeure dent descente dette devise digue dinde dispute dizaine diète dose douche douzaine \
     drogue dune durée dynastie défaite défense démarche dépense dépouille dépêche déroute encre \
     enquête enveloppe erreur escale espèce excuse expertise extase fabrique facture faculté \
     faille famille fanfare farce fatigue faute façon femme fente fenêtre ferme feuille fibre \
     ficelle fiche file fille finale firme flamme fleur flotte flèche flûte foire fois fontaine \
     force forme fortune forêt fosse foule fourchette fourmi fourrure fraise framboise friandise \
     frite frontière fusée fève fée fête gaffe galerie gamine gamme gare gazelle gelée \
     gemme glace gloire gomme gorge goutte graine grange grappe gravure grenouille griffe grille \
     grippe grotte grève guerre guitare guêpe habitante haie halte hanche harpe hausse herbe \
     heure hirondelle histoire horloge houle huître hypothèse idée image impasse infirmière \
     injection injure insulte intrigue jambe jetée joie joue journée jument jupe lagune \
     laine laitue lame lampe lance langue larme larve laverie lettre leçon ligne ligue lime \
     limite liste loi loupe louve lune lutte machine main mairie maison majuscule \
     malle manche manière mante marche marge marine marmite marque marée masse matière maîtresse \
     menace merveille messe mesure mine minuscule minute moitié montagne montre mort mosquée \
     motte mouche mouette moule moustache moyenne munition muraille musique mèche mère médaille \
     méduse mélodie méthode mûre naissance nappe nation navette nièce noce noix norme \
     note nouvelle nuance nuit nuée obole odeur odyssée offre oie olive ombre onde opérette \
     orange orbite ordonnance oreille orgie orque page paille paire palette palme pampa panne \
     pantoufle papaye parade parcelle parenthèse paroisse parole part partie passerelle pastèque \
     patrouille patte pause peau peine peinture pelle pelouse pensée pente perle permanence \
     personne perte piastre pierre pige pile pilule pince pincée pipe piqûre piscine piste pizza \
     pièce place plage plaie plainte planche plante planète plaque plaquette plateforme pluie \
     plume poche poignée pointe pointure poire police pomme pompe porte poule poupée poutre \
     poésie prairie preuve primaire prime princesse prise prison prière proie promesse \
     promotion prune punaise pâte pépite pétition pêche question queue quinzaine quête rafale \
     raie raison rame rampe rangée recette recrue reine relique remarque remise rencontre rente \
     reprise requête revanche revue ride rivale rivière rixe robe ronce ronde rose rotule roue \
     route routine rubrique ruche rue ruelle ruine ruse règle réclame récolte récompense réforme \
     région réponse réserve réunion saison salade salle sandale sangle sardine sauce saucisse \
     scène seconde secte semaine sentence sirène soie soirée somme sonate sonde sorte sortie \
     soucoupe soupe source souris statue strate stèle sucrerie suite sultane superficie surface \
     surprise syllabe symphonie synagogue sève série sœur table tablette taille tante tapisserie \
     tarte tasse taupe taxe teinte tempête tenaille tente tenue terre thèse tige tique toile \
     toilette tomate tombe tonne touche touffe tourmente toux trace tranche tranchée transe \
     traversée trentaine tribu tribune tristesse trompe trompette troupe truffe truite trêve \
     tuile tulipe tunique turbine tâche télé tête usine vache vague vaisselle valeur valise \
     vallée valse vanne variété veine vente venue verrue veste veuve victime victoire vie vigne \
     ville vingtaine vipère virgule vis visite vitamine vitre vitrine voie voile voisine voiture \
     voix volte volée voyelle vue zone âme écharpe échelle éclipse école économie écorce écurie \
     église émeute énigme épaule épave épidémie épine éponge époque épouse épreuve épée équipe \
     étable étagère étape étincelle étiquette étoffe étoile étrangère étude île œuvre",
);

/// The gender of a noun by its ending, as far as it is regular, and by a list of the nouns that are
/// counted most.
pub(super) fn is_feminine(noun: &str) -> bool {
    static ENDINGS: WordSet = WordSet::new(
        "tion sion xion aison ance ence ette elle esse ade ude ure euse trice ienne onne ine ise \
         ité ille ée ie aine ique ogue",
    );
    static MASCULINE: WordSet = WordSet::new(
        "musée lycée trophée silence magazine domaine génie incendie parapluie comité stade grade \
         capitaine million avion pion lion mille gorille prélude interlude modèle catalogue \
         dialogue diagnostique moustique graphique domestique murmure squelette bandit été foie \
         messie moine patrimoine scion",
    );
    let one = noun.strip_suffix(['s', 'x']).unwrap_or(noun);
    let is = |list: &WordSet| list.contains(noun) || list.contains(one);
    is(&NOUNS) || (!is(&MASCULINE) && ENDINGS.ends(one))
}

#[cfg(test)]
mod tests {
    use super::is_feminine;

    #[test]
    fn nouns_have_a_gender_by_their_ending_or_by_the_lists() {
        for noun in
            ["heures", "personnes", "stations", "voix", "fois", "années", "villes", "cigarettes", "bactéries"]
        {
            assert!(is_feminine(noun), "{noun}");
        }
        for noun in ["jours", "euros", "musées", "hommes", "millions", "ans", "enfants", "moustiques"] {
            assert!(!is_feminine(noun), "{noun}");
        }
    }
}
