//! Reads the most common emoji by their names; others are silent. A repeated emoji is named once,
//! with the number of its repetitions.

use super::Reader;
use crate::front_end::{
    emoji::{self, parts, regional},
    hindi::figures,
};

/// The names, by the order of the characters.
const NAMES: &[(char, &str)] = &[
    ('☀', "सूरज"),
    ('☎', "टेली\u{95E}ोन"),
    ('☔', "छाता"),
    ('☕', "गर्म पेय"),
    ('☝', "ऊपर उँगली"),
    ('♥', "दिल"),
    ('⚠', "चेतावनी"),
    ('⚡', "बिजली"),
    ('⚽', "\u{95E}ुटबॉल"),
    ('✅', "सही का निशान"),
    ('✈', "हवाई जहा\u{95B}"),
    ('✉', "लि\u{95E}ा\u{95E}ा"),
    ('✌', "विजय का निशान"),
    ('✔', "सही का निशान"),
    ('✨', "चमक"),
    ('❌', "\u{95A}लत का निशान"),
    ('❓', "प्रश्न चिह्न"),
    ('❗', "विस्मय चिह्न"),
    ('❤', "लाल दिल"),
    ('➡', "दायाँ तीर"),
    ('⬅', "बायाँ तीर"),
    ('⭐', "सितारा"),
    ('🌈', "इंद्रधनुष"),
    ('🌍', "पृथ्वी"),
    ('🌙', "चाँद"),
    ('🌞', "सूरज"),
    ('🌟', "चमकता सितारा"),
    ('🌧', "बारिश"),
    ('🌲', "पे\u{95C}"),
    ('🌸', "\u{95E}ूल"),
    ('🌹', "गुलाब"),
    ('🌺', "\u{95E}ूल"),
    ('🍎', "सेब"),
    ('🍕', "पि\u{95B}्\u{95B}ा"),
    ('🎁', "उपहार"),
    ('🎂', "केक"),
    ('🎈', "\u{95A}ुब्बारा"),
    ('🎉', "उत्सव"),
    ('🎤', "माइक"),
    ('🎵', "संगीत"),
    ('🏆', "ट्रॉ\u{95E}ी"),
    ('🏏', "क्रिकेट"),
    ('🏠', "घर"),
    ('🐄', "गाय"),
    ('🐅', "बाघ"),
    ('🐘', "हाथी"),
    ('🐱', "बिल्ली"),
    ('🐶', "कुत्ता"),
    ('👀', "आँखें"),
    ('👇', "नीचे उँगली"),
    ('👉', "दाईं ओर उँगली"),
    ('👋', "हाथ हिलाना"),
    ('👌', "ठीक का निशान"),
    ('👍', "अँगूठा ऊपर"),
    ('👎', "अँगूठा नीचे"),
    ('👏', "ताली"),
    ('👨', "आदमी"),
    ('👩', "औरत"),
    ('💃', "नाचती औरत"),
    ('💐', "गुलदस्ता"),
    ('💔', "टूटा दिल"),
    ('💕', "दो दिल"),
    ('💙', "नीला दिल"),
    ('💚', "हरा दिल"),
    ('💛', "पीला दिल"),
    ('💡', "बल्ब"),
    ('💥', "धमाका"),
    ('💪', "मज\u{95B}बूत बाँह"),
    ('💯', "सौ अंक"),
    ('💰', "पैसों की थैली"),
    ('💻', "लैपटॉप"),
    ('📅', "कैलेंडर"),
    ('📌', "पिन"),
    ('📖', "किताब"),
    ('📚', "किताबें"),
    ('📞', "\u{95E}ोन"),
    ('📱', "मोबाइल \u{95E}ोन"),
    ('📷', "कैमरा"),
    ('🔔', "घंटी"),
    ('🔥', "आग"),
    ('🕉', "ओम"),
    ('😀', "हँसता चेहरा"),
    ('😁', "हँसता चेहरा"),
    ('😂', "हँसी के आँसू"),
    ('😃', "हँसता चेहरा"),
    ('😄', "हँसता चेहरा"),
    ('😅', "पसीने वाली हँसी"),
    ('😆', "हँसता चेहरा"),
    ('😉', "आँख मारता चेहरा"),
    ('😊', "मुस्कुराता चेहरा"),
    ('😍', "प्यार भरी आँखें"),
    ('😎', "चश्मे वाला चेहरा"),
    ('😘', "चुंबन"),
    ('😜', "शरारती चेहरा"),
    ('😡', "\u{95A}ुस्से वाला चेहरा"),
    ('😢', "रोता चेहरा"),
    ('😭', "\u{95B}ोर से रोता चेहरा"),
    ('😱', "डरा हुआ चेहरा"),
    ('😴', "सोता चेहरा"),
    ('🙂', "मुस्कुराता चेहरा"),
    ('🙄', "घूमती आँखें"),
    ('🙏', "जु\u{95C}े हाथ"),
    ('🚀', "रॉकेट"),
    ('🚗', "कार"),
    ('🤔', "सोचता चेहरा"),
    ('🤣', "लोटपोट हँसी"),
    ('🤦', "माथे पर हाथ"),
    ('🤷', "कंधे उचकाना"),
    ('🥰', "प्यार भरी मुस्कान"),
    ('🥳', "जश्न वाला चेहरा"),
    ('🪔', "दीया"),
];

/// Flags that have a name; others are "flag".
const FLAGS: &[(&str, &str)] = &[
    ("IN", "भारत का झंडा"),
    ("US", "अमेरिका का झंडा"),
    ("GB", "ब्रिटेन का झंडा"),
    ("NP", "नेपाल का झंडा"),
    ("PK", "पाकिस्तान का झंडा"),
];

/// Reads the emoji or flag that comes next, if it has a name, and the number of its repetitions.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(run) = emoji::run(r.rest(), |part| name(part).is_some()) else { return false };
    let unit = emoji::unit(r.rest(), |part| name(part).is_some());
    let called = unit.map(called).unwrap_or_default();
    let end = r.at + run.bytes;
    if run.count == 1 {
        r.say(&called, end);
    } else {
        r.say(&format!("{called}, {} बार", figures::number(run.count as u64)), end);
        if r.rest().trim_start().starts_with(char::is_alphanumeric) {
            r.out.comma(end..end);
        }
    }
    true
}

/// The name of a unit, from its parts.
fn called(unit: &str) -> String {
    match unit.chars().next() {
        Some(key) if key.is_ascii_digit() => figures::each(key.encode_utf8(&mut [0; 4])),
        Some('#' | '*') => String::new(),
        Some(letter) if regional(letter).is_some() => {
            let code: String = unit.chars().take(2).filter_map(regional).collect();
            FLAGS.iter().find(|(own, _)| *own == code).map_or("झंडा", |(_, name)| *name).to_owned()
        }
        _ => parts(unit).filter_map(name).collect::<Vec<_>>().join(" "),
    }
}

fn name(part: char) -> Option<&'static str> {
    NAMES.binary_search_by_key(&part, |(own, _)| *own).ok().map(|index| NAMES[index].1)
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn the_names_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|(part, _)| *part));
    }
}
