//! `grundy period`: searches that are stopped or killed and then resumed, rejected checkpoints, and
//! files of values.

use crate::program::{command, executable, folder, grundy};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

const FAMILY: &str = "take_and_break('0.16', n)";

// A certificate contains the whole proof, so equal bytes show that no state was lost.
/// Checks that no period is observed in fewer values than the largest number of the set.
#[test]
fn few_values_show_no_period() {
    for largest in [199_998, 999_999_999, u64::MAX] {
        let family = format!("subtraction([1, 2, {largest}], n)");
        let output = grundy(&["period", &family]);
        assert_eq!(output.status.code(), Some(3), "{family}");
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = format!(
            "100000 values are too few to observe a period, since a move takes up to {largest} chips"
        );
        assert!(text.contains(&expected), "{text}");
        let table = grundy(&["table", &family, "n=0..100", "--pattern"]);
        let text = String::from_utf8(table.stdout).unwrap();
        assert!(text.contains("no pattern found"), "{text}");
    }
    // The value of the heap 199998 is 3, and later values repeat those of a period of 199999.
    let output = grundy(&[
        "period",
        "subtraction([1, 2, 199998], n)",
        "--max",
        "1000000",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("g(n + 199999) = g(n) for n >= 0 (period"),
        "{text}"
    );
}

#[test]
fn a_killed_search_resumes_to_the_same_result() {
    let folder = folder("killed");
    let (checkpoint, certificate) = (folder.join("state"), folder.join("certificate.json"));
    let (checkpoint, certificate) = (checkpoint.to_str().unwrap(), certificate.to_str().unwrap());
    let whole = folder.join("whole.json");
    let whole = whole.to_str().unwrap();
    let done = grundy(&[
        "period",
        FAMILY,
        "--max",
        "1000000",
        "--json",
        "--certificate",
        whole,
    ]);
    assert!(done.status.success());
    // Delays from 1 ms to 30 ms kill the process before, during and after the first checkpoints,
    // which it writes every millisecond.
    for delay in [1, 3, 7, 15, 30] {
        let mut arguments = vec![
            "period",
            FAMILY,
            "--max",
            "1000000",
            "--checkpoint",
            checkpoint,
            "--every",
            "0.001",
        ];
        arguments.push("--resume");
        let mut child = command(&arguments)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut arguments = vec![
        "period",
        FAMILY,
        "--max",
        "1000000",
        "--json",
        "--checkpoint",
        checkpoint,
        "--certificate",
        certificate,
    ];
    arguments.push("--resume");
    let resumed = grundy(&arguments);
    assert_eq!(
        resumed.stdout,
        done.stdout,
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(
        std::fs::read(certificate).unwrap(),
        std::fs::read(whole).unwrap()
    );
    assert!(grundy(&["verify", certificate]).status.success());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = folder("damaged");
    let file = folder.join("state");
    let name = file.to_str().unwrap();
    let run = |family: &str, resume: bool| {
        let mut arguments = vec!["period", family, "--max", "20000", "--checkpoint", name];
        arguments.extend(resume.then_some("--resume"));
        let output = grundy(&arguments);
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run(FAMILY, false).0, Some(3), "not proved yet");
    let good = std::fs::read(&file).unwrap();
    let (code, error) = run("kayles(n)", true);
    assert!(
        code == Some(2) && error.contains("the checkpoint belongs to"),
        "{error}"
    );
    for length in [0, 3, 100, good.len() / 2, good.len() - 1] {
        std::fs::write(&file, &good[..length]).unwrap();
        let (code, error) = run(FAMILY, true);
        assert!(
            code == Some(2) && error.contains("cut off"),
            "{length}: {error}"
        );
    }
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    std::fs::write(&file, flipped).unwrap();
    assert_eq!(run(FAMILY, true).0, Some(2));
    std::fs::remove_file(&file).unwrap();
    // Without a checkpoint `--resume` starts from the beginning and reports it.
    let (code, error) = run(FAMILY, true);
    assert!(
        code == Some(3) && error.contains("no checkpoint yet"),
        "{error}"
    );
    std::fs::write(&file, good).unwrap();
    assert_eq!(run(FAMILY, true).0, Some(3));
}

#[test]
fn a_forged_certificate_of_the_sparse_window_is_refused() {
    let folder = folder("forged");
    let file = folder.join("certificate.json");
    let name = file.to_str().unwrap();
    assert!(
        grundy(&["period", FAMILY, "--max", "1000000", "--certificate", name])
            .status
            .success()
    );
    assert!(grundy(&["verify", name]).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    let claim: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (key, value, why) in [
        (
            "reach",
            serde_json::json!(1),
            "do not lead to the rare value",
        ),
        // A key that the verifier does not check is not part of the claim, so it is rejected.
        ("play", "misere".into(), "unknown key `play`"),
    ] {
        let mut forged = claim.clone();
        forged[key] = value;
        std::fs::write(&file, forged.to_string()).unwrap();
        let refused = grundy(&["verify", name]);
        assert_eq!(refused.status.code(), Some(2));
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn values_are_written_in_every_format() {
    let folder = folder("values");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in ["values.csv", "values.txt", "values.bin", "values.bin.gz"] {
        let output = grundy(&["period", "kayles(n)", "--values", &path(name)]);
        assert!(output.status.success());
    }
    let read = |name: &str| std::fs::read(path(name)).unwrap();
    // The first values of Kayles: 0, 1, 2, 3, 1, 4, 3, 2.
    assert!(read("values.csv").starts_with(b"n,grundy\n0,0\n1,1\n2,2\n3,3\n4,1\n"));
    assert!(read("values.txt").starts_with(b"0 0\n1 1\n2 2\n3 3\n4 1\n"));
    assert_eq!(read("values.bin")[..8], [0, 1, 2, 3, 1, 4, 3, 2]);
    assert!(read("values.bin.gz").starts_with(&[0x1f, 0x8b]));
    assert_eq!(
        grundy(&["period", "kayles(n)", "--values", &path("values.xls")])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn bad_codes_get_one_clear_error() {
    // The last code is well-formed, but its 100 000 digits are far beyond the limit.
    let digits = format!("0.{}", "7".repeat(100_000));
    for code in ["", ".", "0.?", "1.5", "2.7", "0. 7", "0.7 ", &digits] {
        let output = grundy(&["period", &format!("take_and_break('{code}', n)")]);
        assert_eq!(output.status.code(), Some(2), "{code:.20}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error.matches("error:").count(), 1, "{error:.200}");
    }
    assert!(
        grundy(&["period", "take_and_break('.8', n)", "--max", "300"])
            .status
            .code()
            .is_some_and(|code| code != 2)
    );
    let output = grundy(&[
        "period",
        "take_and_break('0.104', n)",
        "--max",
        "100000000000",
        "--max-memory",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_stream_stopped_and_resumed_proves_the_same_period() {
    let folder = folder("stream");
    let checkpoint = folder.join("state");
    let path = checkpoint.to_str().unwrap();
    let family = "take_and_break('0.56', n)";
    let whole = grundy(&["period", family, "--max", "2000000", "--json"]);
    let whole: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    let stream = |max: &str, resume: bool| {
        let mut arguments = vec!["period", family, "--json", "--stream", "--checkpoint", path];
        arguments.extend(["--max", max]);
        arguments.extend(resume.then_some("--resume"));
        grundy(&arguments)
    };
    // A proof needs 392 090 values, so these runs end without one and leave a checkpoint. Limits
    // close together test that a stream resumes inside a block.
    assert_eq!(stream("30000", false).status.code(), Some(3));
    for max in ["200000", "300000", "300001"] {
        assert_eq!(stream(max, true).status.code(), Some(3), "{max}");
    }
    let last = stream("2000000", true);
    assert!(last.status.success(), "{last:?}");
    let last: serde_json::Value = serde_json::from_slice(&last.stdout).unwrap();
    for key in [
        "preperiod",
        "period",
        "saltus",
        "status",
        "largest",
        "sparse_space",
    ] {
        assert_eq!(last[key], whole[key], "{key}");
    }
    // A stream does not keep its values, so options that need them are refused.
    for (option, reason) in [
        ("--frequencies", "written without --frequencies"),
        ("--values=values.csv", "written without --values"),
        ("--svg=plot.svg", "does not store the values"),
    ] {
        let resumed = grundy(&["period", family, "--checkpoint", path, "--resume", option]);
        assert_eq!(resumed.status.code(), Some(2), "{option}");
        assert!(String::from_utf8_lossy(&resumed.stderr).contains(reason));
    }
    let misere = grundy(&["period", family, "--stream", "--misere"]);
    assert_eq!(misere.status.code(), Some(2));
    // The parts of a checkpoint have checksums, so one flipped bit is detected.
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).unwrap();
    let refused = stream("2000000", true);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("checksum"));
}

/// A family whose last exception to the period is heap 326 639. Its rare heaps, which are the few
/// exceptions to a rule about the parity of values, are found long before.
const LATE: &str = "take_and_break('0.56', n)";

/// Returns the content of a file, decompressed if necessary.
fn contents(file: &Path) -> Vec<u8> {
    let bytes = std::fs::read(file).unwrap();
    if file.extension().is_some_and(|ending| ending == "gz") {
        let mut all = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&bytes[..]), &mut all)
            .unwrap();
        return all;
    }
    bytes
}

const ENDINGS: [&str; 6] = ["csv", "txt", "bin", "csv.gz", "txt.gz", "bin.gz"];

#[test]
fn a_stream_writes_the_values_that_it_drops() {
    let folder = folder("streamed-values");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for (max, ending) in ["1000", "200000", "310001"]
        .into_iter()
        .flat_map(|max| ENDINGS.map(|ending| (max, ending)))
    {
        let (whole, streamed) = (
            path(&format!("whole.{ending}")),
            path(&format!("streamed.{ending}")),
        );
        let all = ["period", LATE, "--max", max, "--json", "--frequencies"];
        let expected = grundy(&[&all[..], &["--values", &whole]].concat());
        let found = grundy(&[&all[..], &["--stream", "--values", &streamed]].concat());
        assert_eq!(found.status.code(), expected.status.code());
        assert!(
            contents(streamed.as_ref()) == contents(whole.as_ref()),
            "{max} {ending}"
        );
        let frequencies = |output: &Output| {
            let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            object["frequencies"].clone()
        };
        assert!(frequencies(&found).is_array());
        assert_eq!(
            frequencies(&found),
            frequencies(&expected),
            "{max} {ending}"
        );
    }
    // Until the proof: the search for the preperiod recomputes values but must not write them
    // again.
    let file = path("all.txt");
    let proved = grundy(&[
        "period", LATE, "--max", "2000000", "--stream", "--json", "--values", &file,
    ]);
    assert!(proved.status.success());
    let object: serde_json::Value = serde_json::from_slice(&proved.stdout).unwrap();
    let text = String::from_utf8(contents(file.as_ref())).unwrap();
    assert_eq!(
        text.lines().count() as u64,
        object["checked_to"].as_u64().unwrap()
    );
    // Heap 326 639 is the last exception: one period of 144 later the value differs.
    let value = |n: usize| text.lines().nth(n).unwrap().to_owned();
    assert_eq!([value(326_639), value(326_783)], ["326639 26", "326783 16"]);
}

#[test]
fn a_killed_stream_resumes_to_the_same_values() {
    let folder = folder("killed-values");
    let whole = folder.join("whole.csv");
    let options = ["period", LATE, "--max", "310001", "--json", "--frequencies"];
    let expected = grundy(&[&options[..], &["--values", whole.to_str().unwrap()]].concat());
    for ending in ["csv", "csv.gz"] {
        let checkpoint = folder.join(format!("state-{ending}"));
        let values = folder.join(format!("values.{ending}"));
        let run = |max: &str| {
            let mut arguments = vec![
                "period",
                LATE,
                "--json",
                "--frequencies",
                "--stream",
                "--every",
                "0",
            ];
            arguments.extend(["--max", max]);
            arguments.extend(["--checkpoint", checkpoint.to_str().unwrap()]);
            arguments.extend(["--values", values.to_str().unwrap()]);
            arguments.extend(checkpoint.exists().then_some("--resume"));
            let mut command = Command::new(executable());
            command.args(&arguments);
            command
        };
        for delay in [1, 5, 10, 20, 40, 80, 80, 80] {
            let mut child = run("310001")
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(delay));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // Stop at the ends of blocks as well. The bytes appended behind the checkpointed length
        // must be discarded on resume.
        for max in ["200000", "250001", "250003", "310001"] {
            if values.exists() {
                use std::io::Write as _;
                let mut file = std::fs::File::options().append(true).open(&values).unwrap();
                file.write_all(b"half a line").unwrap();
            }
            let output = run(max).output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(3),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            if max == "310001" {
                let counts = |output: &Output| {
                    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                    object["frequencies"].clone()
                };
                assert_eq!(counts(&output), counts(&expected));
            }
        }
        assert!(contents(&values) == contents(&whole), "{ending}");
    }
}

#[test]
fn a_damaged_file_of_values_is_refused() {
    let folder = folder("damaged-values");
    let (checkpoint, values) = (folder.join("state"), folder.join("values.csv"));
    let run = |values: &Path, resume: bool| {
        let mut arguments = vec!["period", LATE, "--stream", "--max", "250000"];
        arguments.extend(["--checkpoint", checkpoint.to_str().unwrap()]);
        arguments.extend(["--values", values.to_str().unwrap()]);
        arguments.extend(resume.then_some("--resume"));
        let output = grundy(&arguments);
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run(&values, false).0, Some(3), "not proved yet");
    let good = std::fs::read(&values).unwrap();
    let refused = |file: &Path, what: &str| {
        let (code, error) = run(file, true);
        assert!(code == Some(2) && error.contains(what), "{error}");
        assert_eq!(error.matches("error:").count(), 1, "{error}");
    };
    for length in [0, 1, good.len() / 2, good.len() - 1] {
        std::fs::write(&values, &good[..length]).unwrap();
        refused(&values, "cut off");
        assert_eq!(
            std::fs::read(&values).unwrap().len(),
            length,
            "must be unchanged"
        );
    }
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    std::fs::write(&values, flipped).unwrap();
    refused(&values, "checksum");
    std::fs::remove_file(&values).unwrap();
    refused(&values, "values.csv");
    refused(&folder.join("values.txt"), "are in a .csv file");
    refused(&folder.join("values.xls"), "unknown file extension");
    std::fs::write(&values, &good).unwrap();
    assert_eq!(run(&values, true).0, Some(3));
    assert_eq!(std::fs::read(&values).unwrap(), good);
}

// A family is the sequence of the heaps 0, 1, 2, ...; arithmetic on the variable would change it.
#[test]
fn a_family_allows_no_arithmetic_on_its_variable() {
    for family in [
        "kayles(2 * n)",
        "kayles(n + 1)",
        "kayles(n * n)",
        "kayles(10 - n)",
    ] {
        let done = grundy(&["period", family]);
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{family}");
        assert!(error.contains("not an expression such as n + 1"), "{error}");
    }
}

// Every certificate that is written verifies, also if the theorem proves less than a full period.
#[test]
fn certificates_are_accepted_by_the_verifier() {
    let folder = folder("accepted");
    let file = folder.join("certificate.json");
    let file = file.to_str().unwrap();
    for family in [
        "subtraction([2], n)",
        "subtraction([16, 8, 13], n)",
        "subtraction([17, 19], n)",
        "subtraction([1, 1000], n)",
        "take_and_break('0.22', n)",
        "take_and_break('0.123', n)",
        "take_and_break('0.0202', n)",
        "all_but([1, 4, 10], n)",
        "kayles(n)",
    ] {
        assert!(
            grundy(&["period", family, "--certificate", file])
                .status
                .success()
        );
        let verified = grundy(&["verify", file]);
        assert!(verified.status.success(), "{family}: {verified:?}");
    }
    let long = "take_and_break('0.16', n)";
    let written = grundy(&["period", long, "--max", "1000000", "--certificate", file]);
    assert!(written.status.success());
    let text = std::fs::read_to_string(file).unwrap();
    let forged = text.replacen("\"start\":", "\"start\":4294,\"was\":", 1);
    std::fs::write(file, forged).unwrap();
    assert_eq!(grundy(&["verify", file]).status.code(), Some(2));
    std::fs::write(file, text).unwrap();
    let stopped = grundy(&["verify", file, "--timeout", "0"]);
    assert_eq!(stopped.status.code(), Some(3), "{stopped:?}");
}

// The largest heap sizes, for which no schedule of checks may overflow.
#[test]
fn the_largest_heaps_have_values() {
    for (heap, value) in [
        ("kayles(18446744073709551615)", 8),
        ("subtraction([2, 7, 9], 18446744073709551615)", 0),
        ("all_but([18446744073709551615], 5)", 5),
    ] {
        let done = grundy(&["solve", "--json", heap]);
        let said: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(said["grundy"], value, "{said}");
    }
}
