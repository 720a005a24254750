//! From the instructions of the machine to the inner loops compiled for them.

/// Does `$call` with vectors, or says `$otherwise` where the machine has none.
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
