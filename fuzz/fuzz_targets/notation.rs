//! Any text is read or refused; what is read prints back and reads again to the same text.
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
            let _ = render(&diagnostic, text, Audience::default());
        }
    }
});
