//! Counters: what is counted decides how a number and the word after it sound (一本, 三本, 九時, 二十日).

use super::numbers::{DIGITS, Last, Number, digit_value, double};

/// How a counter changes, and the numbers before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Neither changes: 枚.
    Plain,
    /// 個: イッコ, ロッコ, ハッコ, ジュッコ, ヒャッコ.
    K,
    /// 階: as 個, and サンガイ.
    KVoiced,
    /// キロ: ロッキロ, ジュッキロ, ヒャッキロ.
    KLoan,
    /// 歳, 頭, パーセント: イッサイ, ハッサイ, ジュッサイ.
    ST,
    /// 足: as 歳, and サンゾク.
    SVoiced,
    /// 本: イッポン, サンボン, ロッポン, ハッポン, ジュッポン.
    HB,
    /// 版: イッパン, サンパン, ロッパン.
    HP,
    /// 分: as 版, and ヨンプン.
    HP4,
    /// ページ: ジュッページ.
    PTen,
    /// 部屋: ヒトヘヤ, フタヘヤ.
    Native,
}

/// A counter.
#[derive(Debug)]
pub(super) struct Counter {
    pub(super) written: &'static str,
    reading: &'static str,
    class: Class,
    /// Digits that are said in another way: `y`: ヨ for 4, `c`: シチ for 7, `q`: ク for 9, `z`: レー
    /// for 0.
    digits: &'static str,
    /// Characters that make another word of it when they follow.
    not_before: &'static str,
}

const fn c(
    written: &'static str,
    reading: &'static str,
    class: Class,
    digits: &'static str,
    not_before: &'static str,
) -> Counter {
    Counter { written, reading, class, digits, not_before }
}

use Class::{HB, HP, HP4, K, KLoan, KVoiced, Native, PTen, Plain, ST, SVoiced};

