//! Units of measurement, and the words that count.

use crate::front_end::scan::{char_at, past_space, tail};

use super::{Reader, scan::is_latin};

/// How a unit is read after a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    /// What it is called.
    pub(super) name: &'static str,
    /// Its bytes.
    pub(super) bytes: usize,
    /// Whether two of them are 两.
    pub(super) takes_liang: bool,
}

/// Signs of units; of those that begin alike the longer comes first.
const SIGNS: &[(&str, &str)] = &[
    ("km/h", "公里每小时"),
    ("Km/h", "公里每小时"),
    ("KM/H", "公里每小时"),
    ("km/s", "公里每秒"),
    ("km²", "平方公里"),
    ("km2", "平方公里"),
    ("km^2", "平方公里"),
    ("km", "公里"),
    ("Km", "公里"),
    ("KM", "公里"),
    ("kWh", "千瓦时"),
    ("kwh", "千瓦时"),
    ("KWh", "千瓦时"),
    ("kW·h", "千瓦时"),
    ("kW", "千瓦"),
    ("kw", "千瓦"),
    ("KW", "千瓦"),
    ("kg/m³", "千克每立方米"),
    ("kg", "公斤"),
    ("Kg", "公斤"),
    ("KG", "公斤"),
    ("kcal", "千卡"),
    ("kJ", "千焦"),
    ("kHz", "千赫兹"),
    ("kPa", "千帕"),
    ("kV", "千伏"),
    ("m/s²", "米每二次方秒"),
    ("m/s", "米每秒"),
    ("m²", "平方米"),
    ("m2", "平方米"),
    ("m^2", "平方米"),
    ("m³", "立方米"),
    ("m3", "立方米"),
    ("mm²", "平方毫米"),
    ("mm", "毫米"),
    ("mmHg", "毫米汞柱"),
    ("mg/L", "毫克每升"),
    ("mg", "毫克"),
    ("mL", "毫升"),
    ("ml", "毫升"),
    ("ML", "毫升"),
    ("mAh", "毫安时"),
    ("mA", "毫安"),
    ("ms", "毫秒"),
    ("min", "分钟"),
    ("mol", "摩尔"),
    ("mol/L", "摩尔每升"),
    ("mmol/L", "毫摩尔每升"),
    ("μmol/L", "微摩尔每升"),
    ("g/L", "克每升"),
    ("mph", "英里每小时"),
    ("m", "米"),
    ("cm²", "平方厘米"),
    ("cm2", "平方厘米"),
    ("cm³", "立方厘米"),
    ("cm3", "立方厘米"),
    ("cm", "厘米"),
    ("CM", "厘米"),
    ("cal", "卡"),
    ("dm", "分米"),
    ("dB", "分贝"),
    ("db", "分贝"),
    ("nm", "纳米"),
    ("μm", "微米"),
    ("μg/m³", "微克每立方米"),
    ("μg", "微克"),
    ("μL", "微升"),
    ("g/cm³", "克每立方厘米"),
    ("g", "克"),
    ("t", "吨"),
    ("L", "升"),
    ("l", "升"),
    ("ha", "公顷"),
    ("h", "小时"),
    ("s", "秒"),
    ("Hz", "赫兹"),
    ("hz", "赫兹"),
    ("HZ", "赫兹"),
    ("MHz", "兆赫兹"),
    ("GHz", "吉赫兹"),
    ("Mbps", "兆比特每秒"),
    ("MPa", "兆帕"),
    ("MW", "兆瓦"),
    ("GW", "吉瓦"),
    ("Pa", "帕"),
    ("hPa", "百帕"),
    ("rpm", "转每分钟"),
    ("lb", "磅"),
    ("oz", "盎司"),
    ("ft", "英尺"),
    ("px", "像素"),
    ("W", "瓦"),
    ("V", "伏"),
    ("Ω", "欧姆"),
    ("°C", "摄氏度"),
    ("°c", "摄氏度"),
    ("°F", "华氏度"),
    ("°", "度"),
];

/// Signs before which two is 二.
const WITHOUT_LIANG: [&str; 4] = ["°C", "°c", "°F", "°"];

/// Single characters that count or measure, before which two is 两.
const MEASURES: &str = "度个個只隻条條张張件位人名岁歲天周年次回遍趟种種本册冊页頁段句首篇幅部座栋棟间間套层層家所台臺辆輛架艘把根支枝颗顆粒块塊片\
                        瓶杯碗盘盤盒箱包袋双雙对對副群批排串组組份米里吨噸升克斤秒倍元角刻点點票头頭匹棵朵滴口顿頓场場轮輪项項门門届届款户戶股步国國省市县縣\
                        村声聲眼脸臉手万萬亿億千维維胎岸边邊侧側端派者夜晚代类類样樣招勺匙桶罐锅鍋壶壺束捆";

/// Longer words that do so.
const LONG_MEASURES: [&str; 14] = [
    "小时", "小時", "分钟", "分鐘", "公里", "公斤", "千米", "厘米", "毫米", "平方", "立方", "英里", "美元",
    "星期",
];

/// Words that begin like a measure word but name a number in a row: 二年级, 二维码.
const IN_A_ROW: [&str; 11] =
    ["年级", "年級", "维码", "維碼", "手车", "手房", "手车", "次元", "胎", "人转", "度烧"];

/// Whether two is 两 before this text.
pub(in crate::front_end::chinese) fn takes_liang(after: &str) -> bool {
    let after = after.strip_prefix(' ').unwrap_or(after);
    let first = after.chars().next();
    let tenths = first == Some('成')
        && !["成立", "成为", "成為", "成功", "成员", "成員", "成本", "成人"]
            .iter()
            .any(|word| after.starts_with(word));
    // 2小勺, 3大碗.
    let sized =
        after.strip_prefix(['小', '大']).is_some_and(|rest| rest.starts_with(|c| MEASURES.contains(c)));
    let counts = tenths
        || sized
        || first.is_some_and(|c| MEASURES.contains(c))
        || LONG_MEASURES.iter().any(|measure| after.starts_with(measure));
    counts && !IN_A_ROW.iter().any(|word| after.starts_with(word))
}

/// Characters that follow an amount: measure words, multiples and units.
pub(super) fn counts(after: &str) -> bool {
    takes_liang(after)
        || after.starts_with(|c: char| "月日号號分度级級楼樓路班期等成折%‰℃°百余餘多几幾".contains(c))
        || after.starts_with(['m', 'k', 'c', 'g', 'G', 'M', 'T', 'L', 'h', 's'])
}

impl Reader<'_> {
    /// The unit at a place, across one space.
    pub(super) fn unit_at(&self, at: usize) -> Option<(usize, Unit)> {
        let start = past_space(self.t, at);
        let rest = tail(self.t, start);
        let found = SIGNS.iter().filter(|(sign, _)| {
            rest.starts_with(sign)
                && (sign.starts_with('°') && sign.len() == 2
                    || !char_at(self.t, start + sign.len()).is_some_and(is_latin))
        });
        let (sign, name) = found.max_by_key(|(sign, _)| sign.len())?;
        let takes_liang = !WITHOUT_LIANG.contains(sign);
        Some((start, Unit { name, bytes: sign.len(), takes_liang }))
    }
}
