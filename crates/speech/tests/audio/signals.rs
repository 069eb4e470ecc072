//! Test signals, the same in every run.

pub(crate) const RATE: u32 = 24_000;

/// A small generator of pseudo-random numbers (xorshift64*), so that the tests are deterministic.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// The next number within ±1.
    pub(crate) fn next(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 8_388_608.0 - 1.0
    }
}

/// A speech-like signal: a gliding voice of many harmonics and bursts of breath, in syllables of
/// 200 ms, with words, and pauses between phrases.
pub(crate) fn speech(samples: usize, seed: u64) -> Vec<f32> {
    let mut noise = Noise::new(seed);
    let (mut phase, mut colour) = (0.0_f64, 0.0_f32);
    (0..samples)
        .map(|index| {
            let t = index as f64 / f64::from(RATE);
            let pitch = 120.0 + 30.0 * (t * 2.1).sin() + 10.0 * (t * 7.3 + seed as f64).sin();
            phase += pitch / f64::from(RATE);
            let voice: f64 = (1..=24)
                .map(|h| {
                    let hz = pitch * f64::from(h);
                    let formant = 1.0 / (1.0 + ((hz - 600.0) / 300.0).powi(2))
                        + 0.5 / (1.0 + ((hz - 1_800.0) / 500.0).powi(2));
                    formant * (std::f64::consts::TAU * phase * f64::from(h)).cos()
                })
                .sum();
            colour = 0.5 * colour + 0.5 * noise.next();
            let syllable = (t * 5.0).fract();
            let envelope = (std::f64::consts::PI * syllable).sin().powi(2);
            let pause = if (t / 2.5).fract() > 0.8 { 0.0 } else { 1.0 };
            let breath = if syllable < 0.2 { 0.3 } else { 0.02 };
            (pause * (0.05 * voice * envelope + breath * f64::from(colour) * 0.4)) as f32
        })
        .collect()
}

/// White noise.
pub(crate) fn white(samples: usize, amplitude: f32, seed: u64) -> Vec<f32> {
    let mut noise = Noise::new(seed);
    (0..samples).map(|_| amplitude * noise.next()).collect()
}

pub(crate) fn tone(samples: usize, hz: f64, amplitude: f64, phase: f64) -> Vec<f32> {
    (0..samples)
        .map(|n| (amplitude * (std::f64::consts::TAU * hz * n as f64 / f64::from(RATE) + phase).sin()) as f32)
        .collect()
}

/// The shift of `b` relative to `a` at which they are most similar, within ±`reach` samples.
pub(crate) fn lag(a: &[f32], b: &[f32], reach: i64) -> i64 {
    let likeness = |shift: i64| -> f64 {
        a.iter()
            .enumerate()
            .filter_map(|(index, &sample)| {
                let other = usize::try_from(index as i64 + shift).ok().and_then(|at| b.get(at))?;
                Some(f64::from(sample) * f64::from(*other))
            })
            .sum()
    };
    (-reach..=reach)
        .map(|shift| (likeness(shift), shift))
        .max_by(|x, y| x.0.total_cmp(&y.0))
        .map_or(0, |best| best.1)
}

/// The signal-to-noise ratio, in dB.
pub(crate) fn snr(wanted: &[f32], got: &[f32]) -> f64 {
    let signal: f64 = wanted.iter().map(|&s| f64::from(s).powi(2)).sum();
    let noise: f64 = wanted.iter().zip(got).map(|(&a, &b)| f64::from(a - b).powi(2)).sum();
    10.0 * (signal / noise).log10()
}
