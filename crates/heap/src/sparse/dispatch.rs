//! Selection of the vector instructions of the machine.

/// Evaluates `$call` with the vector instructions of the machine. Evaluates `$otherwise` on a
/// machine without such instructions.
macro_rules! dispatch {
    ($arch:expr, $lanes:ident => $call:expr, $otherwise:expr) => {
        match $arch {
            #[cfg(target_arch = "x86_64")]
            pulp::Arch::V4($lanes) => $lanes.vectorize($call),
            #[cfg(target_arch = "x86_64")]
            pulp::Arch::V3($lanes) => $lanes.vectorize($call),
            _ => $otherwise,
        }
    };
}

pub(super) use dispatch;
