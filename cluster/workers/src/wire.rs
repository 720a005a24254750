//! Encoding of numbers and texts in messages between workers. Numbers are in LEB128: seven bits in
//! each byte, the lowest bits first.

use grundy_base::{Diagnostic, Kind, message};

/// Appends a number in LEB128.
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends the length of a text and then its bytes.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A cursor over bytes received from a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn number(&mut self) -> Result<u64, Diagnostic> {
        let (mut number, mut shift) = (0, 0);
        for (at, &byte) in self.0.iter().enumerate() {
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                self.0 = &self.0[at + 1..];
                return Ok(number);
            }
            shift += 7;
            // Ten bytes are allowed, the last of which is shifted by 63. An eleventh byte is an
            // error, because the shift would overflow.
            if shift > 63 {
                break;
            }
        }
        Err(damaged())
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8], Diagnostic> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Diagnostic> {
        let length = self.number()? as usize;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| damaged())
    }

    /// Reads a number of four bytes, little-endian.
    pub(crate) fn short(&mut self) -> Result<u32, Diagnostic> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}

pub(crate) fn damaged() -> Diagnostic {
    Diagnostic::new(
        Kind::Internal,
        message!("received malformed data from another worker"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_round_trip() {
        let mut out = Vec::new();
        // The largest number of one byte and of two bytes, their successors, and the number with
        // the longest encoding.
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        for number in numbers {
            put(&mut out, number);
        }
        put_text(&mut out, "chomp(2, 1)");
        let mut reader = Reader(&out);
        for number in numbers {
            assert_eq!(reader.number().ok(), Some(number));
        }
        assert_eq!(reader.text().ok(), Some("chomp(2, 1)"));
        assert!(reader.is_empty() && reader.number().is_err());
        // Eleven continuation bytes: the reader must return an error before it shifts by 70.
        assert!(Reader(&[0xff; 11]).number().is_err());
    }
}
