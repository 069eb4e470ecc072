//! Words that are written alike and read in two ways, where the letters right beside them tell which
//! it is. Words a little further away are `readings`'.

/// A way to read a word, and what tells it.
struct Beside {
    word: &'static str,
    said: &'static str,
    /// What the text before it ends with; empty when that does not matter.
    before: &'static [&'static str],
    /// What the text after it begins with; empty when that does not matter.
    after: &'static [&'static str],
}

const fn b(
    word: &'static str,
    said: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
) -> Beside {
    Beside { word, said, before, after }
}

/// Countries by one character, before what only a country has.
const OF_A_COUNTRY: &[&str] = &[
    "大統領",
    "首相",
    "外相",
    "政府",
    "政権",
    "軍",
    "議会",
    "国務",
    "国防",
    "財務",
    "上院",
    "下院",
    "企業",
    "経済",
    "メディア",
    "紙",
    "当局",
    "司法",
    "株",
    "国債",
    "金利",
];

/// What is cooked of a hen.
const CHICKEN: &[&str] = &[
    "もも",
    "モモ",
    "むね",
    "ムネ",
    "胸肉",
    "肉",
    "ひき",
    "挽",
    "がら",
    "ガラ",
    "ささみ",
    "ササミ",
    "皮",
    "手羽",
    "レバ",
    "そぼろ",
    "の唐揚",
    "のから揚",
    "の照り",
    "団子",
    "だし",
    "スープ",
    "飯",
    "めし",
];

/// A side of a stage.
const STAGE: &[&str] = &["舞台", "舞台の", "ステージ", "ステージの", "花道の", "客席から見て"];

const BESIDES: &[Beside] = &[
    b("目下", "メシタ", &[], &["の者", "の人", "の相手", "の立場", "の部下", "に対", "に優", "に厳"]),
    b(
        "間",
        "マ",
        &[],
        &["が悪", "が持", "がも", "が抜", "が空い", "を取", "をと", "を置", "をお", "を持た", "をもた"],
    ),
    b("上手", "カミテ", STAGE, &[]),
    b("下手", "シモテ", STAGE, &[]),
    b("下手", "シタテ", &[], &["に出"]),
    b(
        "人気",
        "ヒトケ",
        &[],
        &[
            "のない道",
            "のない夜",
            "のない路",
            "のない通",
            "のない森",
            "のない公園",
            "のない校",
            "のない教室",
            "のない場所",
            "のない所",
            "のない廊",
            "のない山",
            "のない海",
            "のない浜",
            "のない境内",
            "のない駅",
            "のない倉",
            "のない工場",
            "のない部屋",
            "のない家",
            "のない街",
            "のない町",
            "のない村",
            "のない寂",
            "のない静",
            "のない暗",
            "がなく静",
            "がなく寂",
            "がなくひっそ",
            "がなく、",
        ],
    ),
    b("大人気", "オトナゲ", &[], &["ない", "無い", "なく", "なかった", "ねえ"]),
    b("心中", "シンチュー", &[], &["は", "を察", "を語", "を打ち", "を明", "穏", "お察", "ひそか", "複雑"]),
    b("生物", "ナマモノ", &[], &["なので", "ですので", "のため、お早", "につき"]),
    b("寒気", "サムケ", &[], &["がする", "がし", "を感", "を覚", "と頭痛"]),
    b("初日", "ハツヒ", &[], &["の出"]),
    b("色紙", "イロガミ", &[], &["を折", "を切", "で折", "で鶴", "を貼"]),
    b("大家", "オーヤ", &[], &["さん", "に家賃", "へ家賃", "から家"]),
    b("末期", "マツゴ", &[], &["の水"]),
    b("私事", "ワタクシゴト", &[], &["で恐", "ですが", "ながら", "で恐れ", "になり"]),
    b("一行", "イッコー", &["ご", "使節団", "視察団", "観光団"], &[]),
    b("米", "ベー", &[], OF_A_COUNTRY),
    b("英", "エー", &[], OF_A_COUNTRY),
    b("独", "ドク", &[], OF_A_COUNTRY),
    b("仏", "フツ", &[], OF_A_COUNTRY),
    b("露", "ロ", &[], OF_A_COUNTRY),
    b("伊", "イ", &[], OF_A_COUNTRY),
    b("角", "ツノ", &["鹿の", "牛の", "鬼の", "羊の", "ヤギの", "山羊の", "サイの", "カブトムシの"], &[]),
    b(
        "縁",
        "フチ",
        &[
            "池の",
            "川の",
            "湖の",
            "プールの",
            "井戸の",
            "鍋の",
            "茶碗の",
            "眼鏡の",
            "メガネの",
            "皿の",
            "器の",
            "カップの",
            "コップの",
            "崖の",
            "帽子の",
        ],
        &[],
    ),
    b("夜", "ヨ", &[], &["が明け", "の明け", "も更け", "が更け", "を徹", "を明か", "もすがら"]),
    b("金", "キン", &[], &["(Au", "・銀", "、銀", "相場", "地金"]),
    b(
        "値",
        "アタイ",
        &[
            "xの",
            "yの",
            "zの",
            "aの",
            "bの",
            "kの",
            "mの",
            "nの",
            "tの",
            "Xの",
            "Yの",
            "式の",
            "変数の",
            "関数の",
        ],
        &[],
    ),
    b("表", "オモテ", &["回"], &[]),
    b("暮らし", "グラシ", &["人"], &[]),
    b("超え", "ゴエ", &["円", "人", "個", "点", "%", "度", "台", "歳", "キロ", "万", "億"], &[]),
    b("年", "ネン", &["は", "が", "、", "り"], &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    b("木の下", "キノシタ", &[], &[]),
    b("日本一", "ニホンイチ", &[], &[]),
    b("質", "シチ", &[], &["に入れ", "に出し", "草"]),
    b("大勢", "タイセー", &["世界の", "天下の", "議論の", "試合の", "選挙の"], &[]),
    b("大勢", "タイセー", &[], &["が決", "は決", "に影響", "が判明"]),
    b(
        "最中",
        "モナカ",
        &[],
        &["を食", "をいただ", "を頂", "を買", "を一", "が好き", "の皮", "と羊", "と饅", "アイス"],
    ),
    b(
        "分別",
        "ブンベツ",
        &["ゴミの", "ごみの", "ゴミを", "ごみを", "ゴミ", "ごみ", "資源の", "廃棄物の"],
        &[],
    ),
    b("分別", "ブンベツ", &[], &["収集", "回収", "して捨", "して出", "ゴミ", "ごみ"]),
    b("鶏", "トリ", &[], CHICKEN),
    b("締め", "ジメ", &["日", "末"], &[]),
    b("払い", "バライ", &["日", "末", "回", "か月", "ヶ月"], &[]),
    b("家", "イエ", &["中"], &["に", "で", "へ", "から"]),
    b("下", "モト", &["の"], &["で働", "で学", "で育", "で暮", "で修", "に集", "に置かれ", "の平等"]),
    b("位", "クライ", &["の"], &["を", "で", "に", "が", "は", "まで"]),
    b("辛い", "ツライ", &["のが", "のは", "ことが", "ことは"], &[]),
    b("細々", "ホソボソ", &[], &["と暮", "と生", "と続", "と営", "とやって"]),
    b("後", "アト", &[], &["を継", "をつい", "を追", "を託", "を任", "に続"]),
    b("表", "オモテ", &[], &["に出", "へ出", "で遊", "で待", "と裏", "向き"]),
    b(
        "臭い",
        "ニオイ",
        &["硫黄の", "汗の", "魚の", "タバコの", "たばこの", "煙の", "ガスの", "体の", "ペットの"],
        &[],
    ),
    b("臭い", "ニオイ", &["いい", "嫌な", "変な", "独特な", "の"], &["が", "を", "に", "の", "は"]),
];

/// The reading of a word between two parts of a text, when these tell it.
pub(super) fn told(before: &str, word: &str, after: &str) -> Option<&'static str> {
    let fits = |known: &&Beside| {
        known.word == word
            && (known.before.is_empty() || known.before.iter().any(|end| before.ends_with(end)))
            && (known.after.is_empty() || known.after.iter().any(|start| after.starts_with(start)))
    };
    BESIDES.iter().find(fits).map(|known| known.said)
}

