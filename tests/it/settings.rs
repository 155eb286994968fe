//! The project file: layers, mistakes, readers.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use countersign::model::config::ProjectConfig;
use countersign::sources::config_file::{ConfigError, Overrides, load_config, read_config};

#[test]
pub fn flag_wins_over_environment_over_file_over_default() {
    let file = "[extractor]\nmodel = \"of-the-file\"\nmax_tokens = 4_000\n\
                [reviewer]\nmodel = \"other\"\n[budget]\nmax_cost = 12.10\n";
    let pairs = |all: &[(&str, &str)]| {
        all.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    };
    let overrides = Overrides {
        environment: pairs(&[
            ("COUNTERSIGN_EXTRACTOR_MODEL", "of-the-environment"),
            ("COUNTERSIGN_EXTRACTOR_MAX_TOKENS", "5000"),
            ("COUNTERSIGN_EXTRACTOR_REASONING", ""),
            ("COUNTERSIGN_PROJECT", "elsewhere"),
            ("EXTRACTOR_MODEL", "not ours"),
        ]),
        flags: pairs(&[("extractor.model", "of-the-flag")]),
    };
    let reading = read_config("countersign.toml", file.as_bytes(), &overrides).unwrap();
    assert_eq!(reading.config.extractor.model, "of-the-flag");
    assert_eq!(reading.config.extractor.max_tokens, 5000);
    assert_eq!(reading.config.reviewer.model, "other");
    assert_eq!(reading.config.budget.max_cost.unwrap().to_string(), "12.10");
    let origin = |key: &str| reading.origins[key].to_string();
    assert_eq!(origin("extractor.model"), "flag");
    assert_eq!(origin("extractor.max_tokens"), "environment, COUNTERSIGN_EXTRACTOR_MAX_TOKENS");
    assert_eq!(origin("reviewer.model"), "countersign.toml, line 5");
    assert_eq!(origin("extractor.reasoning"), "default");
}

#[test]
pub fn mistakes_of_all_layers_are_reported_together() {
    let file = "nmae = \"x\"\nmodel = \"m\"\n[extractor]\nanswerer = \"openai\"\n\
                api_key = \"sk-never-shown-0123\"\ntemperature = \"hot\"\n\
                [reviewer]\nkey_env = \"sk-never-shown-4567\"\n[crawl]\n\
                connect_to = [\"a\"]\n[bugdet]\nmax_cost = 1\n";
    let mut overrides = Overrides::default();
    overrides.environment.insert("COUNTERSIGN_REVIEWER_MODLE".to_owned(), "x".to_owned());
    overrides.environment.insert("COUNTERSIGN_BUDGET_MAX_COST".to_owned(), "cheap".to_owned());
    overrides.flags.insert("extractor.timeout_s".to_owned(), "soon".to_owned());
    let problems = read_config("countersign.toml", file.as_bytes(), &overrides).unwrap_err();
    let text = problems.to_string();
    for words in [
        "did you mean `name`?",
        "`model` belongs under [extractor] or [reviewer]",
        "write http, and the provider as dialect",
        "in `key_env`",
        "a number without quotes",
        "environment variable",
        "a table of hosts and addresses",
        "did you mean `budget`?",
        "did you mean `COUNTERSIGN_REVIEWER_MODEL`?",
        "`cheap`",
        "`soon`",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert_eq!(problems.0.len(), 11, "{text}");
    assert!(!text.contains("never-shown"), "{text}");
}

#[test]
pub fn a_named_project_file_that_is_missing_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let none = Overrides::default();
    assert_eq!(load_config(dir.path(), None, &none).unwrap().config, ProjectConfig::default());
    let named = dir.path().join("other.toml");
    assert!(matches!(
        load_config(dir.path(), Some(&named), &none),
        Err(ConfigError::Missing { .. })
    ));
}

#[test]
pub fn a_reader_over_http_needs_model_and_address() {
    let file = b"[reviewer]\nanswerer = \"http\"\n";
    let problems = read_config("countersign.toml", file, &Overrides::default()).unwrap_err();
    let keys: Vec<&str> = problems.0.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys, ["reviewer.model", "reviewer.base_url"]);
}

#[test]
pub fn the_project_file_of_this_repository_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let reading = load_config(root, None, &Overrides::default()).unwrap();
    assert_eq!(reading.config.name, "Harbour District sample");
}

#[test]
fn quotes_in_pieces_are_refused_where_the_provider_takes_no_list_of_sentences() {
    for (dialect, is_taken) in [
        ("compatible", true),
        ("openai", false),
        ("azure", false),
        ("anthropic", false),
        ("gemini", false),
    ] {
        let reader = format!(
            "answerer = \"http\"\ndialect = \"{dialect}\"\nmodel = \"m\"\n\
             base_url = \"http://127.0.0.1:1/v1\"\nquotes = \"pieces\"\n"
        );
        let file = format!("[extractor]\n{reader}[reviewer]\nanswerer = \"rules\"\n");
        match read_config("countersign.toml", file.as_bytes(), &Overrides::default()) {
            Ok(_) => assert!(is_taken, "{dialect}"),
            Err(problems) => {
                let text = problems.to_string();
                assert!(!is_taken, "{text}");
                assert!(text.contains("extractor.quotes") && text.contains(dialect), "{text}");
            }
        }
    }
}
