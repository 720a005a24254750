//! Benchmarks of values: all games of day 3 with every output, sums of hot games, comparisons and
//! thermographs. Run them with `cargo bench -p grundy-forms`.

use divan::Bencher;
use grundy_base::Limits;
use grundy_forms::{Form, Forms};

fn main() {
    divan::main();
}

/// Returns the games born by day 3, in a new interner.
fn day_3() -> (Forms, Vec<Form>) {
    let mut forms = Forms::default();
    let born = forms.born_by(3, &Limits::default()).expect("no limit");
    (forms, born)
}

/// Computes every output of every game of a list. Returns the number of letters, so that the
/// optimizer cannot remove the work.
fn outputs(forms: &mut Forms, games: &[Form]) -> usize {
    let limits = Limits::default();
    let mut letters = 0;
    for &form in games {
        let thermograph = forms.thermograph(form, &limits).expect("no limit");
        let reduced = forms.reduced(form, &limits).expect("no limit");
        let weight = forms.atomic_weight(form, &limits).expect("no limit");
        let incentives = forms.incentives(form, &limits).expect("no limit");
        let signs = [
            forms.at_most(form, Form::ZERO, &limits),
            forms.at_most(Form::ZERO, form, &limits),
        ];
        let said = [form, reduced]
            .into_iter()
            .chain(weight)
            .chain(incentives.left)
            .chain(incentives.right);
        for form in said.collect::<Vec<_>>() {
            letters += forms.write(form).len();
        }
        letters += thermograph.walls().iter().map(Vec::len).sum::<usize>();
        letters += signs.iter().filter(|sign| **sign == Ok(true)).count();
        letters += forms.birthday(form).to_string().len();
    }
    letters
}

#[divan::bench(args = [2, 3])]
fn born_by(day: u32) -> usize {
    let mut forms = Forms::default();
    let born = forms.born_by(day, &Limits::default());
    born.expect("no limit").len()
}

/// Computes the games of day 3 with every output.
#[divan::bench]
fn day_3_with_every_output() -> usize {
    let (mut forms, born) = day_3();
    outputs(&mut forms, &born)
}

/// Computes the canonical form of the sum of `parts` random hot games of day 3.
#[divan::bench(args = [2, 4, 6], sample_count = 10)]
fn hot_sum(bencher: Bencher<'_, '_>, parts: usize) {
    bencher
        .with_inputs(|| {
            let (forms, born) = day_3();
            let hot = |form: &Form| forms.left_stop(*form) > forms.right_stop(*form);
            let hot: Vec<Form> = born.into_iter().filter(hot).collect();
            let mut random = fastrand::Rng::with_seed(1);
            let mut sum = || (0..parts).map(|_| hot[random.usize(..hot.len())]).collect();
            let sums: Vec<Vec<Form>> = (0..4).map(|_| sum()).collect();
            (forms, sums)
        })
        .bench_local_values(|(mut forms, sums)| {
            let limits = Limits::none();
            for sum in &sums {
                divan::black_box(forms.total(sum, &limits)).expect("no limit");
            }
            forms.count()
        });
}

/// Computes the canonical form of the sum of 12 random hot games of day 2.
#[divan::bench(sample_count = 10)]
fn sum_of_12_of_day_2(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(|| {
            let mut forms = Forms::default();
            let born = forms.born_by(2, &Limits::default()).expect("no limit");
            let hot = |form: &Form| forms.left_stop(*form) > forms.right_stop(*form);
            let hot: Vec<Form> = born.into_iter().filter(hot).collect();
            let mut random = fastrand::Rng::with_seed(1);
            let sum: Vec<Form> = (0..12).map(|_| hot[random.usize(..hot.len())]).collect();
            (forms, sum)
        })
        .bench_local_values(|(mut forms, sum)| forms.total(&sum, &Limits::none()));
}

/// Compares each game of day 3 with every eighth one.
#[divan::bench]
fn comparisons(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(day_3)
        .bench_local_values(|(mut forms, born)| {
            let limits = Limits::default();
            let mut pairs = 0u32;
            for &a in &born {
                for &b in born.iter().step_by(8) {
                    pairs += u32::from(forms.at_most(a, b, &limits) == Ok(true));
                }
            }
            pairs
        });
}

#[divan::bench]
fn thermographs(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(day_3)
        .bench_local_values(|(mut forms, born)| {
            let limits = Limits::default();
            for &form in &born {
                divan::black_box(forms.thermograph(form, &limits)).expect("no limit");
            }
            forms
        });
}
