//! Elementary functions on SIMD lanes, as accurate as hearing requires.
//!
//! `rten-simd` picks the widest instruction set of the machine at run time. The functions here are
//! generic over it and inlined into the loops that use them. The stated errors are those that the
//! tests below measure.

#![expect(
    clippy::inline_always,
    reason = "lane functions compile to the right instructions only inside their caller"
)]

use rten_simd::{
    Isa, Simd,
    ops::{BitOps, FloatOps, IntOps, NumOps},
};

/// eˣ with a relative error below 2e-7; x is clamped to ±87, the limits of `f32`.
#[inline(always)]
pub(in crate::engines) fn exp<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let (ops, ints) = (isa.f32(), isa.i32());
    let x = ops.clamp(x, ops.splat(-87.0), ops.splat(87.0));
    let twos = ops.round_ties_even(ops.mul(x, ops.splat(std::f32::consts::LOG2_E)));
    // ln 2 in two parts, so that the remainder keeps its low bits (Cody and Waite).
    let rest = ops.mul_sub_from(twos, ops.splat(0.693_359_4), x);
    let rest = ops.mul_sub_from(twos, ops.splat(-2.121_944_4e-4), rest);
    // Taylor series to the sixth power: |rest| ≤ ½ ln 2, so the next term is below 1.3e-7.
    let mut sum = ops.splat(1.0 / 720.0);
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = ops.mul_add(sum, rest, ops.splat(coefficient));
    }
    let exponent = ints.add(ops.to_int_round(twos), ints.splat(127));
    let power: I::F32 = ints.shift_left::<23>(exponent).reinterpret_cast();
    ops.mul(sum, power)
}

/// tanh x with an absolute error below 2e-7.
#[inline(always)]
pub(in crate::engines) fn tanh<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let ops = isa.f32();
    let x = ops.clamp(x, ops.splat(-10.0), ops.splat(10.0));
    let doubled = exp(isa, ops.add(x, x));
    let two = ops.splat(2.0);
    ops.sub(ops.one(), ops.div(two, ops.add(doubled, ops.one())))
}

/// sin πx and cos πx with an absolute error below 3e-7 for |x| ≤ 1, growing by 2e-7 for every unit
/// of |x|.
#[inline(always)]
pub(in crate::engines) fn sin_cos_half_turns<I: Isa>(isa: I, x: I::F32) -> (I::F32, I::F32) {
    let (ops, ints) = (isa.f32(), isa.i32());
    let quarters = ops.round_ties_even(ops.add(x, x));
    let rest = ops.mul_sub_from(quarters, ops.splat(0.5), x);
    let angle = ops.mul(rest, ops.splat(std::f32::consts::PI));
    let square = ops.mul(angle, angle);
    // Taylor series; |angle| ≤ π/4, so the next terms, which are left out, are below 4e-7·|angle|
    // and 3e-8.
    let mut sine = ops.splat(1.0 / 362_880.0);
    for coefficient in [-1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sine = ops.mul_add(sine, square, ops.splat(coefficient));
    }
    let sine = ops.mul(sine, angle);
    let mut cosine = ops.splat(1.0 / 40_320.0);
    for coefficient in [-1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0] {
        cosine = ops.mul_add(cosine, square, ops.splat(coefficient));
    }
    let quarter = ops.to_int_round(quarters);
    let odd = ints.eq(ints.and(quarter, ints.one()), ints.one());
    let (sine, cosine) = (ops.select(cosine, sine, odd), ops.select(sine, cosine, odd));
    (signed(isa, sine, quarter), signed(isa, cosine, ints.add(quarter, ints.one())))
}

/// sin² πx. Near integers its relative error is as small as that of x, which matters when the
/// result is divided by a small number.
#[inline(always)]
pub(in crate::engines) fn sin_square_half_turns<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let ops = isa.f32();
    let rest = ops.sub(x, ops.round_ties_even(x));
    let angle = ops.mul(rest, ops.splat(std::f32::consts::PI));
    let square = ops.mul(angle, angle);
    // Taylor series; |angle| ≤ π/2, so the next term is below 6e-8.
    let mut sine = ops.splat(-1.0 / 39_916_800.0);
    for coefficient in [1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sine = ops.mul_add(sine, square, ops.splat(coefficient));
    }
    let sine = ops.mul(sine, angle);
    ops.mul(sine, sine)
}

