//! The README says what the program says.

use std::process::Command;

use countersign::cli::exit::Exit;

fn readme() -> String {
    std::fs::read_to_string("README.md").unwrap()
}

fn between<'a>(text: &'a str, name: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("<!-- {name} -->\n")).unwrap();
    rest.split_once(&format!("<!-- /{name} -->")).unwrap().0.trim()
}

fn help() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_countersign")).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_are_those_of_the_help() {
    let help = help();
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    let commands = rest.split_once("\n\n").unwrap().0;
    let wanted: Vec<(&str, &str)> = commands
        .lines()
        .map(|line| line.trim().split_once(char::is_whitespace).unwrap())
        .filter(|(name, _)| *name != "help")
        .map(|(name, about)| (name, about.trim()))
        .collect();
    let readme = readme();
    let listed: Vec<(&str, &str)> = between(&readme, "usage")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"))
        .filter_map(|line| line.split_once("` | "))
        .collect();
    let expected: String =
        wanted.iter().map(|(name, about)| format!("| `{name}` | {about} |\n")).collect();
    assert_eq!(
        listed, wanted,
        "the table should be\n| command | what it does |\n|---|---|\n{expected}"
    );
}

#[test]
fn the_exit_codes_are_those_of_the_program_and_of_the_help() {
    let (readme, help) = (readme(), help());
    let table = between(&readme, "exit codes");
    let expected: String = Exit::TABLE
        .iter()
        .map(|(exit, meaning)| format!("| {} | {meaning} |\n", exit.code()))
        .collect();
    for (exit, meaning) in Exit::TABLE {
        assert!(
            table.contains(&format!("| {} | {meaning} |", exit.code())),
            "the table should be\n| code | meaning |\n|---|---|\n{expected}"
        );
        assert!(help.contains(&format!("  {}  {meaning}", exit.code())), "{help}");
    }
    assert_eq!(table.lines().count(), Exit::TABLE.len() + 2);
}

#[test]
fn the_two_commands_and_every_file_it_names_are_there() {
    let readme = readme();
    for line in ["    cargo run --release -- demo", "    cargo test"] {
        assert!(readme.lines().any(|it| it == line), "{line}");
    }
    for file in ["docs/formats.md", "docs/findings.md", "docs/ARCHITECTURE.md", "docs/sheet.png"] {
        assert!(readme.contains(file) && std::path::Path::new(file).is_file(), "{file}");
    }
}