/// Longer ones before those that they begin with.
const COUNTERS: &[Counter] = &[
    c("年度", "ネンド", Plain, "y", ""),
    c("年生", "ネンセー", Plain, "y", "まれ"),
    c("年代", "ネンダイ", Plain, "y", ""),
    c("年", "ネン", Plain, "yz", "齢賀収俸貢"),
    c("か月", "カゲツ", K, "", ""),
    c("カ月", "カゲツ", K, "", ""),
    c("ヶ月", "カゲツ", K, "", ""),
    c("ヵ月", "カゲツ", K, "", ""),
    c("ケ月", "カゲツ", K, "", ""),
    c("箇月", "カゲツ", K, "", ""),
    c("か国", "カコク", K, "", ""),
    c("カ国", "カコク", K, "", ""),
    c("ヶ国", "カコク", K, "", ""),
    c("ヵ国", "カコク", K, "", ""),
    c("か所", "カショ", K, "", ""),
    c("カ所", "カショ", K, "", ""),
    c("ヶ所", "カショ", K, "", ""),
    c("ヵ所", "カショ", K, "", ""),
    c("箇所", "カショ", K, "", ""),
    c("か条", "カジョー", K, "", ""),
    c("カ条", "カジョー", K, "", ""),
    c("ヶ条", "カジョー", K, "", ""),
    c("月号", "ガツゴー", Plain, "", ""),
    c("月", "ガツ", Plain, "", "曜刊給謝面影見"),
    c("日", "ニチ", Plain, "", "本常光程誌系米英記比"),
    c("時間", "ジカン", Plain, "yq", ""),
    c("時", "ジ", Plain, "yczq", "代期刻点差給速短計"),
    c("分間", "フンカン", HP4, "", "隔"),
    c("分", "フン", HP4, "", "け野析類解散岐担布裂配別子離身厚譲"),
    c("秒", "ビョー", Plain, "", "針速読"),
    c("週間", "シューカン", ST, "", ""),
    c("週", "シュー", ST, "", "刊末給"),
    c("世紀", "セーキ", ST, "", ""),
    c("世代", "セダイ", ST, "", ""),
    c("世帯", "セタイ", ST, "", ""),
    c("世", "セー", ST, "", "界間話論"),
    c("周年", "シューネン", ST, "", ""),
    c("周", "シュー", ST, "", "辺囲知期波到"),
    c("歳", "サイ", ST, "", "月末入出"),
    c("才", "サイ", ST, "", "能"),
    c("泊", "ハク", HP4, "", ""),
    c("晩", "バン", Native, "", ""),
    c("人目", "ニンメ", Plain, "y", ""),
    c("人前", "ニンマエ", Plain, "y", ""),
    c("人分", "ニンブン", Plain, "y", ""),
    c("人称", "ニンショー", Plain, "y", ""),
    c("人組", "ニングミ", Plain, "y", ""),
    c("人", "ニン", Plain, "y", "気間生口材物類格権形工種件情手員名脈柄"),
    c("名様", "メーサマ", Plain, "", ""),
    c("名", "メー", Plain, "", "前刺古作曲所詞字義物門誉産"),
    c("組", "クミ", Native, "", "織合立閣曲"),
    c("匹", "ヒキ", HB, "", "敵"),
    c("頭", "トー", ST, "", "脳痛部取金皮上"),
    c("羽", "ワ", Plain, "", "田根毛織"),
    c("本", "ホン", HB, "", "人社部日当格質体能気店文命物名来州土島"),
    c("枚", "マイ", Plain, "", "挙"),
    c("個", "コ", K, "", "人性室別体展"),
    c("箱", "ハコ", Native, "", "根入"),
    c("袋", "フクロ", Native, "", ""),
    c("皿", "サラ", Native, "", "洗"),
    c("杯", "ハイ", HB, "", "盤"),
    c("台目", "ダイメ", Plain, "", ""),
    c("台", "ダイ", Plain, "", "湾風所詞帳本"),
    c("冊", "サツ", ST, "", "子"),
    c("巻", "カン", Plain, "", "頭"),
    c("部屋", "ヘヤ", Native, "", ""),
    c("部", "ブ", Plain, "", "分長下署品員門族活隊落首"),
    c("章", "ショー", ST, "", ""),
    c("節", "セツ", ST, "", "約電"),
    c("ページ", "ページ", PTen, "", ""),
    c("頁", "ページ", PTen, "", ""),
    c("行", "ギョー", Plain, "", "動政為事列くっきわけ進程"),
    c("文字", "モジ", Plain, "", ""),
    c("字", "ジ", Plain, "", "幕体典"),
    c("回転", "カイテン", K, "", ""),
    c("回", "カイ", K, "", "答復収路避"),
    c("度", "ド", Plain, "z", "胸合量"),
    c("倍", "バイ", Plain, "", "率"),
    c("番線", "バンセン", Plain, "", ""),
    c("番地", "バンチ", Plain, "", ""),
    c("番組", "バングミ", Plain, "", ""),
    c("番", "バン", Plain, "", "号犬"),
    c("号車", "ゴーシャ", Plain, "", ""),
    c("号室", "ゴーシツ", Plain, "", ""),
    c("号", "ゴー", Plain, "", "令泣外"),
    c("丁目", "チョーメ", ST, "", ""),
    c("丁", "チョー", ST, "", "寧"),
    c("階建て", "カイダテ", K, "", ""),
    c("階", "カイ", KVoiced, "", "段層級"),
    c("軒", "ケン", KVoiced, "", "先並"),
    c("件", "ケン", K, "", "数"),
    c("社", "シャ", ST, "", "会長員内外交"),
    c("校", "コー", K, "", "長舎則正庭"),
    c("着", "チャク", ST, "", "物地信陸用替手払実目席任"),
    c("足", "ソク", SVoiced, "", "りらしるぶ首元"),
    c("点", "テン", ST, "", "検灯滴火線在字"),
    c("位", "イ", Plain, "", "置"),
    c("級", "キュー", Plain, "", "友数"),
    c("段階", "ダンカイ", Plain, "", ""),
    c("段", "ダン", Plain, "", "落々ボ"),
    c("曲", "キョク", K, "", "線がっ"),
    c("席", "セキ", ST, "", ""),
    c("隻", "セキ", ST, "", ""),
    c("機", "キ", K, "", "械能会関嫌"),
    c("通", "ツー", ST, "", "常信話貨過学勤知行路訳販りっう"),
    c("票", "ヒョー", HB, "", ""),
    c("発", "ハツ", HP4, "", "表言見売生達明展音電射想行"),
    c("歩", "ホ", HP, "", "道く行み"),
    c("拍", "ハク", HP4, "", "手"),
    c("版", "ハン", HP, "", "画"),
    c("編", "ヘン", HP, "", "集成物み"),
    c("種類", "シュルイ", ST, "", ""),
    c("種", "シュ", ST, "", "目子"),
    c("色", "ショク", ST, "", ""),
    c("両", "リョー", Plain, "", "親方手者側国足面"),
    c("円", "エン", Plain, "y", "満高安盤形滑周"),
    c("銭", "セン", ST, "", "湯"),
    c("項目", "コーモク", K, "", ""),
    c("項", "コー", K, "", ""),
    c("割", "ワリ", Plain, "", "合引りっ"),
    c("代目", "ダイメ", Plain, "", ""),
    c("代", "ダイ", Plain, "", "表理金替役わっ"),
    c("期", "キ", Plain, "", "待間限末"),
    c("試合", "シアイ", ST, "", ""),
    c("食", "ショク", ST, "", "べ事品堂材器料卓欲費糧用付"),
    c("勝", "ショー", ST, "", "手利負つっちた"),
    c("敗", "ハイ", HP4, "", "北"),
    c("戦", "セン", ST, "", "争略後前闘国っいう"),
    c("対", "タイ", Plain, "", "応策象立話戦決処"),
    c("桁", "ケタ", Native, "", ""),
    c("株", "カブ", Native, "", "式価主"),
    c("通り", "トーリ", Native, "", ""),
    c("品", "シナ", Native, "", "質種物"),
    c("口", "クチ", Native, "", "座頭調論癖"),
    c("切れ", "キレ", Native, "", ""),
    c("かけ", "カケ", Native, "", "らるてたれ算"),
    c("つまみ", "ツマミ", Native, "", ""),
    c("握り", "ニギリ", Native, "", ""),
    c("駅", "エキ", Native, "", "前長員弁伝舎名"),
    c("片", "ヘン", HP, "", "方側道付面手足隅思腕脚"),
    c("缶", "カン", K, "", "詰"),
    c("膳", "ゼン", Plain, "", ""),
    c("畳", "ジョー", Plain, "y", "む"),
    c("坪", "ツボ", Plain, "", ""),
    c("つ", "ツ", Plain, "", ""),
    c("パーセント", "パーセント", ST, "", ""),
    c("ポイント", "ポイント", ST, "", ""),
    c("ポンド", "ポンド", ST, "", ""),
    c("パック", "パック", ST, "", ""),
    c("ピース", "ピース", ST, "", ""),
    c("キロメートル", "キロメートル", KLoan, "", ""),
    c("キログラム", "キログラム", KLoan, "", ""),
    c("キロ", "キロ", KLoan, "", ""),
    c("等", "トー", ST, "", "しに級"),
    c("貫", "カン", K, "", "通徹禄"),
    c("斤", "キン", K, "", ""),
    c("升", "ショー", ST, "", ""),
    c("滴", "テキ", ST, "", ""),
    c("球", "キュー", K, "", "場団根技児"),
    c("束", "タバ", Native, "", "縛"),
    c("房", "フサ", Native, "", ""),
    c("粒", "ツブ", Native, "", "子"),
    c("玉", "タマ", Native, "", "ねネ葱"),
    c("基", "キ", K, "", "本地礎準金盤"),
    c("棟", "トー", ST, "", ""),
    c("戸", "コ", K, "", "建籍"),
    c("県", "ケン", K, "", "民庁知道"),
    c("店舗", "テンポ", ST, "", ""),
    c("作品", "サクヒン", ST, "", ""),
    c("作", "サク", ST, "", "業者家戦成曲文品った"),
    c("失点", "シッテン", ST, "", ""),
    c("得点", "トクテン", ST, "", ""),
    c("拠点", "キョテン", K, "", ""),
    c("家族", "カゾク", K, "", ""),
    c("冠", "カン", Plain, "", ""),
    c("パターン", "パターン", ST, "", ""),
    c("カロリー", "カロリー", KLoan, "", ""),
    c("カップ", "カップ", KLoan, "", ""),
    c("ケース", "ケース", KLoan, "", ""),
    c("コマ", "コマ", KLoan, "", ""),
    c("辺", "ヘン", HP, "", "りに境"),
    c("音", "オン", Plain, "", "楽声量"),
    c("クラス", "クラス", KLoan, "", ""),
    c("セット", "セット", ST, "", ""),
    c("センチメートル", "センチメートル", ST, "", ""),
    c("センチ", "センチ", ST, "", ""),
    c("シーズン", "シーズン", ST, "", ""),
    c("トン", "トン", ST, "", "ネ"),
    c("ミリメートル", "ミリメートル", Plain, "", ""),
    c("メートル", "メートル", Plain, "", ""),
    c("グラム", "グラム", Plain, "", ""),
    c("リットル", "リットル", Plain, "", ""),
    c("タイトル", "タイトル", ST, "", ""),
    c("チーム", "チーム", ST, "", ""),
];

