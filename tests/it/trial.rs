//! The mutation score of rows and a text from files, through the command line.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value as Json, json};

const ENGLISH: &str = "# Boat permit\n\nThe permit costs $1,250 a year. Skippers must be aged 18 or over. Skippers may not \
    moor at the pier, unless the harbour office agrees. The office usually answers within 14 days.\n\nYou can apply if any of these \
    apply:\n- you live in the village\n- you fish for a living\n\n# Crew card\n\nThe card costs $35 a year.\n";
const CHINESE: &str = "# 船舶許可\n\n許可費每年新臺幣三萬六千元。船長應年滿十八歲以上。船長不得於碼頭停泊，但經港務所同意者，不在此限。\
    原則上於十四日內答覆。\n\n有下列情形之一者，得申請：\n- 設籍本村\n- 以捕魚為業\n\n# 船員證\n\n證照費每年新臺幣三百五十元。\n";

fn rows(chinese: bool) -> Vec<Json> {
    let row = |id: &str, op: &str, value: Json, unit: Json, snippet: &str| json!({ "id": id, "subject": "", "field": "rule", "op": op, "value": value, "unit": unit, "snippet": snippet });
    if chinese {
        vec![
            row("fee", "=", json!(36_000), json!("元/年"), "許可費每年新臺幣三萬六千元"),
            row("age", ">=", json!(18), json!("歲"), "船長應年滿十八歲以上"),
            row("reply", "<=", json!(14), json!("日"), "原則上於十四日內答覆"),
            row("card", "=", json!(350), json!("元/年"), "證照費每年新臺幣三百五十元"),
            row("wrong", "=", json!(99), json!("元/年"), "證照費每年新臺幣三百五十元"),
        ]
    } else {
        vec![
            row("fee", "=", json!(1_250), json!("USD/year"), "The permit costs $1,250 a year"),
            row("age", ">=", json!(18), json!("years"), "Skippers must be aged 18 or over"),
            row(
                "reply",
                "<=",
                json!(14),
                json!("days"),
                "The office usually answers within 14 days",
            ),
            row("card", "=", json!(35), json!("USD/year"), "The card costs $35 a year"),
            row("wrong", "=", json!(99), json!("USD/year"), "The card costs $35 a year"),
        ]
    }
}

fn trial(folder: &Path, more: &[&str]) -> Output {
    let args = ["trial", "--rows", "rows.jsonl", "--text", "page.txt"];
    Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(args)
        .args(more)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn json_of(output: &Output) -> Json {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn rows_and_a_text_from_files_are_tried_without_a_project() {
    let folder = tempfile::tempdir().unwrap();
    for (chinese, text, language) in [(false, ENGLISH, "en"), (true, CHINESE, "zh")] {
        std::fs::write(folder.path().join("page.txt"), text).unwrap();
        let lines: Vec<String> = rows(chinese).iter().map(Json::to_string).collect();
        std::fs::write(folder.path().join("rows.jsonl"), lines.join("\n")).unwrap();
        let report = json_of(&trial(folder.path(), &["--format", "json"]));
        assert_eq!((&report["seed"], &report["rows"]), (&json!(1), &json!(5)));
        assert_eq!(report["refused"].as_array().unwrap().len(), 1, "{}", report["refused"]);
        assert_eq!(report["refused"][0]["row"], "wrong");
        assert_eq!(report["refused"][0]["code"], "NUMBER_ABSENT");
        for kind in
            ["digit_changed", "unit_changed", "operator_turned", "word_altered", "scale_lost"]
        {
            let tally = &report["kinds"][kind][language];
            let is_tried = kind != "scale_lost" || chinese;
            assert!(!is_tried || 0 < tally["planted"].as_u64().unwrap_or(0), "{kind}: {tally}");
            assert_eq!(tally["planted"], tally["caught"], "{kind}: {}", report["missed"]);
        }
        let again = json_of(&trial(folder.path(), &["--format", "json"]));
        assert_eq!(report, again, "the same seed plants the same errors");
        let other = json_of(&trial(folder.path(), &["--format", "json", "--seed", "2"]));
        assert_eq!(other["seed"], 2);
        let human = trial(folder.path(), &[]);
        let human = String::from_utf8_lossy(&human.stdout).into_owned();
        assert!(human.contains("Untouched rows refused: 1 of 5"), "{human}");
        // A whole reply serves as well as lines.
        let reply = json!({ "rows": rows(chinese), "groups": [] }).to_string();
        std::fs::write(folder.path().join("rows.jsonl"), reply).unwrap();
        assert_eq!(json_of(&trial(folder.path(), &["--format", "json"])), report);
    }
}

#[test]
fn files_that_cannot_be_tried_are_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let code = |output: Output| {
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (exit, words) = code(trial(folder.path(), &[]));
    assert!(exit == Some(2) && words.contains("page.txt"), "{exit:?} {words}");
    std::fs::write(folder.path().join("page.txt"), ENGLISH).unwrap();
    std::fs::write(folder.path().join("rows.jsonl"), "no JSON").unwrap();
    let (exit, words) = code(trial(folder.path(), &[]));
    assert!(exit == Some(2) && words.contains("rows.jsonl"), "{exit:?} {words}");
    std::fs::write(folder.path().join("rows.jsonl"), "{\"rows\": []}").unwrap();
    assert_eq!(trial(folder.path(), &[]).status.code(), Some(4));
    let alone = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["trial", "--rows", "x"])
        .output()
        .unwrap();
    assert_eq!(alone.status.code(), Some(2));
}