/// The second bit of the quarter turn (for the cosine: of the next quarter turn) is the sign.
#[inline(always)]
fn signed<I: Isa>(isa: I, value: I::F32, quarter: I::I32) -> I::F32 {
    let ints = isa.i32();
    let sign = ints.shift_left::<30>(ints.and(quarter, ints.splat(2)));
    let bits: I::I32 = value.reinterpret_cast();
    ints.xor(bits, sign).reinterpret_cast()
}

/// Stores the first lanes of `value` into a slice shorter than a vector.
#[inline(always)]
pub(in crate::engines) fn store_tail<S: Simd<Elem = f32>>(
    _ops: impl NumOps<f32, Simd = S>,
    value: S,
    out: &mut [f32],
) {
    let lanes = value.to_array();
    let lanes = lanes.as_ref();
    let length = out.len();
    out.copy_from_slice(&lanes[..length]);
}

#[cfg(test)]
mod tests {
    use rten_simd::SimdUnaryOp;

    use super::*;

    macro_rules! lane_function {
        ($name:ident, $call:expr) => {
            struct $name;

            impl SimdUnaryOp<f32> for $name {
                #[inline(always)]
                fn eval<I: Isa>(&self, isa: I, x: I::F32) -> I::F32 {
                    let call = $call;
                    call(isa, x)
                }
            }
        };
    }

    lane_function!(Exp, exp);
    lane_function!(Tanh, tanh);
    lane_function!(Sine, |isa, x| sin_cos_half_turns(isa, x).0);
    lane_function!(Cosine, |isa, x| sin_cos_half_turns(isa, x).1);
    lane_function!(SineSquared, sin_square_half_turns);

    /// The largest difference on a fine grid, relative to the true value if `relative`.
    fn worst(op: &impl SimdUnaryOp<f32>, from: f32, to: f32, truth: fn(f64) -> f64, relative: bool) -> f64 {
        let xs: Vec<f32> = (0..=100_003).map(|i| from + (to - from) * (i as f32 / 100_003.0)).collect();
        let mut ys = xs.clone();
        op.map_mut(&mut ys);
        xs.iter()
            .zip(&ys)
            .map(|(x, y)| {
                let wanted = truth(f64::from(*x));
                (f64::from(*y) - wanted).abs() / if relative { wanted.abs() } else { 1.0 }
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn exp_is_right_to_three_parts_in_ten_million() {
        let error = worst(&Exp, -80.0, 80.0, f64::exp, true);
        assert!(error < 3e-7, "{error}");
    }

    #[test]
    fn exp_of_what_f32_cannot_hold_stays_finite() {
        let mut ends = [-1000.0, 1000.0, f32::NEG_INFINITY, f32::INFINITY];
        Exp.map_mut(&mut ends);
        assert!(ends.iter().all(|value| value.is_finite()), "{ends:?}");
        assert!(ends[0] < 1e-37 && ends[1] > 1e37);
    }

    #[test]
    fn tanh_is_right_to_three_parts_in_ten_million() {
        let error = worst(&Tanh, -12.0, 12.0, f64::tanh, false);
        assert!(error < 3e-7, "{error}");
    }

    #[test]
    fn sine_and_cosine_of_half_turns_are_right_to_five_parts_in_ten_million() {
        let sine = worst(&Sine, -2.0, 2.0, |x| (std::f64::consts::PI * x).sin(), false);
        let cosine = worst(&Cosine, -2.0, 2.0, |x| (std::f64::consts::PI * x).cos(), false);
        assert!(sine < 5e-7 && cosine < 5e-7, "{sine} {cosine}");
    }

    #[test]
    fn a_squared_sine_is_right_to_six_parts_in_ten_million_and_relatively_near_zero() {
        let truth = |x: f64| (std::f64::consts::PI * x).sin().powi(2);
        let error = worst(&SineSquared, -3.0, 3.0, truth, false);
        assert!(error < 1e-6, "{error}");
        let error = worst(&SineSquared, 1e-6, 1e-3, truth, true);
        assert!(error < 1e-6, "{error}");
    }

    #[test]
    fn sine_and_cosine_hold_their_accuracy_at_many_turns() {
        let sine = worst(&Sine, 250.0, 300.0, |x| (std::f64::consts::PI * x).sin(), false);
        assert!(sine < 5e-7, "{sine}");
    }
}
