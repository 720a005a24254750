//! Operators on values and references of a type.

/// Implements a binary operator for all combinations of values and references.
macro_rules! operator {
    ($operator:ident, $method:ident, $left:ty, $right:ty, $output:ty, $compute:expr) => {
        impl std::ops::$operator<$right> for $left {
            type Output = $output;

            fn $method(self, other: $right) -> $output {
                $compute(&self, &other)
            }
        }

        impl std::ops::$operator<&$right> for $left {
            type Output = $output;

            fn $method(self, other: &$right) -> $output {
                $compute(&self, other)
            }
        }

        impl std::ops::$operator<$right> for &$left {
            type Output = $output;

            fn $method(self, other: $right) -> $output {
                $compute(self, &other)
            }
        }

        impl std::ops::$operator<&$right> for &$left {
            type Output = $output;

            fn $method(self, other: &$right) -> $output {
                $compute(self, other)
            }
        }
    };
}

/// Implements an assignment operator such as `+=` by the binary operator `$binary`, for values and
/// references on the right.
macro_rules! assignment {
    ($operator:ident, $method:ident, $type:ty, $binary:tt) => {
        impl std::ops::$operator<$type> for $type {
            fn $method(&mut self, other: $type) {
                *self = &*self $binary &other;
            }
        }

        impl std::ops::$operator<&$type> for $type {
            fn $method(&mut self, other: &$type) {
                *self = &*self $binary other;
            }
        }
    };
}

/// Implements the negation of values and references.
macro_rules! negation {
    ($type:ty, $compute:expr) => {
        impl std::ops::Neg for $type {
            type Output = $type;

            fn neg(self) -> $type {
                $compute(&self)
            }
        }

        impl std::ops::Neg for &$type {
            type Output = $type;

            fn neg(self) -> $type {
                $compute(self)
            }
        }
    };
}

pub(crate) use {assignment, negation, operator};
