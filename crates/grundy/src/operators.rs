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

pub(crate) use {negation, operator};
