//! Every console block of the README and of docs/ is run, and what it prints is compared.
//! `TRYCMD=overwrite cargo test -p grundy-cli --test documents` writes the present output into them: read the diff.

#[test]
fn what_the_documents_show_is_what_the_program_prints() {
    trycmd::TestCases::new()
        .env("LC_ALL", "C")
        .case("../../README.md")
        .case("../../docs/*.md");
}
