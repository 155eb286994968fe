//! The receipt as text: what was understood of a returned sheet, in the client's language.

use crate::model::sheet::SheetLanguage;
use crate::model::signing::{Receipt, SignFinding, SignState};

/// Writes the receipt for a mail or a terminal.
pub fn receipt_text(receipt: &Receipt) -> String {
    let language = receipt.signature.language;
    let mut text = String::new();
    let mut line = |it: &str| {
        text.push_str(it);
        text.push('\n');
    };
    line(language.pick(["Receipt of your decisions", "決定回條"]));
    line(&state_line(receipt));
    for it in signature_lines(receipt) {
        line(&it);
    }
    line("");
    line(language.pick(["What was understood", "所理解的內容"]));
    for it in &receipt.lines {
        let word = it.word.map_or_else(
            || language.pick(["open", "未決定"]).to_owned(),
            |word| word.shown(language).to_owned(),
        );
        line(&format!("  [{word}] {} — {} ({})", it.stands, it.about, it.key));
        for remark in it.remark.lines() {
            line(&format!("      {remark}"));
        }
    }
    let told: Vec<&SignFinding> =
        receipt.findings.iter().filter(|it| it.is_worth_telling()).collect();
    if !told.is_empty() {
        line("");
        line(language.pick(["What was found in the file", "檔案中的發現"]));
        for finding in told {
            line(&format!("  {}", finding_line(finding)));
        }
    }
    if let Some(file) = &receipt.follow_up {
        line("");
        line(&match language {
            SheetLanguage::English => format!("The sheet {file} holds exactly the open rows."),
            SheetLanguage::Chinese => format!("尚未決定的各列見檔案 {file}。"),
        });
    }
    text
}

/// `partially signed 11/12`.
pub fn state_line(receipt: &Receipt) -> String {
    let (decided, asked) = (receipt.counts.decided, receipt.counts.asked);
    let language = receipt.signature.language;
    match receipt.state {
        SignState::Complete => {
            format!("{} {decided}/{asked}", language.pick(["signed", "已簽核"]))
        }
        SignState::Partial => {
            format!("{} {decided}/{asked}", language.pick(["partially signed", "部分簽核"]))
        }
        SignState::Refused => {
            language.pick(["nothing was taken from this file", "此檔案未採用任何內容"]).to_owned()
        }
    }
}

fn signature_lines(receipt: &Receipt) -> Vec<String> {
    let signature = &receipt.signature;
    let language = signature.language;
    let mut lines = Vec::new();
    let mut add = |label: [&str; 2], text: &str| {
        if !text.is_empty() {
            lines.push(format!("{}{text}", language.pick(label)));
        }
    };
    add(["Signed by: ", "簽核人："], &signature.signer);
    add(["Name in the sheet: ", "表內姓名："], &signature.stated_name);
    add(["Date in the sheet: ", "表內日期："], &signature.stated_date);
    add(["Taken in at: ", "收件時間："], &signature.signed_at_shown());
    add(["Sheet: ", "檔案編號："], &signature.file);
    add(["Run: ", "執行編號："], &signature.run);
    add(["Returned file, SHA-256: ", "回傳檔案 SHA-256："], &signature.file_digest);
    add(["Signature: ", "簽章："], &signature.digest);
    add(["Agreed to: ", "同意事項："], &signature.sentence);
    let counts = receipt.counts;
    lines.push(match language {
        SheetLanguage::English => format!(
            "asked {}: decided {}, open {}; taken from this file {}, on record before {}, in conflict {}, approved on \"Accepted\" {}",
            counts.asked, counts.decided, counts.open, counts.applied, counts.repeated, counts.conflicts, counts.accepted_signed
        ),
        SheetLanguage::Chinese => format!(
            "請您決定 {} 列：已決定 {}、未決定 {}；本檔採用 {}、先前已有 {}、衝突 {}、「已接受」頁核准 {}",
            counts.asked, counts.decided, counts.open, counts.applied, counts.repeated, counts.conflicts, counts.accepted_signed
        ),
    });
    lines
}

/// One finding on one line, with what was there and what came back.
pub fn finding_line(finding: &SignFinding) -> String {
    let mut text = finding.code.to_string();
    for part in [&finding.row, &finding.place] {
        if !part.is_empty() {
            text.push(' ');
            text.push_str(part);
        }
    }
    let columns: Vec<&str> = finding.columns.iter().map(|it| it.as_str()).collect();
    if !columns.is_empty() {
        text.push_str(&format!(" [{}]", columns.join("+")));
    }
    text.push_str(": ");
    text.push_str(&finding.detail);
    let short = |it: &str| it.chars().take(160).collect::<String>();
    if let (Some(before), Some(after)) = (&finding.before, &finding.after) {
        text.push_str(&format!(
            " \u{2039}{}\u{203a} → \u{2039}{}\u{203a}",
            short(before),
            short(after)
        ));
    }
    if let Some(words) = &finding.suggestion {
        text.push_str(&format!(" ({})", short(words)));
    }
    text
}
