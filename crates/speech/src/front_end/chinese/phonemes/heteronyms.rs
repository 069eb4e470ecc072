//! Characters with several readings that stand as a word of their own: the words around decide.

use super::{Word, WordKind};
use crate::front_end::chinese::{dictionary::Dictionary, normalize::is_han};

/// The words around a word, up to the next mark.
struct Around<'a> {
    words: &'a [Word],
    index: usize,
}

impl<'a> Around<'a> {
    fn word(&self, at: Option<usize>) -> Option<&'a Word> {
        at.and_then(|at| self.words.get(at)).filter(|word| !matches!(word.kind, WordKind::Mark(_)))
    }

    fn before(&self) -> Option<&'a Word> {
        self.word(self.index.checked_sub(1))
    }

    fn next(&self) -> Option<&'a Word> {
        self.word(Some(self.index + 1))
    }

    fn before_text(&self) -> &'a str {
        self.before().map_or("", |word| word.text.as_str())
    }

    fn next_text(&self) -> &'a str {
        self.next().map_or("", |word| word.text.as_str())
    }

    fn before_tag(&self) -> u8 {
        self.before().map_or(0, |word| word.tag)
    }

    fn next_tag(&self) -> u8 {
        self.next().map_or(0, |word| word.tag)
    }

    /// Whether the word before ends with one of some characters.
    fn after(&self, characters: &str) -> bool {
        self.before_text().chars().next_back().is_some_and(|c| characters.contains(c))
    }

    /// Whether the next word begins with one of some characters.
    fn ahead(&self, characters: &str) -> bool {
        self.next_text().chars().next().is_some_and(|c| characters.contains(c))
    }

    /// Whether what comes before is said twice: 一步一步, where each is a word or two.
    fn repeats(&self) -> bool {
        let text = |by: usize| {
            let word = self.word(self.index.checked_sub(by));
            word.map_or("", |word| word.text.as_str())
        };
        !text(1).is_empty() && (text(1) == text(2) || text(1) == text(3) && text(2) == text(4))
    }

    /// Whether a number or a word that counts comes before.
    fn counted(&self) -> bool {
        self.before().is_some_and(|before| before.is_number() || before.tag == b'm')
            || self.after("一二三四五六七八九十百千两几每各这那某半多数第")
    }

    /// Whether a verb follows later in the clause.
    fn verb_follows(&self) -> bool {
        /// The most words to look at.
        const MOST: usize = 8;
        let following = self.words[self.index + 1..].iter().skip(1).take(MOST);
        following.take_while(|word| !matches!(word.kind, WordKind::Mark(_))).any(|word| word.tag == b'v')
    }

    /// Whether a word that ends so follows shortly in the clause.
    fn stands_ahead(&self, text: &str) -> bool {
        /// The most words to look at.
        const MOST: usize = 4;
        let following = self.words[self.index + 1..].iter().take(MOST);
        following
            .take_while(|word| !matches!(word.kind, WordKind::Mark(_)))
            .any(|word| word.text.ends_with(text))
    }

    /// Whether a word stands shortly before in the clause.
    fn stands_before(&self, text: &str) -> bool {
        /// The most words to look at.
        const MOST: usize = 8;
        let head = self.words[..self.index].iter().rev().take(MOST);
        head.take_while(|word| !matches!(word.kind, WordKind::Mark(_))).any(|word| word.text == text)
    }
}

/// Adverbs of degree, before an adjective.
const DEGREES: &str = "很太真最更多好挺极越较不么特别非常";

/// The reading of a word of one character by the words around it; `None` when they do not decide.
pub(super) fn reading(words: &[Word], index: usize) -> Option<&'static str> {
    let around = Around { words, index };
    let c = words[index].text.chars().next()?;
    particle(c, &around)
        .or_else(|| measure(c, &around))
        .or_else(|| verb(c, &around))
        .or_else(|| action(c, &around))
}

/// The reading of a longer word that has several.
pub(super) fn word(words: &[Word], index: usize) -> Option<&'static str> {
    let around = Around { words, index };
    Some(match words[index].text.as_str() {
        "一行" if around.after("这那第每上下成") || around.ahead("字诗代文白") => "yī háng",
        "多重" if around.next().is_none() => "duō zhòng",
        _ => return None,
    })
}

