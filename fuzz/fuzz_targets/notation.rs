//! Checks that every text is parsed or rejected. The printed form of a parsed position must be
//! valid notation. If it is parsed and printed again, it must not change.
#![no_main]

use grundy_notation::read_position;
use grundy_wording::Audience;
use grundy_wording::diagnostic::render;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read_position(text) {
        Ok(position) => {
            let printed = position.to_string();
            let again = read_position(&printed).expect("what is printed can be read");
            assert_eq!(again.to_string(), printed);
        }
        Err(diagnostic) => {
            // Rendering the diagnostic must not panic either.
            let _ = render(&diagnostic, text, Audience::default());
        }
    }
});
