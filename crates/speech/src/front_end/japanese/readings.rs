//! Words that are written alike and read in two ways, where a word near them tells which it is. What
//! the dictionary usually gets right is not here.

/// A way to read a word, and what tells it.
struct Reading {
    /// The word in its dictionary form.
    word: &'static str,
    /// What the dictionary reads, and what is said in its place.
    from: &'static str,
    to: &'static str,
    /// Words of which one stands at most [`NEAR`] words before it, in any form.
    before: &'static [&'static str],
    /// The same for words after it.
    after: &'static [&'static str],
}

/// How many words are looked at to either side.
const NEAR: usize = 6;

const fn r(
    word: &'static str,
    from: &'static str,
    to: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
) -> Reading {
    Reading { word, from, to, before, after }
}

const READINGS: &[Reading] = &[
    r(
        "辛い",
        "ツラ",
        "カラ",
        &["味", "味付け", "スープ", "ソース", "料理", "激", "カレー", "キムチ", "少し"],
        &[
            "カレー",
            "味",
            "料理",
            "スープ",
            "ソース",
            "ラーメン",
            "キムチ",
            "物",
            "もの",
            "食べ物",
            "唐辛子",
            "麻婆豆腐",
            "食べる",
            "味噌",
            "鍋",
        ],
    ),
    r(
        "開く",
        "ヒラ",
        "ア",
        &["ドア", "窓", "門", "扉", "戸", "店", "口", "穴", "蓋", "鍵", "幕", "シャッター", "引き出し"],
        &[],
    ),
    r(
        "空",
        "ソラ",
        "カラ",
        &[],
        &["箱", "瓶", "缶", "容器", "財布", "コップ", "グラス", "皿", "席", "バケツ", "袋", "鍋"],
    ),
    r(
        "生",
        "セー",
        "ナマ",
        &[],
        &[
            "魚",
            "肉",
            "野菜",
            "卵",
            "声",
            "音",
            "演奏",
            "まま",
            "牡蠣",
            "クリーム",
            "データ",
            "状態",
            "米",
            "牛乳",
            "食べる",
        ],
    ),
    r(
        "表",
        "オモテ",
        "ヒョー",
        &["次", "以下", "上記", "下", "この", "図", "下記", "別"],
        &["見る", "示す", "まとめる", "参照", "作る", "作成", "通り", "図", "記入", "書く"],
    ),
    r(
        "額",
        "ガク",
        "ヒタイ",
        &["彼", "彼女", "私", "僕", "母", "父", "彼の"],
        &["汗", "汗する", "皺", "しわ", "傷", "手", "こぶ", "熱"],
    ),
    r(
        "金",
        "カネ",
        "キン",
        &["銀", "純"],
        &[
            "指輪",
            "メダル",
            "銀",
            "ネックレス",
            "延べ棒",
            "延べ",
            "鎖",
            "時計",
            "価格",
            "歯",
            "卵",
            "冠",
            "糸",
            "像",
        ],
    ),
    r("音", "オト", "ネ", &["虫", "琴", "鈴", "笛"], &[]),
    r("床", "ユカ", "トコ", &[], &["就く", "臥せる", "伏す"]),
    r("札", "サツ", "フダ", &["名", "立てる", "荷"], &["立てる", "下げる", "貼る"]),
    r("札", "フダ", "サツ", &["円", "千円", "一万円"], &["束", "入れ"]),
    r("市場", "シジョー", "イチバ", &["魚", "青物", "朝", "魚河岸"], &["魚", "野菜", "魚介", "新鮮", "競り"]),
    r("後", "アト", "ノチ", &["晴れ", "曇り", "雨"], &[]),
    r(
        "風",
        "カゼ",
        "フー",
        &["こんな", "そんな", "どんな", "あんな", "こういう", "そういう", "どういう", "いう"],
        &[],
    ),
    r("目", "モク", "メ", &[], &["覚める", "閉じる", "開ける"]),
    r("最中", "モナカ", "サイチュー", &["た", "の", "いる"], &[]),
    r(
        "空く",
        "ス",
        "ア",
        &[
            "席",
            "座席",
            "部屋",
            "時間",
            "穴",
            "手",
            "予定",
            "枠",
            "ポスト",
            "間隔",
            "欄",
            "トイレ",
            "テーブル",
            "隙間",
        ],
        &[],
    ),
    r(
        "空く",
        "ア",
        "ス",
        &["お腹", "おなか", "腹", "小腹", "電車", "道", "道路", "バス", "車内", "店内", "胸", "車両"],
        &[],
    ),
    r("弾く", "ヒ", "ハジ", &["水", "油", "指", "そろばん"], &[]),
    r(
        "抱く",
        "ダ",
        "イダ",
        &[
            "夢",
            "希望",
            "疑問",
            "不安",
            "印象",
            "恨み",
            "野望",
            "期待",
            "関心",
            "興味",
            "好意",
            "感情",
            "不満",
            "危機感",
        ],
        &[],
    ),
    r("注ぐ", "ソソ", "ツ", &["お茶", "茶", "ビール", "酒", "お酒", "コーヒー", "ワイン"], &[]),
    r("止める", "ヤメ", "トメ", &["車", "息", "足", "手", "血", "火", "水"], &[]),
    r("止める", "トメ", "ヤメ", &["煙草", "たばこ", "タバコ", "酒", "仕事", "会社", "学校"], &[]),
];

/// What is known of a word: how it is written here, and its dictionary form.
pub(super) type Seen<'a> = (&'a str, &'a str);

/// The reading of the word at a place of a row, when the words around tell it.
pub(super) fn told(words: &[Seen<'_>], at: usize, reading: &str) -> Option<String> {
    let (written, base) = *words.get(at)?;
    let is = |seen: &Seen<'_>, near: &[&str]| near.contains(&seen.0) || near.contains(&seen.1);
    READINGS.iter().filter(|known| known.word == written || known.word == base).find_map(|known| {
        let rest = reading.strip_prefix(known.from)?;
        let before = words[at.saturating_sub(NEAR)..at].iter().any(|seen| is(seen, known.before));
        let after = words[at + 1..].iter().take(NEAR).any(|seen| is(seen, known.after));
        (before || after).then(|| format!("{}{rest}", known.to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_nearby_tells_the_reading() {
        let row = [("辛い", "辛い"), ("カレー", "カレー"), ("を", "を")];
        assert_eq!(told(&row, 0, "ツライ").as_deref(), Some("カライ"));
        assert_eq!(told(&[("別れ", "別れ"), ("が", "が"), ("辛かっ", "辛い")], 2, "ツラカッ"), None);
        assert_eq!(
            told(&[("ドア", "ドア"), ("が", "が"), ("開い", "開く")], 2, "ヒライ").as_deref(),
            Some("アイ")
        );
        assert_eq!(told(&row, 9, "ツライ"), None);
    }
}
