//! Lists of heaps whose splits are looked at for many heaps together.

/// A heap, and its value packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed<V> {
    pub(super) heap: u32,
    pub(super) value: V,
}

/// Orders a list so that every value comes up once before one comes up twice: sets fill twice as fast.
pub(super) fn spread<V: Copy + Into<usize>>(list: &mut [Listed<V>]) {
    let mut times: Vec<u32> = Vec::new();
    let mut ranked: Vec<(u32, Listed<V>)> = list
        .iter()
        .map(|&listed| {
            let value = listed.value.into();
            if times.len() <= value {
                times.resize(value + 1, 0);
            }
            times[value] += 1;
            (times[value], listed)
        })
        .collect();
    ranked.sort_by_key(|(times, _)| *times);
    for (place, (_, listed)) in list.iter_mut().zip(ranked) {
        *place = listed;
    }
}