/// The reading of the last character of a longer word, where the characters before it or the next word
/// decide: 一卷纸, 四只, 滑倒.
pub(super) fn last(words: &[Word], index: usize) -> Option<&'static str> {
    let around = Around { words, index };
    let text = words[index].text.as_str();
    let last = text.chars().next_back()?;
    let counts = text.starts_with(|c| "一两二三四五六七八九十几数百千万每半第".contains(c));
    Some(match last {
        '卷' if counts && around.ahead("纸布胶铁底卫绷画电") => "juǎn",
        '卷' if counts => "juàn",
        '只' if counts => "zhī",
        '重' if counts => "chóng",
        '载' if counts => "zǎi",
        '担' if counts => "dàn",
        '行' if counts && !matches!(text, "五行" | "一行") => "háng",
        '倒' if !text.starts_with(['反', '倾', '却']) => "dǎo",
        _ => return None,
    })
}

/// Particles and function words.
fn particle(c: char, around: &Around<'_>) -> Option<&'static str> {
    Some(match c {
        '得' => de(around),
        '地' => {
            let doubled = {
                let before: Vec<char> = around.before_text().chars().collect();
                before.len() >= 2 && before.windows(2).any(|pair| pair[0] == pair[1])
                    || before.len() == 4 && before[..2] == before[2..]
                    || around.repeats()
            };
            let describes = matches!(around.before_tag(), b'a' | b'd' | b'z' | b'i' | b'l' | b'o' | b'b')
                || around.after("然")
                || around.before_tag() == b'v' && around.before_text().chars().nth(1).is_some();
            let acts = matches!(around.next_tag(), b'v' | b'a' | b'd' | b'p' | b'i' | b'l' | b'z' | b'r');
            if doubled && around.next().is_some() || describes && acts { "de" } else { "dì" }
        }
        '了' if around.after("不得")
            && around.words.get(around.index.wrapping_sub(2)).is_some_and(|word| word.tag == b'v') =>
        {
            "liǎo"
        }
        '着' if around.next_text() == "了" => "zháo",
        '为' => wei(around),
        '都' if around.before().is_none() && around.next_tag() == b'n' && around.next_text() == "城" => {
            "dū"
        }
        '还' => {
            let to_whom = around.next_tag() == b'r';
            let something = around.words.get(around.index + 2).is_some_and(Word::is_amount);
            let returns = around.stands_before("还")
                || around.ahead("给钱书债款清贷了")
                || around.stands_before("把")
                || to_whom && something;
            if returns { "huán" } else { "hái" }
        }
        '当' if around.stands_before("把") || around.stands_before("拿") || around.ahead("回真") => {
            let holds = around.ahead("着了的") || around.next().is_none();
            if holds { "dāng" } else { "dàng" }
        }
        '和' if around.next_text() == "面"
            && (around.stands_before("在") || matches!(around.before_tag(), b'v' | b'd' | 0)) =>
        {
            "huó"
        }
        '与' if around.ahead("会") => "yù",
        '只' if around.counted() || around.before().is_some_and(Word::is_amount) => "zhī",
        '好' if around.next_text() == "学" => "hào",
        '没' => "méi",
        // 胡同口儿, which the list of words cuts in two.
        '儿' if around.before().is_some_and(|before| matches!(before.kind, WordKind::Han)) => "er",
        _ => return None,
    })
}

/// 得: after a verb or an adjective a particle, before a verb "must", else "to get".
fn de(around: &Around<'_>) -> &'static str {
    /// Verbs with their object, after which something must be done: 出门得带伞.
    const DONE: [&str; 14] = [
        "出门", "上班", "吃饭", "睡觉", "开车", "下雨", "开会", "上课", "见面", "结婚", "回家", "请假",
        "过年", "办事",
    ];
    let before = around.before_tag();
    if around.ahead("了到出奖病胜逞志") && !(before == b'v' && around.ahead("到出")) {
        return "dé";
    }
    // At the beginning of a clause: 得补办一个.
    if around.before().is_none() && !around.next().is_some_and(Word::is_amount) {
        return "děi";
    }
    // 你得努力.
    if before == b'r' && matches!(around.next_tag(), b'v' | b'a' | b'p' | b'd' | b'r') {
        return "děi";
    }
    if around.ahead("很太真更最特非十比") {
        return "de";
    }
    if around.next_text() == "过" && before != b'v' {
        return "dé";
    }
    let again =
        around.next_text() == "重" && around.words.get(around.index + 2).is_some_and(|word| word.tag == b'v');
    let done = DONE.contains(&around.before_text()) && matches!(around.next_tag(), b'v' | b'p' | b'd');
    if again || done {
        return "děi";
    }
    let must = matches!(before, b'r' | b'd' | b'n' | b'R' | b't' | b'c' | 0)
        && matches!(around.next_tag(), b'v' | b'p' | b'd' | b'r')
        && !around.after("快慢早晚好");
    // 作业得重做: a noun is not done in any way.
    let noun_acts = before == b'n' && around.next_tag() == b'v' && !around.ahead("起过住到");
    if must && (before != b'n' || noun_acts) {
        return "děi";
    }
    match around.next() {
        Some(next) if next.is_number() || next.text == "第" => "dé",
        _ if must => "děi",
        _ => "de",
    }
}

/// 为: "for" before somebody for whom something is done, else "to be".
fn wei(around: &Around<'_>) -> &'static str {
    let Some(next) = around.next() else { return "wéi" };
    if around.stands_before("以")
        || next.is_number()
        || next.tag == b'm'
        || matches!(next.kind, WordKind::Ready(_))
    {
        return "wéi";
    }
    if next.tag == b'r' || next.text == "的" {
        return if next.tag == b'r' { "wèi" } else { "wéi" };
    }
    if around.verb_follows() { "wèi" } else { "wéi" }
}

/// Words that count, or are counted.
fn measure(c: char, around: &Around<'_>) -> Option<&'static str> {
    Some(match c {
        '行' => {
            let counts = around.counted() && !around.ahead("人") && !around.after("多");
            if counts { "háng" } else { "xíng" }
        }
        '种' => {
            let counts = around.counted() || around.after("有种此该何") || around.before_text() == "一";
            if counts { "zhǒng" } else { "zhòng" }
        }
        '处' if around.counted() || around.after("的之") => "chù",
        '处' => "chǔ",
        '卷' if around.after("上下中首前") => "juàn",
        '卷' if around.counted() && (around.before_text() == "第" || around.stands_before("第")) => "juàn",
        '卷' if around.ahead("书诗文本经集著小") || around.counted() && around.stands_before("读") => {
            "juàn"
        }
        '卷' => "juǎn",
        '重' => {
            let again = around.next_tag() == b'v' && !around.after(DEGREES) && !around.counted();
            if again { "chóng" } else { "zhòng" }
        }
        '长' => {
            let grows = around.ahead("了得着出在满成高胖") && !around.after(DEGREES) && !around.counted();
            if grows { "zhǎng" } else { "cháng" }
        }
        '觉' if around.counted() || around.after("个好") => "jiào",
        '觉' => "jué",
        '假' if around.counted()
            || matches!(around.before_tag(), b'q' | b't')
            || around.after("天周月次请放休的长") =>
        {
            "jià"
        }
        '假' => "jiǎ",
        '间' => "jiān",
        '量' if around.ahead("一")
            || around.next_text() == "量"
            || around.ahead("体血身了过尺") && around.before_tag() != b'n' =>
        {
            "liáng"
        }
        '量' => "liàng",
        // Of grain; a stone is counted with 块.
        '石' if around.counted() && around.ahead("米粮谷麦稻粟豆") => "dàn",
        '分' => "fēn",
        '角' => "jiǎo",
        '差' => "chà",
        '更' => "gèng",
        _ => return None,
    })
}

/// Verbs and adjectives.
fn verb(c: char, around: &Around<'_>) -> Option<&'static str> {
    Some(match c {
        '中' if around.next_text() == "了" || around.ahead("奖弹毒") => "zhòng",
        '中' => "zhōng",
        '数' => {
            let counts =
                matches!(around.next_text(), "一" | "了" | "到" | "着" | "数" | "钱" | "星星" | "完")
                    && around.before_tag() != b'n'
                    || around.next().is_some_and(Word::is_number)
                    || around.before_text() == "了" && around.stands_before("数");
            if counts { "shǔ" } else { "shù" }
        }
        '调' if around.after("曲声音个") => "diào",
        '调' => "tiáo",
        '教' if around.after("信入") => "jiào",
        '教' => "jiāo",
        '干' => {
            let dry = around.after("晾晒擦吹很太口烘弄变") && !around.ahead("什活得");
            if dry { "gān" } else { "gàn" }
        }
        '倒' if around.after("摔跌晕推打病累撞吓刮被")
            || around.next_text() == "在"
            || around.next_text() == "下" =>
        {
            "dǎo"
        }
        '倒' => "dào",
        '转' if around.stands_ahead("圈") => "zhuàn",
        '切' => "qiē",
        '盛' if around.ahead("饭汤满了水") => "chéng",
        '弹' if around.counted() => "dàn",
        '朝' if around.next_text() == "晖" => "zhāo",
        '量' => "liáng",
        '背' if around.ahead("着包上起了") && around.before_tag() != b'n' => "bēi",
        '背' => "bèi",
        '空' if around.after("有没") => "kòng",
        '系' if around.ahead("鞋领安带好上着") => "jì",
        '系' => "xì",
        '散' if around.ahead("了会场") => "sàn",
        '发' if ["理", "剪", "染", "烫"].iter().any(|verb| around.stands_before(verb)) => "fà",
        '发' => "fā",
        '相' if around.stands_before("照") => "xiàng",
        '相' => "xiāng",
        '难' => "nán",
        '扎' => "zhā",
        '涨' => "zhǎng",
        '压' => "yā",
        '挑' if around.ahead("战起") => "tiǎo",
        '挑' => "tiāo",
        '挨' if around.ahead("了过打骂批饿揍训冻罚宰") => "ái",
        '落' if around.stands_before("把") && around.ahead("在家那车屋") => "là",
        '闷' if ["天", "外面", "屋里", "房间", "天气", "车里"]
            .iter()
            .any(|place| around.stands_before(place)) =>
        {
            "mēn"
        }
        '提' => "tí",
        '吐' if around.after("呕") || around.next_text() == "了" => "tù",
        '吐' => "tǔ",
        '炸' if around.ahead("鸡鱼油酱薯丸") => "zhá",
        '折' => "zhé",
        '吓' => "xià",
        '晃' if around.ahead("眼") => "huǎng",
        '缝' if around.ahead("了好衣") => "féng",
        '钉' if around.ahead("在上了") => "dìng",
        '晕' if around.ahead("车船机") => "yùn",
        '晕' => "yūn",
        '曲' => "qǔ",
        '血' => "xuè",
        _ => return None,
    })
}

/// Verbs that are read otherwise than the noun or the words that they are a part of.
fn action(c: char, around: &Around<'_>) -> Option<&'static str> {
    let turns = || ["绕", "绕着", "围绕", "围着"].iter().any(|way| around.stands_before(way));
    Some(match c {
        '铺' if !around.counted() => "pū",
        '结' if ["果", "果子", "籽"].iter().any(|fruit| around.stands_ahead(fruit)) => "jiē",
        '咽' => "yàn",
        '剥' => "bāo",
        '应' if around.next().is_none() => "yìng",
        '逮' => "dǎi",
        '待' if around.ahead("在了着过得一两三几多") => "dāi",
        '宿' if around.counted() => "xiǔ",
        '冲' if around.next_tag() == b'r' => "chòng",
        '划' if around.ahead("船桨过破伤拳着了得") => "huá",
        '扇' if around.ahead("了着风耳他她") && !around.counted() => "shān",
        '撒' if around.stands_ahead("谎") || around.ahead("手娇网尿野泼欢腿") => "sā",
        '撒' => "sǎ",
        '盛' if around.ahead("在着出上好菜粥") => "chéng",
        '转' if turns() || around.ahead("个来") => "zhuàn",
        '抹' if around.next_text() == "桌子" => "mā",
        '择' if around.next_text() == "菜" => "zhái",
        '奔' if around.ahead("着") => "bèn",
        _ => return None,
    })
}

/// The text in simplified characters. 著 that is not of a word of its own is the particle 着.
pub(super) fn simplify(text: &str, dictionary: &Dictionary) -> String {
    const BEFORE: &str = "名显卓原巨土编专论译合遗";
    const AFTER: &str = "名作者述称录书";
    let simple = dictionary.simplify(text);
    if !simple.contains('著') {
        return simple;
    }
    let chars: Vec<char> = simple.chars().collect();
    let beside =
        |at: Option<usize>, list: &str| at.and_then(|at| chars.get(at)).is_some_and(|c| list.contains(*c));
    let particle = |(at, &c): (usize, &char)| {
        let is_word = beside(at.checked_sub(1), BEFORE) || beside(Some(at + 1), AFTER);
        if c == '著' && !is_word && at > 0 && is_han(chars[at - 1]) { '着' } else { c }
    };
    chars.iter().enumerate().map(particle).collect()
}
