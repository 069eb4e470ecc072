//! Surnames that are read otherwise than their character is as a word, where the text shows that
//! it is a name: 姓单, 单先生, 老仇.

use super::{Word, WordKind, only};

const SURNAMES: &[(char, &str)] = &[
    ('单', "shàn"),
    ('曾', "zēng"),
    ('仇', "qiú"),
    ('解', "xiè"),
    ('区', "ōu"),
    ('任', "rén"),
    ('华', "huà"),
    ('朴', "piáo"),
    ('查', "zhā"),
    ('盖', "gě"),
    ('燕', "yān"),
    ('纪', "jì"),
    ('宁', "nìng"),
    ('葛', "gě"),
    ('翟', "zhái"),
    ('尉', "wèi"),
    ('乐', "yuè"),
    ('员', "yùn"),
    ('洗', "xiǎn"),
    ('折', "shé"),
    ('黑', "hè"),
    ('秘', "bì"),
    ('牟', "mù"),
    ('万', "wàn"),
    ('令', "líng"),
    ('召', "shào"),
    ('缪', "miào"),
    ('种', "chóng"),
];

/// Words after a surname.
const TITLES: &[&str] = &[
    "先生",
    "女士",
    "小姐",
    "太太",
    "夫人",
    "老师",
    "教授",
    "医生",
    "大夫",
    "经理",
    "总经理",
    "总",
    "主任",
    "院长",
    "校长",
    "局长",
    "处长",
    "科长",
    "部长",
    "市长",
    "省长",
    "县长",
    "书记",
    "主席",
    "总理",
    "律师",
    "法官",
    "警官",
    "师傅",
    "同学",
    "同志",
    "博士",
    "阿姨",
    "叔叔",
    "大爷",
    "大妈",
    "老板",
    "教练",
    "导演",
    "记者",
    "队长",
    "董事长",
    "董",
    "工",
    "某",
    "氏",
    "哥",
    "姐",
    "家",
];

/// The reading of a surname, when a word is one or begins with one.
pub(super) fn reading(words: &[Word], index: usize) -> Option<&'static str> {
    let word = &words[index];
    let mut chars = word.text.chars();
    let first = chars.next()?;
    let (_, reading) = SURNAMES.iter().find(|(surname, _)| *surname == first)?;
    let han = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at)).filter(|word| matches!(word.kind, WordKind::Han));
        word.map_or("", |word| word.text.as_str())
    };
    let before = han(index.checked_sub(1));
    let next = han(Some(index + 1));
    let rest = chars.as_str();
    let named = before.ends_with('姓') || matches!(before, "叫" | "名叫" | "名为");
    let addressed = matches!(before, "老" | "小" | "阿") && only(&word.text).is_some();
    let titled =
        rest.is_empty() && TITLES.contains(&next) && !matches!(first, '解' | '任' | '查' | '种' | '万')
            || rest.is_empty() && matches!(first, '解' | '任' | '查') && TITLES[..12].contains(&next);
    (named && (rest.is_empty() || word.tag == b'R') || addressed || titled || TITLES.contains(&rest))
        .then_some(*reading)
}
