//! The words that tesseract found on a page, and how sure it is of them, from its table (TSV).

/// The level of a word in the table's first column.
const WORD: &str = "5";

/// The columns of the confidence and the text.
const CONFIDENCE: usize = 10;
const TEXT: usize = 11;

/// Words and the sum of the confidence in them, in percent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Words {
    count: u64,
    confidence: f64,
}

impl Words {
    /// The words of a page's table.
    pub(super) fn of(table: &str) -> Self {
        let mut words = Self::default();
        for line in table.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let (Some(&WORD), Some(confidence), Some(text)) =
                (columns.first(), columns.get(CONFIDENCE), columns.get(TEXT))
            else {
                continue;
            };
            let confidence = confidence.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
            if let Some(confidence) = confidence.filter(|_| !text.trim().is_empty()) {
                words.add(Self { count: 1, confidence });
            }
        }
        words
    }

    pub(super) fn add(&mut self, more: Self) {
        self.count += more.count;
        self.confidence += more.confidence;
    }

    pub(super) fn count(self) -> u64 {
        self.count
    }

    /// Whether there are at least `least` words, with a mean confidence of at least `least_confidence` percent.
    pub(super) fn are_text(self, least: u64, least_confidence: u32) -> bool {
        self.count >= least && self.confidence().is_some_and(|percent| percent >= least_confidence)
    }

    /// The mean confidence in percent.
    pub(super) fn confidence(self) -> Option<u32> {
        (self.count > 0).then(|| (self.confidence / self.count as f64).round() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn the_confidence_is_that_of_the_words_alone() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
            1\t1\t0\t0\t0\t0\t0\t0\t100\t100\t-1\t\n\
            4\t1\t1\t1\t1\t0\t0\t0\t100\t10\t-1\t\n\
            5\t1\t1\t1\t1\t1\t0\t0\t10\t10\t96.5\tThe\n\
            5\t1\t1\t1\t1\t2\t0\t0\t10\t10\t80.5\tsea\n\
            5\t1\t1\t1\t1\t3\t0\t0\t10\t10\t95\t \n\
            5\t1\t1\t1\t1\t4\t0\t0\t10\t10\tnan\tx\n\
            5\t1\n";
        let mut words = Words::of(table);
        assert_eq!((words.count(), words.confidence()), (2, Some(89)));
        assert!(words.are_text(2, 89) && !words.are_text(3, 0) && !words.are_text(2, 90));
        words.add(Words::of(""));
        assert_eq!(words.confidence(), Some(89));
        assert_eq!(Words::default().confidence(), None);
    }
}