/// The counter that a text begins with.
pub(super) fn starting(text: &str) -> Option<&'static Counter> {
    COUNTERS.iter().find(|counter| {
        text.strip_prefix(counter.written)
            .is_some_and(|after| !after.starts_with(|c| counter.not_before.contains(c)))
    })
}

/// What stands before a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A month: 1日 is its first day.
    Month,
    /// The number before it: 2、3日 are two or three days, and not the third of a month.
    Row,
    /// A year of school: 3年1組.
    Year,
    Elsewhere,
}

impl Place {
    /// The place after a text, of a number.
    pub(super) fn of(before: &str, number: &Number) -> Self {
        let mut chars = before.chars().rev();
        match (chars.next(), chars.next().and_then(digit_value), chars.next().and_then(digit_value)) {
            (Some('月'), _, _) => Self::Month,
            (Some('年'), _, _) => Self::Year,
            (Some('、' | ','), Some(digit), None) if Some(digit + 1) == number.value => Self::Row,
            _ => Self::Elsewhere,
        }
    }
}

/// What is said for a number with its counter.
impl Counter {
    pub(super) fn said(&self, number: &Number, place: Place) -> Vec<String> {
        if let Some(words) =
            self.special(number, place).filter(|_| place != Place::Row || !self.is_plain_in_row(number))
        {
            return words;
        }
        let mut words = number.words.clone();
        self.change_digit(&mut words, number.last);
        let (doubles, voice) = self.changes(number.last);
        if doubles {
            double(&mut words);
        }
        let reading = match voice {
            Voice::None => self.reading.to_owned(),
            Voice::Voiced => voiced(self.reading, 1),
            Voice::Half => voiced(self.reading, 2),
        };
        match words.last_mut() {
            Some(word) => word.push_str(&reading),
            None => words.push(reading),
        }
        words
    }

