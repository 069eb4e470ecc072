//! How a sequence lies in memory so that a convolution over it is a product of matrices.
//!
//! With rows of channels one after the other, the rows under all taps at one moment are one stretch
//! of memory, and those of the next moment the same stretch one row on: a matrix whose rows overlap.
//! With a dilation d, the rows are sorted by the remainder of their time by d first. Each of these
//! phases has rows of zeros before and after it.

/// Where the rows of a sequence lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Rows of the sequence.
    pub(super) rows: usize,
    /// Rows under one output; odd.
    pub(super) taps: usize,
    pub(super) dilation: usize,
}

impl Layout {
    /// Rows in memory, those of zeros counted.
    pub(super) fn total(self) -> usize {
        self.rows + self.dilation * (self.taps - 1)
    }

    /// Rows of zeros at either end of a phase.
    pub(super) fn margin(self) -> usize {
        self.taps / 2
    }

    /// How many rows of the sequence a phase has.
    pub(super) fn count(self, phase: usize) -> usize {
        (self.rows + self.dilation - 1 - phase) / self.dilation
    }

    /// Where a phase begins in memory, with its zeros.
    pub(super) fn start(self, phase: usize) -> usize {
        (0..phase).map(|before| self.count(before) + self.taps - 1).sum()
    }

    /// The position in memory of the row for a time step.
    #[inline]
    pub(super) fn place(self, time: usize) -> usize {
        if self.dilation == 1 {
            return time + self.margin();
        }
        let (phase, along) = (time % self.dilation, time / self.dilation);
        // The first `rows % dilation` phases have one row more than the others.
        let longer = phase.min(self.rows % self.dilation);
        phase * (self.rows / self.dilation + self.taps - 1) + longer + self.margin() + along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_place_of_its_own_and_its_neighbors_lie_around_it() {
        for (rows, taps, dilation) in [(1, 3, 1), (7, 3, 5), (5, 11, 5), (100, 7, 3), (2, 3, 5)] {
            let layout = Layout { rows, taps, dilation };
            let mut places: Vec<usize> = (0..rows).map(|time| layout.place(time)).collect();
            for time in 0..rows.saturating_sub(dilation) {
                assert_eq!(layout.place(time) + 1, layout.place(time + dilation));
            }
            for phase in 0..dilation.min(rows) {
                assert_eq!(layout.start(phase) + layout.margin(), layout.place(phase));
            }
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), rows);
            assert_eq!((0..dilation).map(|phase| layout.count(phase)).sum::<usize>(), rows);
            assert_eq!(layout.start(dilation), layout.total());
        }
    }
}
