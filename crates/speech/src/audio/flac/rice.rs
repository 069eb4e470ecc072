//! Rice coding of residuals (RFC 9639, section 9.2.7): a block is divided into equal partitions,
//! each with the parameter that makes it shortest.

use super::bits::BitWriter;

/// At most 64 partitions of 64 samples.
const MAX_PARTITION_ORDER: u32 = 6;
/// The largest parameter of the short method, in which 15 would mean "unencoded".
const MAX_SHORT_PARAMETER: u32 = 14;
/// Residuals of 16-bit samples have fewer than 28 bits, whatever the predictor.
const MAX_PARAMETER: u32 = 28;

/// A residual with its Rice parameters.
pub(super) struct Residual {
    /// Residuals folded to unsigned: 0, −1, 1, −2, … become 0, 1, 2, 3, …
    folded: Vec<u32>,
    warm_up: usize,
    parameters: Vec<u32>,
    bits: u64,
}

impl Residual {
    /// Finds the shortest partitioning. `warm_up` samples at the block's front have no residual.
    pub(super) fn new(residual: &[i32], warm_up: usize) -> Self {
        let folded: Vec<u32> =
            residual.iter().map(|&value| (value << 1 ^ value >> 31).cast_unsigned()).collect();
        let block = folded.len() + warm_up;
        let order = (0..=MAX_PARTITION_ORDER)
            .rev()
            .find(|&order| block.is_multiple_of(1 << order) && block >> order > warm_up)
            .unwrap_or(0);
        // The sums of the finest partitioning; coarser ones add up neighbors.
        let mut sums: Vec<u64> = partitions(&folded, warm_up, order)
            .map(|part| part.iter().map(|&value| u64::from(value)).sum())
            .collect();
        let mut best: Option<(u64, Vec<u32>)> = None;
        for order in (0..=order).rev() {
            let chosen: Vec<(u64, u32)> = sums
                .iter()
                .enumerate()
                .map(|(index, &sum)| parameter(sum, (block >> order) - if index == 0 { warm_up } else { 0 }))
                .collect();
            let parameter_bits = 4 + u64::from(chosen.iter().any(|&(_, k)| k > MAX_SHORT_PARAMETER));
            let bits = 6 + chosen.iter().map(|&(bits, _)| bits + parameter_bits).sum::<u64>();
            if best.as_ref().is_none_or(|(least, _)| bits < *least) {
                best = Some((bits, chosen.into_iter().map(|(_, k)| k).collect()));
            }
            sums = sums.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
        let (bits, parameters) = best.unwrap_or((6, vec![0]));
        Self { folded, warm_up, parameters, bits }
    }

    /// A close upper bound of the bits that [`Residual::write`] takes.
    pub(super) fn bits(&self) -> u64 {
        self.bits
    }

    pub(super) fn write(&self, bits: &mut BitWriter) {
        let order = self.parameters.len().ilog2();
        let long = self.parameters.iter().any(|&parameter| parameter > MAX_SHORT_PARAMETER);
        bits.put(u32::from(long), 2);
        bits.put(order, 4);
        for (part, &parameter) in partitions(&self.folded, self.warm_up, order).zip(&self.parameters) {
            bits.put(parameter, if long { 5 } else { 4 });
            for &value in part {
                bits.put_rice(value, parameter);
            }
        }
    }
}

/// The partitions of a block; the first is shorter by the warm-up.
fn partitions(folded: &[u32], warm_up: usize, order: u32) -> impl Iterator<Item = &[u32]> {
    let length = (folded.len() + warm_up) >> order;
    let (first, rest) = folded.split_at((length - warm_up.min(length)).min(folded.len()));
    std::iter::once(first).chain(rest.chunks(length.max(1)))
}

/// The best parameter for values with this sum, and an upper bound of the bits that they take with
/// it.
fn parameter(sum: u64, count: usize) -> (u64, u32) {
    let count = count as u64;
    (0..=MAX_PARAMETER)
        .map(|parameter| (count * u64::from(1 + parameter) + (sum >> parameter), parameter))
        .min()
        .unwrap_or((0, 0))
}