    /// Whether a number has its usual name after another: 2、3日, 4、5日.
    fn is_plain_in_row(&self, number: &Number) -> bool {
        self.written == "日" && number.value.is_some_and(|value| matches!(value, 3 | 5..=8))
    }

    /// Digits before some counters have other names.
    fn change_digit(&self, words: &mut [String], last: Last) {
        let Last::Digit(digit) = last else { return };
        let month = self.written == "月" || self.written == "月号";
        let other = match digit {
            0 if self.digits.contains('z') => "レー",
            4 if month => "シ",
            4 if self.digits.contains('y') => "ヨ",
            7 if month || self.digits.contains('c') => "シチ",
            9 if month || self.digits.contains('q') => "ク",
            _ => return,
        };
        let usual = DIGITS[usize::from(digit)];
        if let Some(word) = words.last_mut()
            && let Some(stem) = word.strip_suffix(usual)
        {
            *word = format!("{stem}{other}");
        }
    }

    /// Whether the number ends in a stop before it, and how it begins itself.
    fn changes(&self, last: Last) -> (bool, Voice) {
        use Last::{Digit, Hundred, Ten, TenThousand, Thousand, Which};
        let few = matches!(last, Digit(1 | 8) | Ten);
        let many = matches!(last, Digit(1 | 6 | 8) | Ten | Hundred);
        let half = |doubles: bool| if doubles { Voice::Half } else { Voice::None };
        match self.class {
            Plain | Native => (false, Voice::None),
            K => (many, Voice::None),
            KVoiced => (many, if matches!(last, Digit(3) | Which) { Voice::Voiced } else { Voice::None }),
            KLoan => (matches!(last, Digit(6) | Ten | Hundred), Voice::None),
            ST => (few, Voice::None),
            SVoiced => (few, if matches!(last, Digit(3) | Which) { Voice::Voiced } else { Voice::None }),
            PTen => (last == Ten, Voice::None),
            HB => match last {
                Digit(3) | Thousand | TenThousand | Which => (false, Voice::Voiced),
                _ => (many, half(many)),
            },
            HP => (many, half(many || matches!(last, Digit(3) | Thousand | TenThousand | Which))),
            HP4 => (many, half(many || matches!(last, Digit(3 | 4) | Thousand | TenThousand | Which))),
        }
    }

