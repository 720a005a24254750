//! Powers in `grundy nimber`: they group as in Python, with whole numbers above the line.

use crate::program::grundy;

#[test]
fn powers_group_to_the_right() {
    for (written, value) in [
        ("2**2**3", "3"),
        ("(2**2)**3", "1"),
        ("2**2**3**2", "3"),
        ("2**-2**2", "3"),
        ("2**-(1)", ""),
        ("2**--1", "2"),
        ("4**2**0 * 2", "8"),
        ("2**0**0", "2"),
        ("2**1**99999999999999999999", ""),
        ("2**1**-5", "2"),
        ("0**2**3", "0"),
        ("sqrt(2**2**3)", "2"),
        ("2**2**-1", ""),
        ("2**0**-1", ""),
        ("2**3**81", ""),
        ("2**2**126", "2"),
    ] {
        let output = grundy(&["nimber", written]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said.trim_end(), value, "{written}");
        let code = if value.is_empty() { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{written}");
    }
}
