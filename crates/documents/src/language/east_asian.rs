//! Tells Japanese from Chinese. Both are written in Chinese characters, and Japanese in kana between
//! them. A Japanese text of few kana (titles, names, laws) is known by the forms of characters that
//! Japan simplified in its own way.

use unicode_script::{Script, UnicodeScript as _};
use whatlang::Lang;

/// A text is Japanese if one letter in this many is kana. With half as many, a single form of Japan
/// is needed, too: a Chinese text may quote Japanese words.
const LETTERS_PER_KANA: usize = 10;

/// A text with fewer kana is Japanese if one character in this many has a form that only Japan uses,
/// and there are at least [`MIN_JAPANESE_FORMS`].
const CHARACTERS_PER_FORM: usize = 25;
const MIN_JAPANESE_FORMS: usize = 2;

/// A Chinese character or a kana says about as much as this many letters of an alphabet.
const LETTERS_PER_CHARACTER: usize = 3;

/// Characters that are written differently in China, both in traditional and in simplified script.
const JAPANESE_FORMS: &str = "気様実対図読売発円広沢辺駅験経検歳斎択黒歩両乗仏伝処剣労勧悪圧囲営応桜価拡覚関観帰拠\
    挙戯県権顕効鉱済賛渋縦粛焼証畳浄摂専戦銭総騒臓続帯滞滝単団弾遅庁聴鎮転弐悩脳廃拝髪浜変豊満訳薬揺頼竜塁涙歴録\
    込働峠畑辻匂枠塀搾";

/// Japanese or Chinese, if the text is written in their characters.
pub(super) fn detect(text: &str) -> Option<Lang> {
    let (mut han, mut kana, mut forms, mut others) = (0_usize, 0_usize, 0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match c.script() {
            Script::Han => {
                han += 1;
                // Most characters of a Chinese text are compared with each of these, some hundred.
                forms += usize::from(JAPANESE_FORMS.contains(c));
            }
            Script::Hiragana | Script::Katakana => kana += 1,
            Script::Common | Script::Inherited | Script::Bopomofo => {}
            _ => others += 1,
        }
    }
    let all = han + kana;
    if all == 0 || all * LETTERS_PER_CHARACTER <= others {
        return None;
    }
    let in_kana = kana * LETTERS_PER_KANA >= all || (forms > 0 && kana * 2 * LETTERS_PER_KANA >= all);
    let in_forms = forms >= MIN_JAPANESE_FORMS && forms * CHARACTERS_PER_FORM >= all;
    Some(if in_kana || in_forms { Lang::Jpn } else { Lang::Cmn })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kana_or_forms_of_japan_make_a_text_japanese() {
        for (text, lang) in [
            ("吾輩は猫である。名前はまだ無い。", Some(Lang::Jpn)),
            // Katakana alone.
            ("プログラミング", Some(Lang::Jpn)),
            // Two kana among many characters, and none.
            ("日本国憲法第三章国民の権利及び義務第十条", Some(Lang::Jpn)),
            ("東京都世田谷区総合図書館経済学関係図書目録", Some(Lang::Jpn)),
            ("我冒了严寒，回到相隔二千余里，别了二十余年的故乡去。", Some(Lang::Cmn)),
            ("我冒了嚴寒，回到相隔二千餘里，別了二十餘年的故鄉去。", Some(Lang::Cmn)),
            // A Chinese text that quotes a word of Japanese.
            (
                "这家店叫做“さくら”，在城南开了二十多年，附近的人都知道它的点心做得好，尤其是春天，来的人要排很长的队，从早上排到中午。",
                Some(Lang::Cmn),
            ),
            // Names of programs are longer than the words around them.
            ("使用 Docker 部署 Kubernetes 集群并配置网络", Some(Lang::Cmn)),
            ("The word 猫 means cat.", None),
            ("고양이", None),
            ("", None),
        ] {
            assert_eq!(detect(text), lang, "{text}");
        }
    }
}