/// What a person is called by who is spoken of with respect, before 方.
const PEOPLE: &[&str] = &[
    "初めての",
    "はじめての",
    "以上の",
    "以下の",
    "未満の",
    "一般の",
    "地元の",
    "多くの",
    "担当の",
    "番の",
    "号の",
    "歳の",
    "代の",
    "この",
    "その",
    "あの",
    "どの",
];

/// 方 of a person: 絵を描く方はいますか, ご希望の方は. A side or a choice is ほう.
pub(super) fn person(before: &str, after: &str) -> Option<&'static str> {
    /// The most characters between a prefix of respect and 方.
    const FAR: usize = 6;
    const CHOICES: [&str; 9] =
        ["がい", "がよ", "が良", "が好", "が楽", "が早", "がずっと", "がまし", "がマシ"];
    const ASKED: [&str; 12] = [
        "はいま",
        "はいら",
        "はいな",
        "はおら",
        "はおい",
        "はお申",
        "はご",
        "もいま",
        "もいら",
        "がいま",
        "がおら",
        "のみ",
    ];
    let begins = |list: &[&str]| list.iter().any(|start| after.starts_with(start));
    // 27番の方: who has a number.
    let numbered = before
        .strip_suffix('の')
        .map(|head| head.trim_end_matches('番'))
        .is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    if begins(&ASKED) || numbered && (after.is_empty() || begins(&["。", "、"])) {
        return Some("カタ");
    }
    let polite = before
        .strip_suffix('の')
        .is_some_and(|head| head.chars().rev().take(FAR).any(|c| matches!(c, 'お' | 'ご' | '御')));
    let named = polite || PEOPLE.iter().any(|end| before.ends_with(end));
    let goes_on = begins(&["は", "も", "に", "を", "が", "で", "の", "々", "と"]);
    (named && goes_on && !begins(&CHOICES)).then_some("カタ")
}

/// Whether a text ends with a way that somebody takes: 道を. Anything else is done: 調査を.
pub(super) fn is_way(head: &str) -> bool {
    const WAYS: [char; 15] =
        ['道', '路', '先', '上', '下', '坂', '前', '後', '間', '中', '橋', '野', '空', '街', '海'];
    head.strip_suffix('を').is_some_and(|head| head.ends_with(WAYS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beside_a_word_tell_its_reading() {
        assert_eq!(told("", "目下", "の者に"), Some("メシタ"));
        assert_eq!(told("", "目下", "、調査中"), None);
        assert_eq!(told("舞台の", "上手", "から"), Some("カミテ"));
        assert_eq!(told("料理が", "上手", "だ"), None);
        assert_eq!(person("絵を描く", "はいますか"), Some("カタ"));
        assert_eq!(person("行く", "がいい"), None);
        assert_eq!(person("ご希望の", "は"), Some("カタ"));
        assert_eq!(person("東の", "へ"), None);
    }
}
