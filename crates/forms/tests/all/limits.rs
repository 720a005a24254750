//! Tests that computations whose cost grows faster than their input stop in the middle when a limit
//! is reached.

use std::sync::atomic::{AtomicU32, Ordering};

use grundy_base::Dyadic;
use grundy_base::limits::{Limits, Stop};
use grundy_forms::{Form, Forms, Packed};

/// Returns the nimbers *0, *1, and so on.
fn nimbers(forms: &mut Forms, count: u64) -> Vec<Form> {
    let nimber = |star| Packed {
        number: Dyadic::ZERO,
        ups: 0,
        star,
    };
    (0..count)
        .map(|star| forms.of_packed(&nimber(star)))
        .collect()
}

#[test]
fn many_options_are_compared_under_limits() {
    let mut forms = Forms::default();
    let options = nimbers(&mut forms, 3_000);
    let top = forms.of_integer(2);
    let polls = AtomicU32::new(0);
    let interrupted = || {
        let count = polls.fetch_add(1, Ordering::Relaxed);
        (count >= 20).then_some(Stop::Interrupted)
    };
    let limits = Limits {
        interrupted: &interrupted,
        ..Limits::none()
    };
    // The comparisons would be four and a half million pairs.
    let stopped = forms.ordinal(&options, &options, top, &limits);
    assert_eq!(stopped, Err(Stop::Interrupted));
    // The interrupted work leaves the interner valid: the result equals that of a new one.
    let few = &options[..4];
    let sum = forms.ordinal(few, few, top, &Limits::none()).unwrap();
    let mut anew = Forms::default();
    let few = nimbers(&mut anew, 4);
    let top = anew.of_integer(2);
    let same = anew.ordinal(&few, &few, top, &Limits::none()).unwrap();
    assert_eq!(forms.write(sum), anew.write(same));
}

#[test]
fn memory_of_long_lists_of_options_is_counted() {
    let mut forms = Forms::default();
    let options = nimbers(&mut forms, 60_000);
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::none()
    };
    let mut stopped = None;
    for option in options {
        match forms.options_of(option, grundy_base::Player::Left, &limits) {
            Ok(_) => {}
            Err(stop) => {
                stopped = Some(stop);
                break;
            }
        }
    }
    // The options of 60,000 nimbers would be 1.8 billion entries of 4 bytes.
    assert!(matches!(stopped, Some(Stop::Memory(_))), "{stopped:?}");
    assert!(forms.bytes() < 200 << 20);
}

/// Tests that the walls of a number are counted against the memory limit before they are created.
/// The size of the walls is quadratic in the length of the denominator. The mean is computed
/// without the walls, so it needs little memory.
#[test]
fn walls_of_long_numbers_count_as_memory() {
    let mut forms = Forms::default();
    // The walls of an alternating stalk bend at every second bit.
    let stalk = (0..20_000).fold(Dyadic::ZERO, |number, edge| {
        let next = if edge % 2 == 0 {
            number.on_blue()
        } else {
            number.on_red()
        };
        next.expect("20,000 bits fit")
    });
    let form = forms.of_number(stalk.clone());
    let limits = Limits {
        memory: 16 << 20,
        ..Limits::none()
    };
    assert_eq!(forms.mean(form, &limits), Ok(stalk.clone()));
    assert!(forms.bytes() < 1 << 20);
    let walls = forms.thermograph(form, &limits);
    assert_eq!(walls.err(), Some(Stop::Memory(16 << 20)));
    let walls = forms.thermograph(form, &Limits::none()).expect("no limit");
    assert_eq!(*walls.mean(), stalk);
    assert!(forms.bytes() > 16 << 20, "{}", forms.bytes());
}
