//! Published genera of well-known games, and the published numbers of games born by each day.

use grundy_base::Limits;
use grundy_misere::{Class, Form, Forms, heap_genera};

/// Returns the options of heaps 0 to `most` of the octal game 0.d1d2d3...
fn octal(digits: &[u8], most: usize) -> Vec<Vec<Vec<usize>>> {
    let options = |heap: usize| {
        let mut options = Vec::new();
        for (taken, &digit) in (1..).zip(digits).filter(|&(taken, _)| taken <= heap) {
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                options.push(vec![]);
            }
            if digit & 2 != 0 && left > 0 {
                options.push(vec![left]);
            }
            if digit & 4 != 0 {
                options.extend((1..=left / 2).map(|part| vec![part, left - part]));
            }
        }
        options
    };
    (0..=most).map(options).collect()
}

/// Returns the options of the heaps of Grundy's game: a heap is split into two unequal heaps.
fn grundys_game(most: usize) -> Vec<Vec<Vec<usize>>> {
    let options = |heap: usize| {
        (1..heap.div_ceil(2))
            .map(|part| vec![part, heap - part])
            .collect()
    };
    (0..=most).map(options).collect()
}

/// Computes the genera in both ways, from the forms and from the positions, and compares them.
fn genera(heaps: &[Vec<Vec<usize>>], full: bool) -> Vec<String> {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let by_sums = heap_genera(heaps, &limits).unwrap();
    let heaps = forms.heaps(heaps, &limits).unwrap();
    let written = heaps.iter().zip(by_sums).map(|(&heap, by_sums)| {
        let genus = forms.genus(heap, &limits).unwrap();
        assert_eq!(genus, by_sums);
        let class = forms.class(heap, &limits).unwrap();
        if full {
            genus.to_string()
        } else {
            genus.abbreviated(class)
        }
    });
    written.collect()
}

#[test]
fn dawsons_kayles_prints_as_in_cgsuite() {
    let printed = "0,0,1,1,2,0,3,1,1,0,3^1431,3,2^0520,2,4^146,0,5^057,2^0520,2,3^1431,3";
    let printed: Vec<&str> = printed.split(',').collect();
    assert_eq!(genera(&octal(&[0, 7], 20), false), printed);
    let misere = [
        1, 1, 0, 0, 2, 1, 3, 0, 0, 1, 1, 3, 0, 2, 1, 1, 0, 0, 2, 1, 3,
    ];
    let computed = heap_genera(&octal(&[0, 7], 20), &Limits::default()).unwrap();
    let computed: Vec<u32> = computed.iter().map(|genus| genus.digit(0)).collect();
    assert_eq!(computed, misere);
}

#[test]
fn full_genus_digits_agree_with_another_program() {
    for (digits, row) in [
        (
            [7, 5],
            "1^031 2^20 1^031 2^20 1^431 2^20 1^431 2^20 1^13 2^20 1^13 2^20 1^13 2^20",
        ),
        (
            [3, 4],
            "1^031 0^120 1^031 2^20 0^120 1^031 0^120 3^31 1^031 2^1420 1^031 2^20 0^120 3^0531",
        ),
        (
            [5, 4],
            "1^031 0^120 1^031 2^20 2^20 2^20 4^46 1^031 1^13 1^631 2^20 2^20 2^20 4^157",
        ),
    ] {
        let row: Vec<&str> = row.split(' ').collect();
        assert_eq!(genera(&octal(&digits, 14), true)[1..], row, "{digits:?}");
    }
}

#[test]
fn guiles_0_177_matches_winning_ways() {
    let computed = heap_genera(&octal(&[1, 7, 7], 16), &Limits::default()).unwrap();
    let grundy: Vec<u32> = computed.iter().map(grundy_misere::Genus::grundy).collect();
    assert_eq!(
        grundy[1..],
        [1, 1, 2, 2, 3, 1, 1, 4, 4, 3, 2, 2, 1, 1, 4, 2]
    );
    let starts = |heap: usize, text: &str| {
        let full = computed[heap].to_string();
        assert!(full.starts_with(text), "{heap}: {full}");
    };
    starts(8, "4^146");
    starts(9, "4^46");
    starts(13, "1^13");
    starts(15, "4^057");
}

