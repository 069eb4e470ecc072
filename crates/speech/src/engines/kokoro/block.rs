//! A residual block of the generator: three times a convolution with a dilation and one without,
//! each after a normalization and Snake, added to what came in.

use super::{
    GeneratorError,
    convolution::{Convolution, Input, Output, Products, Scratch},
    layout::Layout,
    rows::{LANES, Shape, ShapeBytes, ShapeFloats, Statistics},
    tensors::Tensors,
};

/// How far apart the taps of each first convolution are.
const DILATIONS: [usize; 3] = [1, 3, 5];

/// A normalization with the voice's style, Snake, and a convolution.
struct Step {
    /// `[style][factor | offset]`.
    style: Vec<f32>,
    style_bias: Vec<f32>,
    alpha: Vec<f32>,
    convolution: Convolution,
    dilation: usize,
}

/// One block's weights.
pub(super) struct Block {
    steps: Vec<[Step; 2]>,
}

/// One thread's buffers.
#[derive(Default)]
pub(super) struct BlockRoom {
    now: Vec<f32>,
    inner: Vec<f32>,
    floats: Vec<f32>,
    bytes: Vec<u8>,
    shape: Shape,
    style: Vec<f32>,
    now_statistics: Statistics,
    inner_statistics: Statistics,
    pub(super) scratch: Scratch,
}

impl BlockRoom {
    /// Makes it fit for sequences of `values` floats, and lets go of what is far too much.
    pub(super) fn fit(&mut self, values: usize) {
        for buffer in [&mut self.now, &mut self.inner] {
            buffer.resize(values, 0.0);
            buffer.shrink_to(2 * values);
        }
        self.bytes.shrink_to(2 * values);
        self.floats.shrink_to(2 * values);
    }
}

impl Block {
    /// Finds a block's weights among all.
    ///
    /// # Errors
    /// What is not as expected.
    pub(super) fn read(tensors: &Tensors, name: &str) -> Result<Self, String> {
        let step = |half: usize, index: usize| {
            let (alpha, [channels]) = tensors.floats(&format!("{name}.alpha{half}.{index}"))?;
            if channels % LANES != 0 {
                return Err(format!("{name} has {channels} channels"));
            }
            let style_name = format!("{name}.adain{half}.{index}");
            let (style, [_, width]) = tensors.floats(&format!("{style_name}.weight"))?;
            let style_bias = tensors.vector(&format!("{style_name}.bias"), 2 * channels)?;
            let convolution =
                Convolution::read(tensors, &format!("{name}.convs{half}.{index}"), channels, 1)?;
            if width != 2 * channels || convolution.outputs() != channels || convolution.taps % 2 == 0 {
                return Err(format!("{name} does not fit together"));
            }
            let dilation = if half == 1 { DILATIONS[index] } else { 1 };
            Ok(Step { style, style_bias, alpha, convolution, dilation })
        };
        let steps = (0..DILATIONS.len()).map(|index| Ok([step(1, index)?, step(2, index)?]));
        Ok(Self { steps: steps.collect::<Result<_, String>>()? })
    }

    /// Takes a sequence through the block into (or on top of) another one, of which it measures the
    /// statistics.
    ///
    /// # Errors
    /// [`GeneratorError`], when what came in are no numbers.
    pub(super) fn run(
        &self,
        products: &Products,
        style: &[f32],
        (sequence, statistics): (&[f32], &Statistics),
        output: Output<'_>,
        room: &mut BlockRoom,
    ) -> Result<(), GeneratorError> {
        let mut output = Some(output);
        let mut now = std::mem::take(&mut room.now);
        let mut now_statistics = std::mem::take(&mut room.now_statistics);
        let mut inner = std::mem::take(&mut room.inner);
        let mut inner_statistics = std::mem::take(&mut room.inner_statistics);
        for (index, [first, second]) in self.steps.iter().enumerate() {
            let input = if index == 0 { (sequence, statistics) } else { (&*now, &now_statistics) };
            let into_inner = Output {
                residual: None,
                accumulate: false,
                rows: &mut inner[..sequence.len()],
                statistics: &mut inner_statistics,
            };
            first.run(products, style, input, into_inner, room)?;
            let input = (&inner[..sequence.len()], &inner_statistics);
            let last = if index + 1 == self.steps.len() { output.take() } else { None };
            let target = match last {
                Some(output) => Output { residual: Some(&now[..sequence.len()]), ..output },
                None => Output {
                    residual: (index == 0).then_some(sequence),
                    accumulate: index > 0,
                    rows: &mut now[..sequence.len()],
                    statistics: &mut now_statistics,
                },
            };
            second.run(products, style, input, target, room)?;
        }
        *room = BlockRoom { now, inner, now_statistics, inner_statistics, ..std::mem::take(room) };
        Ok(())
    }
}

impl Step {
    fn run(
        &self,
        products: &Products,
        style: &[f32],
        (sequence, statistics): (&[f32], &Statistics),
        output: Output<'_>,
        room: &mut BlockRoom,
    ) -> Result<(), GeneratorError> {
        let channels = self.alpha.len();
        room.style.clear();
        room.style.extend_from_slice(&self.style_bias);
        for (value, weights) in style.iter().zip(self.style.chunks_exact(2 * channels)) {
            room.style.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        // Bytes would make something of what is no number, and nobody would notice.
        if !room.shape.set(statistics, &room.style, &self.alpha) {
            return Err(GeneratorError::NotNumbers);
        }
        let sequence = &sequence[..output.rows.len()];
        let layout =
            Layout { rows: sequence.len() / channels, taps: self.convolution.taps, dilation: self.dilation };
        let size = layout.total() * channels;
        let input = if self.convolution.takes_bytes() {
            let scale = room.shape.scale(products.top_byte());
            room.bytes.clear();
            room.bytes.resize(size, scale.zero);
            products.instructions().run(ShapeBytes {
                sequence,
                channels,
                shape: &room.shape,
                scale,
                layout,
                out: &mut room.bytes,
            });
            Input::Bytes(&room.bytes, scale)
        } else {
            room.floats.clear();
            room.floats.resize(size, 0.0);
            products.instructions().run(ShapeFloats {
                sequence,
                channels,
                shape: &room.shape,
                layout,
                out: &mut room.floats,
            });
            Input::Floats(&room.floats)
        };
        Ok(self.convolution.run(products, input, layout, output, &mut room.scratch)?)
    }
}
