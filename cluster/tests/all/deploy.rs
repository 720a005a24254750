//! Tests the files in `deploy/`: several processes label a graph with the commands from these
//! files. The paths in the commands are replaced by paths of this machine.
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::program::executable;

/// A temporary folder with a graph, a secret, and a link `bin/grundy` to the program.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("grundy-deploy-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("moves")).unwrap();
        fs::create_dir(path.join("bin")).unwrap();
        symlink(executable(), path.join("bin/grundy")).unwrap();
        let test_folder = Self(path);
        test_folder.put("moves/a.csv", "from,to\na,b\nb,c\n");
        test_folder.put("moves/b.csv", "from,to\nc,a\na,d\n");
        test_folder.put("secret", "0123456789abcdef\n");
        test_folder
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// Creates an executable in the subfolder `bin`, which comes first in `PATH`. It shadows the
    /// system program of the same name.
    fn program(&self, name: &str, text: &str) {
        let name = format!("bin/{name}");
        self.put(&name, text);
        let file = self.0.join(name);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Starts a shell command in this folder.
    fn run(&self, line: &str, variables: &[(&str, &str)]) -> Child {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("bash")
            .args(["-c", line])
            .current_dir(&self.0)
            .env("PATH", format!("{}:{path}", self.0.join("bin").display()))
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Checks that the table exists and that the checkpoint was removed.
    fn assert_labelled(&self) {
        assert!(self.0.join("table/manifest.json").exists());
        assert!(!self.0.join("state/manifest.json").exists());
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns loopback addresses that no other test uses. The Slurm script uses the same port on all
/// hosts, so each host needs its own address.
fn addresses(count: usize) -> Vec<String> {
    let own = std::process::id();
    let address = |index| {
        format!(
            "127.{}.{}.{}",
            1 + own / 250 % 250,
            1 + own % 250,
            1 + index
        )
    };
    (0..count).map(address).collect()
}

fn hosts(count: usize) -> String {
    let free: Vec<_> = (0..count)
        .map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let lines = free
        .iter()
        .map(|one| format!("{}\n", one.local_addr().unwrap()));
    lines.collect()
}

fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../deploy")
        .join(name);
    fs::read_to_string(file).unwrap()
}

fn assert_all_succeeded(outputs: impl IntoIterator<Item = Output>) {
    for output in outputs {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

fn wait(children: Vec<Child>) -> Vec<Output> {
    let outputs = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap());
    outputs.collect()
}

/// Returns the command in `text` that starts with `begin`, joined with the option lines that follow
/// it.
fn command(text: &str, begin: &str) -> String {
    let at = text.find(begin).expect("there is a command");
    let rest = &text[at..];
    // The command continues in lines that start with an option.
    let lines = rest.lines().enumerate();
    let lines = lines.take_while(|&(index, line)| index == 0 || line.trim().starts_with("--"));
    lines
        .map(|(_, line)| line.trim())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn systemd_unit_runs_label() {
    let test_folder = TestFolder::new("systemd");
    test_folder.put("hosts", &hosts(2));
    let unit = text("grundy@.service");
    let line = command(&unit, "ExecStart=/usr/local/bin/grundy label");
    let line = line.trim_start_matches("ExecStart=/usr/local/bin/");
    let both = ["0", "1"].map(|process| test_folder.run(&line.replace("%i", process), &[]));
    assert_all_succeeded(wait(both.into()));
    test_folder.assert_labelled();
    assert!(test_folder.0.join("grundy.prom").exists());
}

#[test]
fn kubernetes_job_runs_label() {
    let test_folder = TestFolder::new("kubernetes");
    let job = text("kubernetes.yaml");
    // The number of hosts must equal the number of completions.
    let count = job
        .lines()
        .filter(|line| line.trim().starts_with("grundy-"))
        .count();
    assert!(job.contains(&format!("completions: {count}\n  parallelism: {count}\n")));
    test_folder.put("hosts", &hosts(count));
    let here = test_folder.0.display().to_string();
    let line = command(&job, "exec grundy label")
        .replace("/etc/grundy/hosts", &format!("{here}/hosts"))
        .replace("/etc/secret/secret", &format!("{here}/secret"))
        .replace("/work/", &format!("{here}/"));
    let index = |process: usize| [("JOB_COMPLETION_INDEX", process.to_string())];
    let all = (0..count).map(|process| {
        let [(name, value)] = index(process);
        test_folder.run(&line, &[(name, &value)])
    });
    assert_all_succeeded(wait(all.collect()));
    test_folder.assert_labelled();
}

#[test]
fn slurm_script_runs_label() {
    let test_folder = TestFolder::new("slurm");
    let names = addresses(3);
    test_folder.program(
        "scontrol",
        &format!("#!/bin/sh\nprintf '%s\\n' {}\n", names.join(" ")),
    );
    // A substitute for `srun` that runs the command once for each node and waits for all.
    test_folder.program(
        "srun",
        "#!/usr/bin/env bash\nshift\nset -e\nfor i in 0 1 2; do SLURM_PROCID=$i \"$@\" & all+=($!); done\n\
         for one in \"${all[@]}\"; do wait \"$one\"; done\n",
    );
    test_folder.put("slurm.sh", &text("slurm.sh"));
    let variables = [("SLURM_JOB_NODELIST", "node[1-3]"), ("SLURM_JOB_ID", "7")];
    let line = "bash slurm.sh moves --tablebase table";
    assert_all_succeeded(wait(vec![test_folder.run(line, &variables)]));
    test_folder.assert_labelled();
}

/// Checks that the object-store features named in the `Dockerfile` exist in `Cargo.toml`, and that
/// the image is built with the minimum supported version of Rust.
#[test]
fn image_has_existing_features_and_the_minimum_compiler() {
    let (image, root) = (text("Dockerfile"), env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(Path::new(root).join(name)).unwrap();
    let program = read("Cargo.toml");
    for feature in ["s3", "gcs", "azure"] {
        assert!(image.contains(feature), "{feature}");
        assert!(program.contains(&format!("\n{feature} = [")), "{feature}");
    }
    let version = program
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "));
    let version = version.unwrap().trim_matches('"');
    assert!(
        image.contains(&format!("FROM rust:{version}-")),
        "{version}"
    );
}
