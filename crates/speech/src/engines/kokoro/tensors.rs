//! Named arrays in one file, in the layout of `safetensors`: the length of a JSON header, the
//! header, and the arrays one after the other.
//!
//! What is written here is read here; other files of that layout may have types that this does not
//! know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Arrays begin at multiples of this.
const ALIGNMENT: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    F32,
    I8,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    dtype: Kind,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// The arrays of a file.
pub(super) struct Tensors {
    entries: BTreeMap<String, Entry>,
    data: Vec<u8>,
}

impl Tensors {
    /// Reads a file.
    ///
    /// # Errors
    /// What is not as it should be.
    pub(super) fn read(mut file: Vec<u8>) -> Result<Self, String> {
        let cut_off = || "it is cut off".to_owned();
        let length = file.first_chunk::<8>().ok_or_else(cut_off)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|error| error.to_string())?;
        let header = file.get(8..).and_then(|rest| rest.get(..length)).ok_or_else(cut_off)?;
        let entries: BTreeMap<String, Entry> =
            serde_json::from_slice(header).map_err(|error| error.to_string())?;
        file.drain(..8 + length);
        let fits = |entry: &Entry| {
            let size = if entry.dtype == Kind::F32 { 4 } else { 1 };
            let [start, end] = entry.data_offsets;
            end <= file.len() && start.checked_add(entry.shape.iter().product::<usize>() * size) == Some(end)
        };
        match entries.iter().find(|(_, entry)| !fits(entry)) {
            Some((name, _)) => Err(format!("{name} does not fit")),
            None => Ok(Self { entries, data: file }),
        }
    }

    /// Floats, and their shape.
    ///
    /// # Errors
    /// The name, when nothing of it has this type and this many dimensions.
    pub(super) fn floats<const N: usize>(&self, name: &str) -> Result<(Vec<f32>, [usize; N]), String> {
        let (data, shape) = self.find(name, Kind::F32)?;
        Ok((data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(), shape))
    }

    /// A vector of `length` floats.
    ///
    /// # Errors
    /// As [`Tensors::floats`].
    pub(super) fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, String> {
        let (values, [found]) = self.floats(name)?;
        if found == length { Ok(values) } else { Err(format!("{name} has another size")) }
    }

    /// Signed bytes, and their shape.
    ///
    /// # Errors
    /// As [`Tensors::floats`].
    pub(super) fn bytes<const N: usize>(&self, name: &str) -> Result<(Vec<i8>, [usize; N]), String> {
        let (data, shape) = self.find(name, Kind::I8)?;
        Ok((data.iter().map(|byte| byte.cast_signed()).collect(), shape))
    }

    /// Whether an array of this name holds bytes.
    pub(super) fn holds_bytes(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|entry| entry.dtype == Kind::I8)
    }

    fn find<const N: usize>(&self, name: &str, kind: Kind) -> Result<(&[u8], [usize; N]), String> {
        let entry = self.entries.get(name).ok_or_else(|| format!("it has no {name}"))?;
        let shape = entry.shape.as_slice().try_into().ok().filter(|_| entry.dtype == kind);
        let shape = shape.ok_or_else(|| format!("{name} is of another type"))?;
        Ok((&self.data[entry.data_offsets[0]..entry.data_offsets[1]], shape))
    }
}

/// Puts arrays into a file.
#[derive(Default)]
pub(super) struct TensorsBuilder {
    entries: BTreeMap<String, Entry>,
    data: Vec<u8>,
}

impl TensorsBuilder {
    /// Adds floats.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        self.add(name, Kind::F32, shape, values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Adds signed bytes.
    pub(super) fn bytes(&mut self, name: &str, shape: &[usize], values: &[i8]) {
        self.add(name, Kind::I8, shape, values.iter().map(|value| value.cast_unsigned()));
    }

    fn add(&mut self, name: &str, dtype: Kind, shape: &[usize], bytes: impl Iterator<Item = u8>) {
        let start = self.data.len().next_multiple_of(ALIGNMENT);
        self.data.resize(start, 0);
        self.data.extend(bytes);
        let entry = Entry { dtype, shape: shape.to_vec(), data_offsets: [start, self.data.len()] };
        self.entries.insert(name.to_owned(), entry);
    }

    /// The file.
    ///
    /// # Errors
    /// None that a header of names and numbers can cause.
    pub(super) fn finish(self) -> Result<Vec<u8>, String> {
        let mut header = serde_json::to_vec(&self.entries).map_err(|error| error.to_string())?;
        header.resize((header.len() + 8).next_multiple_of(ALIGNMENT) - 8, b' ');
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header);
        file.extend(self.data);
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        let mut builder = TensorsBuilder::default();
        builder.floats("a", &[2, 2], &[1.0, -2.0, 0.5, 1e9]);
        builder.bytes("b", &[3], &[-128, 0, 127]);
        builder.finish().unwrap()
    }

    #[test]
    fn arrays_come_back_with_their_shapes() {
        let read = Tensors::read(file()).unwrap();
        assert_eq!(read.floats("a").unwrap(), (vec![1.0, -2.0, 0.5, 1e9], [2, 2]));
        assert_eq!(read.bytes("b").unwrap(), (vec![-128, 0, 127], [3]));
        assert!(read.holds_bytes("b") && !read.holds_bytes("a"));
    }

    #[test]
    fn what_is_not_there_or_is_something_else_is_named() {
        let read = Tensors::read(file()).unwrap();
        assert_eq!(read.floats::<1>("c").unwrap_err(), "it has no c");
        assert_eq!(read.floats::<1>("b").unwrap_err(), "b is of another type");
        assert_eq!(read.floats::<1>("a").unwrap_err(), "a is of another type");
        assert_eq!(read.vector("b", 3).unwrap_err(), "b is of another type");
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused() {
        let whole = file();
        for length in [0, 7, 8, 60, whole.len() - 1] {
            assert!(Tensors::read(whole[..length].to_vec()).is_err(), "{length}");
        }
    }
}
