//! Decides who speaks each turn of a scene. What the text says about each turn is weighed against
//! the habit of speakers to alternate, over the whole scene at once: the forward-backward algorithm
//! over pairs of successive speakers. A tag later in the scene therefore counts for turns before it.

/// The most speakers that are told apart in a scene.
pub(super) const MOST_SPEAKERS: usize = 12;

/// What lies between a turn and the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: the paragraphs follow one another.
    None,
    /// A few lines.
    Short,
    Long,
}

/// For a turn: how well each speaker fits, and the gap before it. The last weight is for nobody
/// of the known ones.
#[derive(Debug)]
pub(super) struct Step {
    pub weights: Vec<f32>,
    pub gap: Gap,
}

/// The probability of each speaker in each turn. `prior` has one figure for each speaker, and one
/// for nobody of them.
/// `named` is how many speakers the scene names: two alternate, more do not always.
pub(super) fn posteriors(steps: &[Step], prior: &[f32], named: usize) -> Vec<Vec<f32>> {
    let n = prior.len();
    let pairs = n * n;
    let tables = [Gap::None, Gap::Short, Gap::Long].map(|gap| transitions(prior, gap, named));
    let table = |gap: Gap| &tables[gap as usize];
    let mut forward: Vec<Vec<f32>> = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let mut now = vec![0.0; pairs];
        for before in 0..n {
            for current in 0..n {
                let reached = match index {
                    0 => prior[before] * prior[current],
                    _ => (0..n)
                        .map(|first| {
                            forward[index - 1][first * n + before]
                                * table(step.gap)[(first * n + before) * n + current]
                        })
                        .sum(),
                };
                now[before * n + current] = reached * step.weights[current];
            }
        }
        normalize(&mut now);
        forward.push(now);
    }
    let mut result = vec![Vec::new(); steps.len()];
    let mut backward = vec![1.0_f32; pairs];
    for index in (0..steps.len()).rev() {
        let mut speakers = vec![0.0; n];
        for before in 0..n {
            for (current, speaker) in speakers.iter_mut().enumerate() {
                let pair = before * n + current;
                *speaker += forward[index][pair] * backward[pair];
            }
        }
        normalize(&mut speakers);
        result[index] = speakers;
        let step = &steps[index];
        let mut earlier = vec![0.0; pairs];
        for first in 0..n {
            for before in 0..n {
                earlier[first * n + before] = (0..n)
                    .map(|current| {
                        table(step.gap)[(first * n + before) * n + current]
                            * step.weights[current]
                            * backward[before * n + current]
                    })
                    .sum();
            }
        }
        normalize(&mut earlier);
        backward = earlier;
    }
    result
}

/// How probable a speaker is after two others.
fn transitions(prior: &[f32], gap: Gap, named: usize) -> Vec<f32> {
    let n = prior.len();
    // The same speaker again, and the one before that.
    let (same, back) = match gap {
        Gap::None if named <= 2 => (0.02, 0.83),
        Gap::None if named == 3 => (0.02, 0.72),
        Gap::None => (0.02, 0.6),
        Gap::Short => (0.2, 0.5),
        Gap::Long => (0.3, 0.3),
    };
    let mut table = vec![0.0; n * n * n];
    for first in 0..n {
        for before in 0..n {
            let row = &mut table[(first * n + before) * n..][..n];
            let others: f32 = (0..n).filter(|&k| k != before && k != first).map(|k| prior[k]).sum();
            // Where hardly anybody else is there, the two go on by themselves.
            let rest =
                if first == before { 1.0 - same } else { (1.0 - same - back) * others / (others + 0.1) };
            let scale = if gap == Gap::None { 1.0 } else { (1.0 - rest) / (same + back) };
            let same = if first == before { same } else { same * scale };
            let back = if first == before { 0.0 } else { 1.0 - same - rest };
            for (current, probability) in row.iter_mut().enumerate() {
                *probability = if current == before {
                    same
                } else if current == first {
                    back
                } else {
                    rest * prior[current] / others.max(f32::MIN_POSITIVE)
                };
            }
        }
    }
    table
}

fn normalize(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        for weight in weights {
            *weight /= sum;
        }
    } else {
        let even = 1.0 / weights.len().max(1) as f32;
        weights.fill(even);
    }
}
