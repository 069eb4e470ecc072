//! Convolutions over rows of channels, as products of matrices (`layout` says how).
//!
//! Weights are signed bytes with a scale an output channel, or floats. Inputs of bytes come with one
//! scale and one zero for the whole sequence, measured anew for each. The products are `rten-gemm`'s,
//! which picks the widest instructions of the machine.

use rten_gemm::{BiasVector, GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::{Matrix, NdTensorView};

use super::{
    layout::Layout,
    rows::{ByteScale, Finish, Product, Statistics},
    tensors::Tensors,
};
use crate::engines::neural::instructions::Instructions;

/// Rows of a product that are finished while they are in a core's second cache.
const TOGETHER: usize = 192;

/// What computes products on this machine.
pub(super) struct Products {
    floats: GemmExecutor<f32>,
    bytes: GemmExecutor<u8, i8, i32>,
    instructions: Instructions,
}

impl Products {
    pub(super) fn new(instructions: Instructions) -> Self {
        Self { floats: GemmExecutor::default(), bytes: GemmExecutor::default(), instructions }
    }

    /// The instructions for everything but the products.
    pub(super) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// The highest byte an input may have: without VNNI, products of two neighbors are added in 16
    /// bits, which hold 2 · 127 · 127.
    pub(super) fn top_byte(&self) -> f32 {
        let may_saturate = self.bytes.may_saturate() || self.instructions == Instructions::Avx2;
        if may_saturate { 127.0 } else { 255.0 }
    }

    /// Rows of floats times a matrix, plus a bias, into `out`.
    pub(super) fn multiply(
        &self,
        rows: Matrix<f32>,
        weights: &PackedBMatrix<f32>,
        bias: Option<&[f32]>,
        out: &mut [f32],
    ) -> Result<(), GemmError> {
        let options = GemmOptions { bias: bias.map(BiasVector::Row), ..GemmOptions::default() };
        self.floats.gemm(out, GemmInputA::Unpacked(rows), GemmInputB::Packed(weights), options)
    }
}

enum Weights {
    Floats(PackedBMatrix<f32>),
    Bytes {
        packed: PackedBMatrix<i8>,
        scales: Vec<f32>,
        /// The sum of each column.
        columns: Vec<i32>,
    },
}

/// A convolution: its weights lie as `[tap × input][output]`.
pub(super) struct Convolution {
    weights: Weights,
    bias: Vec<f32>,
    pub(super) inputs: usize,
    pub(super) taps: usize,
    pub(super) stride: usize,
}

/// A sequence laid out for a convolution.
#[derive(Clone, Copy)]
pub(super) enum Input<'a> {
    Floats(&'a [f32]),
    Bytes(&'a [u8], ByteScale),
}

/// Where the result goes and what is added to it.
pub(super) struct Output<'a> {
    /// A sequence to add.
    pub(super) residual: Option<&'a [f32]>,
    /// Whether to add what `rows` holds already.
    pub(super) accumulate: bool,
    pub(super) rows: &'a mut [f32],
    pub(super) statistics: &'a mut Statistics,
}

/// What a product needs for itself.
#[derive(Default)]
pub(super) struct Scratch {
    floats: Vec<f32>,
    sums: Vec<i32>,
    zeros: Vec<i32>,
    scales: Vec<f32>,
}

impl Convolution {
    /// Finds a convolution's weights among all.
    ///
    /// # Errors
    /// What is not as expected.
    pub(super) fn read(tensors: &Tensors, name: &str, inputs: usize, stride: usize) -> Result<Self, String> {
        let weight = format!("{name}.weight");
        let (weights, [width, outputs]) = if tensors.holds_bytes(&weight) {
            let (bytes, shape) = tensors.bytes::<2>(&weight)?;
            let mut columns = vec![0; shape[1]];
            for row in bytes.chunks_exact(shape[1]) {
                columns.iter_mut().zip(row).for_each(|(sum, byte)| *sum += i32::from(*byte));
            }
            let product = GemmExecutor::<u8, i8, i32>::default();
            let packed = product.prepack_b(NdTensorView::from_data(shape, bytes.as_slice()));
            let scales = tensors.vector(&format!("{name}.scale"), shape[1])?;
            (Weights::Bytes { packed, scales, columns }, shape)
        } else {
            let (floats, shape) = tensors.floats::<2>(&weight)?;
            let product = GemmExecutor::<f32>::default();
            (Weights::Floats(product.prepack_b(NdTensorView::from_data(shape, floats.as_slice()))), shape)
        };
        if !width.is_multiple_of(inputs) {
            return Err(format!("{weight} has another size"));
        }
        let bias = tensors.vector(&format!("{name}.bias"), outputs)?;
        Ok(Self { weights, bias, inputs, taps: width / inputs, stride })
    }

    /// Whether its inputs are bytes.
    pub(super) fn takes_bytes(&self) -> bool {
        matches!(self.weights, Weights::Bytes { .. })
    }

    /// Channels that come out.
    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Runs over a sequence that lies as `layout` says; with a stride, the layout has no dilation.
    /// As many rows come out as `output` has room for.
    ///
    /// # Errors
    /// What the products say of sizes that do not fit, which they do.
    pub(super) fn run(
        &self,
        products: &Products,
        input: Input<'_>,
        layout: Layout,
        output: Output<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), GemmError> {
        let channels = self.outputs();
        let Output { residual, accumulate, rows: out, statistics } = output;
        statistics.clear(channels);
        self.prepare(input, scratch);
        let all = out.len() / channels;
        for phase in 0..layout.dilation {
            let count = if self.stride == 1 { layout.count(phase) } else { all };
            for first in (0..count).step_by(TOGETHER) {
                let rows = TOGETHER.min(count - first);
                let start = (layout.start(phase) + first * self.stride) * self.inputs;
                let finish = Finish {
                    product: self.product(products, input, start, rows, scratch)?,
                    bias: &self.bias,
                    first: phase + first * layout.dilation,
                    step: layout.dilation,
                    rows,
                    residual,
                    accumulate,
                    out,
                    statistics,
                };
                products.instructions.run(finish);
            }
        }
        Ok(())
    }

    fn prepare(&self, input: Input<'_>, scratch: &mut Scratch) {
        let room = TOGETHER * self.outputs();
        if let (Weights::Bytes { scales, columns, .. }, Input::Bytes(_, scale)) = (&self.weights, input) {
            scratch.sums.resize(room.max(scratch.sums.len()), 0);
            scratch.zeros.clear();
            scratch.zeros.extend(columns.iter().map(|sum| sum * i32::from(scale.zero)));
            scratch.scales.clear();
            scratch.scales.extend(scales.iter().map(|weight| weight * scale.scale));
        } else {
            scratch.floats.resize(room.max(scratch.floats.len()), 0.0);
        }
    }

    fn product<'a>(
        &self,
        products: &Products,
        input: Input<'_>,
        start: usize,
        rows: usize,
        scratch: &'a mut Scratch,
    ) -> Result<Product<'a>, GemmError> {
        let size = rows * self.outputs();
        match (&self.weights, input) {
            (Weights::Floats(weights), Input::Floats(values)) => {
                let out = &mut scratch.floats[..size];
                products.multiply(self.overlapping(values, start, rows)?, weights, None, out)?;
                Ok(Product::Floats(out))
            }
            (Weights::Bytes { packed, .. }, Input::Bytes(values, _)) => {
                let out = &mut scratch.sums[..size];
                products.bytes.gemm(
                    out,
                    GemmInputA::Unpacked(self.overlapping(values, start, rows)?),
                    GemmInputB::Packed(packed),
                    GemmOptions::default(),
                )?;
                Ok(Product::Bytes { sums: out, zeros: &scratch.zeros, scales: &scratch.scales })
            }
            // Callers ask `takes_bytes` first.
            _ => Err(GemmError::KSizeMismatch),
        }
    }

    /// The rows under all taps, from `start` on.
    fn overlapping<'a, T>(
        &self,
        values: &'a [T],
        start: usize,
        rows: usize,
    ) -> Result<Matrix<'a, T>, GemmError> {
        let shape = [rows, self.taps * self.inputs];
        let values = values.get(start..).unwrap_or_default();
        Matrix::from_slice_with_strides(shape, values, [self.stride * self.inputs, 1])
            .map_err(|_| GemmError::KSizeMismatch)
    }
}
