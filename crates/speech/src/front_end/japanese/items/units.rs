//! Units after a number, by their signs.

use crate::front_end::japanese::numbers::{Last, Number, double};

/// What a unit does to the number before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// キロ: ロッキロ, ジュッキロ, ヒャッキロ.
    Kilo,
    /// センチ, トン, パーセント: イッセンチ, ハッセンチ, ジュッセンチ.
    Few,
}

use Change::{Few, Kilo, None as Plain};

/// The sign, what stands before the number, the name and the change.
pub(super) type Unit = (&'static str, &'static str, &'static str, Change);

/// Longer ones before those that they begin with.
const UNITS: &[Unit] = &[
    ("mg/dL", "", "ミリグラムパーデシリットル", Plain),
    ("mg/dl", "", "ミリグラムパーデシリットル", Plain),
    ("g/dL", "", "グラムパーデシリットル", Plain),
    ("mg/L", "", "ミリグラムパーリットル", Plain),
    ("mmol/L", "", "ミリモルパーリットル", Plain),
    ("mol/L", "", "モルパーリットル", Plain),
    ("mol", "", "モル", Plain),
    ("g/cm³", "", "グラムパーリッポーセンチメートル", Plain),
    ("kg/m³", "", "キログラムパーリッポーメートル", Kilo),
    ("m/s²", "", "メートルマイビョーマイビョー", Plain),
    ("km/s", "ビョーソク", "キロメートル", Kilo),
    ("MB/s", "", "メガバイトマイビョー", Plain),
    ("GB/s", "", "ギガバイトマイビョー", Plain),
    ("mmHg", "", "ミリメートルエイチジー", Plain),
    ("kPa", "", "キロパスカル", Kilo),
    ("kJ", "", "キロジュール", Kilo),
    ("mAh", "", "ミリアンペアアワー", Plain),
    ("mSv", "", "ミリシーベルト", Plain),
    ("μSv", "", "マイクロシーベルト", Plain),
    ("ms", "", "ミリビョー", Plain),
    ("μs", "", "マイクロビョー", Plain),
    ("km/h", "ジソク", "キロメートル", Kilo),
    ("m/s", "ビョーソク", "メートル", Plain),
    ("km²", "", "ヘーホーキロメートル", Plain),
    ("km2", "", "ヘーホーキロメートル", Plain),
    ("cm²", "", "ヘーホーセンチメートル", Plain),
    ("cm2", "", "ヘーホーセンチメートル", Plain),
    ("cm³", "", "リッポーセンチメートル", Plain),
    ("cm3", "", "リッポーセンチメートル", Plain),
    ("m²", "", "ヘーホーメートル", Plain),
    ("m2", "", "ヘーホーメートル", Plain),
    ("m³", "", "リッポーメートル", Plain),
    ("m3", "", "リッポーメートル", Plain),
    ("kcal", "", "キロカロリー", Kilo),
    ("cal", "", "カロリー", Kilo),
    ("km", "", "キロメートル", Kilo),
    ("cm", "", "センチメートル", Few),
    ("mm", "", "ミリメートル", Plain),
    ("nm", "", "ナノメートル", Plain),
    ("μm", "", "マイクロメートル", Plain),
    ("kg", "", "キログラム", Kilo),
    ("mg", "", "ミリグラム", Plain),
    ("kWh", "", "キロワットジ", Kilo),
    ("kW", "", "キロワット", Kilo),
    ("MW", "", "メガワット", Plain),
    ("kV", "", "キロボルト", Kilo),
    ("kHz", "", "キロヘルツ", Kilo),
    ("MHz", "", "メガヘルツ", Plain),
    ("GHz", "", "ギガヘルツ", Plain),
    ("Hz", "", "ヘルツ", Plain),
    ("Mbps", "", "メガビーピーエス", Plain),
    ("Gbps", "", "ギガビーピーエス", Plain),
    ("hPa", "", "ヘクトパスカル", Plain),
    ("dB", "", "デシベル", Plain),
    ("KB", "", "キロバイト", Kilo),
    ("kB", "", "キロバイト", Kilo),
    ("MB", "", "メガバイト", Plain),
    ("GB", "", "ギガバイト", Plain),
    ("TB", "", "テラバイト", Plain),
    ("ml", "", "ミリリットル", Plain),
    ("mL", "", "ミリリットル", Plain),
    ("dl", "", "デシリットル", Plain),
    ("dL", "", "デシリットル", Plain),
    ("cc", "", "シーシー", Few),
    ("ha", "", "ヘクタール", Plain),
    ("px", "", "ピクセル", Few),
    ("rpm", "", "アールピーエム", Plain),
    ("fps", "", "エフピーエス", Plain),
    ("bit", "", "ビット", Plain),
    ("°C", "", "ド", Plain),
    ("°F", "カシ", "ド", Plain),
    ("°", "", "ド", Plain),
    ("%", "", "パーセント", Few),
    ("‰", "", "パーミル", Few),
    ("ℓ", "", "リットル", Plain),
    ("m", "", "メートル", Plain),
    ("g", "", "グラム", Plain),
    ("t", "", "トン", Few),
    ("L", "", "リットル", Plain),
    ("l", "", "リットル", Plain),
    ("W", "", "ワット", Plain),
    ("V", "", "ボルト", Plain),
    ("A", "", "アンペア", Plain),
    ("J", "", "ジュール", Plain),
    ("N", "", "ニュートン", Plain),
];

/// Money before a number: its sign and its name.
const MONEY: &[(char, &str)] =
    &[('¥', "エン"), ('$', "ドル"), ('€', "ユーロ"), ('£', "ポンド"), ('₩', "ウォン"), ('元', "ゲン")];

/// The unit that a text begins with, and its bytes.
pub(super) fn starting(text: &str) -> Option<(&'static Unit, usize)> {
    let found = |unit: &&Unit| {
        let Some(after) = text.strip_prefix(unit.0) else { return false };
        let letter = unit.0.ends_with(|c: char| c.is_alphanumeric());
        !(letter && after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '²' | '³')))
    };
    UNITS.iter().find(found).map(|unit| (unit, unit.0.len()))
}

/// What a unit is divided by at the start of a text, and its bytes: 0.05μSv/h.
pub(super) fn every(text: &str) -> Option<(&'static str, usize)> {
    const EVERY: [(&str, &str); 3] = [("/h", "マイジ"), ("/s", "マイビョー"), ("/min", "マイフン")];
    let ends = |sign: &str| !text[sign.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
    let found = EVERY.iter().find(|(sign, _)| text.starts_with(sign) && ends(sign));
    found.map(|(sign, said)| (*said, sign.len()))
}

/// A number with a unit.
pub(super) fn said(number: Number, unit: &Unit) -> Vec<String> {
    let (_, before, name, change) = *unit;
    let mut words = number.words;
    let doubles = match change {
        Plain => false,
        Kilo => matches!(number.last, Last::Digit(6) | Last::Ten | Last::Hundred),
        Few => matches!(number.last, Last::Digit(1 | 8) | Last::Ten),
    };
    if name == "ド" && number.value == Some(0) {
        words = vec!["レー".to_owned()];
    }
    if doubles {
        double(&mut words);
    }
    if let Some(last) = words.last_mut() {
        last.push_str(name);
    }
    if !before.is_empty() {
        words.insert(0, before.to_owned());
    }
    words
}

/// The name of a kind of money, by its sign.
pub(super) fn money(sign: char) -> Option<&'static str> {
    MONEY.iter().find(|(own, _)| *own == sign).map(|(_, name)| *name)
}