/// Compares with the forms that On Numbers and Games, chapter 12, gives for Grundy's game. They are
/// a = {2 + 2, 2, 1}, b = {a + 2, a, 2, 0} and c = {b, a, 3}. Heap 22 has the genus of a but is a
/// different game.
#[test]
fn forms_of_grundys_game_match_on_numbers_and_games() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let heaps = forms.heaps(&grundys_game(22), &limits).unwrap();
    let [zero, one, two, three] = [0, 1, 2, 3].map(|n| forms.nimber(n, &limits).unwrap());
    let twos = forms.plus(two, two, &limits).unwrap();
    let a = forms.of_options(&[twos, two, one], &limits).unwrap();
    let beside = forms.plus(a, two, &limits).unwrap();
    let b = forms.of_options(&[beside, a, two, zero], &limits).unwrap();
    let c = forms.of_options(&[b, a, three], &limits).unwrap();
    let named = [
        zero, zero, zero, one, zero, two, one, zero, two, one, zero, two, one, a, two, one, a, two,
        b, a, c, b,
    ];
    assert_eq!(heaps[..22], named);
    let mut genus = |form| forms.genus(form, &limits).unwrap().to_string();
    assert_eq!([a, b, c].map(&mut genus), ["3^1431", "4^0564", "0^20"]);
    let printed = "0,0,0,1,0,2,1,0,2,1,0,2,1,3^1431,2,1,3^1431,2,4^0564,3^1431,0^20,4^0564,3^1431";
    let printed: Vec<&str> = printed.split(',').collect();
    assert_eq!(genera(&grundys_game(22), false), printed);
}

#[test]
fn a_restive_game_and_a_game_that_only_looks_tame() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let kayles = forms.heaps(&octal(&[7, 7], 20), &limits).unwrap();
    // The digits are those of *2, but the game is not tame.
    let genus = forms.genus(kayles[19], &limits).unwrap();
    let class = forms.class(kayles[19], &limits).unwrap();
    assert_eq!(
        (genus.abbreviated(class).as_str(), class),
        ("2^20", Class::Wild)
    );
    let two = forms.nimber(2, &limits).unwrap();
    let only_two = forms.of_options(&[two], &limits).unwrap();
    assert_eq!(forms.class(only_two, &limits).unwrap(), Class::Tame);
    let restive = forms.of_options(&[only_two, Form::ZERO], &limits).unwrap();
    let class = forms.class(restive, &limits).unwrap();
    assert_eq!(
        forms.genus(restive, &limits).unwrap().abbreviated(class),
        "1^2"
    );
    assert_eq!(class.name(), "restive");
    assert_eq!(forms.class(restive.plus_star(), &limits).unwrap(), class);
}

#[test]
fn counts_by_birthday_match_grundy_smith_and_conway() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for (day, count) in [1, 2, 3, 5, 22, 4_171_780].into_iter().enumerate() {
        assert_eq!(forms.count_born_by(day as u32, &limits).unwrap(), count);
    }
    // Beyond day 5 there are too many sets of options.
    assert!(forms.count_born_by(6, &limits).is_err());
    assert!(forms.count() < 100);
}

/// Compares the games born by day 4 with the list in On Numbers and Games. In that list, each game
/// has the option 2_ = {2}. The eight games without this option are added to the list.
#[test]
fn games_of_day_4_match_the_published_list() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    let games = forms.born_by(4, &limits).unwrap();
    let mut written: Vec<String> = (games.iter())
        .map(|&game| forms.write(game, 100, &limits).unwrap().unwrap())
        .collect();
    written.sort_unstable();
    let mut listed: Vec<String> = ["0", "*", "*2", "*3", "*4", "*[*2]", "*[*3]", "*[*3,*2]"]
        .map(str::to_owned)
        .to_vec();
    for rest in [
        "", "0", "1", "2", "20", "21", "210", "3", "30", "31", "32", "320", "321", "3210",
    ] {
        let names = rest.chars().map(|digit| match digit {
            '0' => "0".to_owned(),
            '1' => "*".to_owned(),
            digit => format!("*{digit}"),
        });
        let options: Vec<String> = ["*[*2]".to_owned()].into_iter().chain(names).collect();
        listed.push(format!("*[{}]", options.join(",")));
    }
    listed.sort_unstable();
    assert_eq!(written, listed);
}

/// Measures the cost of Kayles:
/// `cargo test -p grundy-misere --release --test all -- published:: --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn cost_of_kayles_with_and_without_forms() {
    let limits = Limits::default();
    for most in [20, 30, 40, 50, 60, 70] {
        let kayles = octal(&[7, 7], most);
        let mut forms = Forms::default();
        let begin = std::time::Instant::now();
        let heaps = forms.heaps(&kayles, &limits).unwrap();
        let (count, bytes) = (forms.count(), forms.bytes() >> 10);
        println!(
            "heap {most}: {count} forms, {bytes} KiB, {:?}",
            begin.elapsed()
        );
        for heap in heaps {
            forms.genus(heap, &limits).unwrap();
            forms.class(heap, &limits).unwrap();
        }
        println!("  with genera and classes {:?}", begin.elapsed());
        if most <= 50 {
            let begin = std::time::Instant::now();
            heap_genera(&kayles, &limits).unwrap();
            println!("  genera without forms {:?}", begin.elapsed());
        }
    }
    let begin = std::time::Instant::now();
    Forms::default().count_born_by(5, &limits).unwrap();
    println!("games born by day 5: {:?}", begin.elapsed());
}
