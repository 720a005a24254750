//! Powers in `grundy nimber`: they associate to the right, as in Python, and exponents are
//! integers.

use crate::program::grundy;

#[test]
fn powers_group_to_the_right() {
    // 2**(2**3) = 2**8: the exponents are ordinary integers, and the nimber 2 has order 3, so 2**8
    // = 2**2 = 3. An empty value marks an error, such as the exponent 2**-1, which is not an
    // integer.
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
