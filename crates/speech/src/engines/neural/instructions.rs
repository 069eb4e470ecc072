//! Which vector instructions the engines' own loops use.
//!
//! `rten-simd` takes the widest that the machine has, and so does `rten-gemm` for products of
//! matrices, which has no switch. A narrower choice is for comparisons: what the loops compute then
//! is what they compute on a machine without the wider ones.

use rten_simd::{SimdOp, isa::GenericIsa};

/// Which vector instructions to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The widest that the machine has.
    #[default]
    Widest,
    /// AVX2 and FMA, even where there is AVX-512; the portable ones where there is no AVX2.
    Avx2,
    /// What every machine has.
    Portable,
}

impl Instructions {
    /// Computes with these instructions.
    pub(in crate::engines) fn run<O: SimdOp>(self, operation: O) -> O::Output {
        match self {
            Self::Widest => operation.dispatch(),
            Self::Avx2 => avx2(operation),
            Self::Portable => operation.eval(GenericIsa::new()),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn avx2<O: SimdOp>(operation: O) -> O::Output {
    #[target_feature(enable = "avx2,avx,fma,f16c")]
    fn enabled<O: SimdOp>(isa: rten_simd::isa::Avx2Isa, operation: O) -> O::Output {
        operation.eval(isa)
    }
    match rten_simd::isa::Avx2Isa::new() {
        #[expect(unsafe_code, reason = "calling what needs instructions that were looked for")]
        // SAFETY: `Avx2Isa::new` found AVX2, AVX, FMA and F16C on this machine.
        Some(isa) => unsafe { enabled(isa, operation) },
        None => operation.eval(GenericIsa::new()),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn avx2<O: SimdOp>(operation: O) -> O::Output {
    operation.eval(GenericIsa::new())
}