    /// Numbers that have names of their own with it.
    fn special(&self, number: &Number, place: Place) -> Option<Vec<String>> {
        let value = number.value.filter(|&value| value < 200)? as usize;
        let one = |word: &str| Some(vec![word.to_owned()]);
        match self.written {
            "日" => days(value, place == Place::Month),
            "人" | "人目" if matches!(value, 1 | 2) => {
                let name = if value == 1 { "ヒトリ" } else { "フタリ" };
                one(&format!("{name}{}", if self.written == "人目" { "メ" } else { "" }))
            }
            "人組" if value == 2 => one("フタリグミ"),
            "番" if value == 110 => one("ヒャクトーバン"),
            "つ" => one([
                "ヒトツ",
                "フタツ",
                "ミッツ",
                "ヨッツ",
                "イツツ",
                "ムッツ",
                "ナナツ",
                "ヤッツ",
                "ココノツ",
            ]
            .get(value.checked_sub(1)?)?),
            "歳" | "才" if value == 20 => one("ハタチ"),
            "組" if place == Place::Year => None,
            _ if self.class == Native && matches!(value, 1 | 2) => {
                one(&format!("{}{}", if value == 1 { "ヒト" } else { "フタ" }, self.reading))
            }
            _ => None,
        }
    }
}

/// The days of a month.
fn days(day: usize, in_date: bool) -> Option<Vec<String>> {
    const FIRST: [&str; 10] = [
        "イチニチ",
        "フツカ",
        "ミッカ",
        "ヨッカ",
        "イツカ",
        "ムイカ",
        "ナノカ",
        "ヨーカ",
        "ココノカ",
        "トーカ",
    ];
    let words: &[&str] = match day {
        1 if in_date => &["ツイタチ"],
        1..=10 => &FIRST[day - 1..day],
        14 => &["ジュー", "ヨッカ"],
        17 => &["ジュー", "シチニチ"],
        19 => &["ジュー", "クニチ"],
        20 => &["ハツカ"],
        24 => &["ニジュー", "ヨッカ"],
        27 => &["ニジュー", "シチニチ"],
        29 => &["ニジュー", "クニチ"],
        _ => return None,
    };
    Some(words.iter().map(|&word| word.to_owned()).collect())
}

enum Voice {
    None,
    Voiced,
    Half,
}

/// A word with its first sound voiced (1), or half voiced (2).
fn voiced(reading: &str, by: u32) -> String {
    let mut chars = reading.chars();
    let Some(first) = chars.next() else { return String::new() };
    let changed = match first {
        'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ' => by,
        'カ' | 'キ' | 'ク' | 'ケ' | 'コ' | 'サ' | 'シ' | 'ス' | 'セ' | 'ソ' => 1,
        _ => 0,
    };
    char::from_u32(first as u32 + changed).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_change_and_change_numbers() {
        for (value, counter, wanted) in [
            (1, "本", "イッポン"),
            (3, "本", "サンボン"),
            (4, "本", "ヨンホン"),
            (100, "本", "ヒャッポン"),
            (1000, "本", "センボン"),
            (10, "分", "ジュップン"),
            (4, "分", "ヨンプン"),
            (9, "時", "クジ"),
            (4, "時", "ヨジ"),
            (17, "時", "ジューシチジ"),
            (4, "月", "シガツ"),
            (12, "月", "ジューニガツ"),
            (14, "日", "ジューヨッカ"),
            (20, "日", "ハツカ"),
            (1, "人", "ヒトリ"),
            (14, "人", "ジューヨニン"),
            (20, "歳", "ハタチ"),
            (8, "歳", "ハッサイ"),
            (3, "階", "サンガイ"),
            (6, "か月", "ロッカゲツ"),
            (2, "部屋", "フタヘヤ"),
            (3, "部屋", "サンヘヤ"),
            (9, "つ", "ココノツ"),
            (10, "パーセント", "ジュッパーセント"),
            (300, "円", "サンビャクエン"),
            (4, "円", "ヨエン"),
        ] {
            let said =
                starting(counter).map(|counter| counter.said(&Number::of(value), Place::Elsewhere).concat());
            assert_eq!(said.as_deref(), Some(wanted), "{value}{counter}");
        }
        assert!(starting("分野").is_none());
        assert!(starting("本社").is_none());
    }

    #[test]
    fn no_counter_hides_a_longer_one() {
        for (index, counter) in COUNTERS.iter().enumerate() {
            let hidden = COUNTERS[index + 1..].iter().find(|later| {
                later
                    .written
                    .strip_prefix(counter.written)
                    .is_some_and(|rest| !rest.starts_with(|c| counter.not_before.contains(c)))
            });
            assert!(
                hidden.is_none(),
                "{} hides {}",
                counter.written,
                hidden.map_or("", |later| later.written)
            );
        }
    }
}
