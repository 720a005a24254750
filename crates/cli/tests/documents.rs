//! Every console block of the README and of docs/ is run, and what it prints is compared.
//! `TRYCMD=overwrite cargo test -p grundy-cli --test documents` writes the present output into them: read the diff.

#[test]
fn what_the_documents_show_is_what_the_program_prints() {
    // A reader runs them at the top of the repository, where the files they name are.
    std::env::set_current_dir("../..").expect("the top of the repository");
    trycmd::TestCases::new()
        .env("LC_ALL", "C")
        .case("README.md")
        .case("docs/*.md");
}
