//! How what is sent is written as bytes, and read again.
//!
//! Reading does not stop where something is wrong: it goes on with nothing, and says at the end that it was wrong. So reading a
//! value is a straight line of code. With a way out after each of its parts it would be several times as long, and there
//! are many parts.

use std::sync::Arc;

/// What can be written and read.
pub trait Wire: Sized {
    /// Writes it.
    fn put(&self, to: &mut Vec<u8>);
    /// Reads it.
    fn take(from: &mut Reader<'_>) -> Self;
}

/// Bytes that are being read.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    wrong: bool,
}

impl<'a> Reader<'a> {
    /// Begins to read.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, wrong: false }
    }

    /// Says whether everything was read and nothing was wrong.
    pub fn is_done(&self) -> bool {
        !self.wrong && self.rest.is_empty()
    }

    /// Takes note that something is wrong.
    pub fn fail(&mut self) {
        self.wrong = true;
        self.rest = &[];
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.rest.split_first() else {
            self.fail();
            return 0;
        };
        self.rest = rest;
        *byte
    }

    fn bytes(&mut self) -> &'a [u8] {
        let count = usize::try_from(self.number()).unwrap_or(usize::MAX);
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            self.fail();
            return &[];
        };
        self.rest = rest;
        bytes
    }

    /// Reads a number: seven bits a byte, the lowest first, as long as the highest bit of a byte is set.
    fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return number;
            }
        }
        self.fail();
        0
    }
}

fn put_number(mut number: u64, to: &mut Vec<u8>) {
    while number > 127 {
        to.push(number as u8 | 128);
        number >>= 7;
    }
    to.push(number as u8);
}

impl Wire for bool {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Self {
        from.byte() != 0
    }
}

impl Wire for u8 {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(*self);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        from.byte()
    }
}

impl Wire for u32 {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(u64::from(*self), to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        let number = Self::try_from(from.number());
        if number.is_err() {
            from.fail();
        }
        number.unwrap_or_default()
    }
}

impl Wire for u64 {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(*self, to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        from.number()
    }
}

impl Wire for i64 {
    fn put(&self, to: &mut Vec<u8>) {
        // The sign comes last, so that numbers near zero are short on both sides of it.
        put_number(((self << 1) ^ (self >> 63)) as u64, to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        let number = from.number();
        (number >> 1) as Self ^ -((number & 1) as Self)
    }
}

impl Wire for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(self.len() as u64, to);
        to.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Self {
        let text = std::str::from_utf8(from.bytes());
        if text.is_err() {
            from.fail();
        }
        text.unwrap_or_default().to_owned()
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        put_number(self.len() as u64, to);
        self.iter().for_each(|item| item.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Self {
        let mut items = Self::new();
        for _ in 0..from.number() {
            if from.wrong {
                break;
            }
            items.push(T::take(from));
        }
        items
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        self.iter().for_each(|it| it.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Self {
        bool::take(from).then(|| T::take(from))
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, to: &mut Vec<u8>) {
        (**self).put(to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        Self::new(T::take(from))
    }
}

impl<T: Wire> Wire for Arc<T> {
    fn put(&self, to: &mut Vec<u8>) {
        (**self).put(to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        Self::new(T::take(from))
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    fn put(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Self {
        [(); N].map(|()| T::take(from))
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        (A::take(from), B::take(from))
    }
}

impl<A: Wire, B: Wire, C: Wire> Wire for (A, B, C) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
        self.2.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        (A::take(from), B::take(from), C::take(from))
    }
}

/// Writes and reads structures: their fields, one after another.
macro_rules! wire_fields {
    ($($name:ident { $($field:ident),+ })+) => {$(
        impl $crate::protocol::wire::Wire for $name {
            fn put(&self, to: &mut Vec<u8>) {
                $($crate::protocol::wire::Wire::put(&self.$field, to);)+
            }

            fn take(from: &mut $crate::protocol::wire::Reader<'_>) -> Self {
                Self { $($field: $crate::protocol::wire::Wire::take(from)),+ }
            }
        }
    )+};
}
pub(super) use wire_fields;

/// Writes and reads one of several: its number, then what it has. The last is what is read for a number that none has.
macro_rules! wire_choice {
    ($name:ident {
        $($number:literal $variant:ident $(($($part:ident),+))? $({ $($field:ident),+ })?,)+
        _ $otherwise:expr
    }) => {
        impl $crate::protocol::wire::Wire for $name {
            fn put(&self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($($part),+))? $({ $($field),+ })? => {
                        to.push($number);
                        $($($crate::protocol::wire::Wire::put($part, to);)+)?
                        $($($crate::protocol::wire::Wire::put($field, to);)+)?
                    })+
                }
            }

            fn take(from: &mut $crate::protocol::wire::Reader<'_>) -> Self {
                match from.byte() {
                    $($number => {
                        $($(let $part = $crate::protocol::wire::Wire::take(from);)+)?
                        $($(let $field = $crate::protocol::wire::Wire::take(from);)+)?
                        Self::$variant $(($($part),+))? $({ $($field),+ })?
                    })+
                    _ => {
                        from.fail();
                        $otherwise
                    }
                }
            }
        }
    };
}
pub(super) use wire_choice;

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;

    fn check<T: Wire + PartialEq + Debug>(value: &T) {
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        let mut reader = Reader::new(&bytes);
        assert_eq!(&T::take(&mut reader), value);
        assert!(reader.is_done(), "{value:?}");
        for end in 0..bytes.len() {
            let mut reader = Reader::new(&bytes[..end]);
            T::take(&mut reader);
            assert!(!reader.is_done(), "{end} bytes of {value:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        [0, 1, 127, 128, u64::from(u32::MAX), u64::MAX].iter().for_each(check);
        [0, 127, 128, u32::MAX].iter().for_each(check);
        [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN].iter().for_each(check);
        check(&(String::new(), "aä😀".to_owned(), vec![Some(true), None]));
        check(&(vec![0_u8, 255], Box::new([1_u32, 2, 3])));
    }

    #[test]
    fn what_cannot_have_been_written_is_wrong() {
        let wrong = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes);
            let _ = Vec::<String>::take(&mut reader);
            !reader.is_done()
        };
        assert!(wrong(&[]) && wrong(&[1]) && wrong(&[1, 1, 255]) && wrong(&[0, 0]));
        assert!(wrong(&[255; 11]), "a number without an end");
        assert!(wrong(&[255, 255, 255, 255, 255, 255, 255, 255, 127]), "as many texts as there cannot be");
        assert!(!wrong(&[0]) && !wrong(&[1, 1, b'a']));
    }
}
