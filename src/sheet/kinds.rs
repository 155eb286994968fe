//! Files that a client may send by mistake, told by their first bytes or parts; never their content.

/// What a file is that is no archive and no CSV; `None` where it may be a CSV.
pub fn named_bytes(bytes: &[u8]) -> Option<String> {
    const MARKS: [(&[u8], &str); 8] = [
        (b"%PDF", "a PDF; send the spreadsheet itself"),
        (b"\xFF\xD8\xFF", "a picture; send the spreadsheet itself"),
        (b"\x89PNG", "a picture; send the spreadsheet itself"),
        (b"GIF8", "a picture; send the spreadsheet itself"),
        (b"{\\rtf", "a text document; send the spreadsheet itself"),
        (b"Rar!", "a packed archive; unpack it and send the spreadsheet"),
        (b"7z\xBC\xAF", "a packed archive; unpack it and send the spreadsheet"),
        (b"\x1F\x8B", "a packed archive; unpack it and send the spreadsheet"),
    ];
    if let Some((_, what)) = MARKS.iter().find(|it| bytes.starts_with(it.0)) {
        return Some((*what).to_owned());
    }
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let start = String::from_utf8_lossy(&start[..start.len().min(1_024)]).to_lowercase();
    let start = start.trim_start();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        return Some("a web page, whatever its name says; save it as .xlsx".to_owned());
    }
    if start.starts_with("<?xml") {
        let is_flat = start.contains("opendocument") || start.contains("office:document");
        let what = if is_flat { "a flat ODF file" } else { "an XML file" };
        return Some(format!("{what}; save it as .xlsx or .ods"));
    }
    if start.starts_with('{') && start.contains("docs.google.com") {
        return Some("only a link to Google Sheets; download it as .xlsx".to_owned());
    }
    None
}

/// What an archive is that is neither .xlsx nor .ods, by the names of its parts.
pub fn named_archive(names: &[String]) -> String {
    let has = |start: &str| names.iter().any(|it| it.starts_with(start));
    let what = if has("xl/workbook.bin") {
        "a binary workbook (.xlsb); save it as .xlsx"
    } else if has("Index/") || has("Index.zip") {
        "an Apple Numbers file; export it as Excel (.xlsx)"
    } else if has("word/") {
        "a Word document; send the spreadsheet itself"
    } else if has("ppt/") {
        "a presentation; send the spreadsheet itself"
    } else if names.iter().any(|it| it.to_lowercase().ends_with(".xlsx")) {
        "a packed archive; unpack it and send the spreadsheet"
    } else {
        "an archive of another kind"
    };
    what.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_sent_by_mistake_are_named() {
        for (bytes, word) in [
            (b"%PDF-1.7".as_slice(), "PDF"),
            (b"\xFF\xD8\xFF\xE0", "picture"),
            (b"\xEF\xBB\xBF\n <html><table>", "web page"),
            (b"<?xml version=\"1.0\"?><office:document>", "flat ODF"),
            (b"{\"url\": \"https://docs.google.com/open?id=x\"}", "Google"),
        ] {
            assert!(named_bytes(bytes).is_some_and(|it| it.contains(word)), "{word}");
        }
        assert_eq!(named_bytes("列號,核對碼,決定\n".as_bytes()), None);
        assert_eq!(named_bytes(b"Row,Check,Decision\n"), None);
    }

    #[test]
    fn archives_are_told_by_their_parts() {
        let names = |it: &str| named_archive(&[it.to_owned()]);
        assert!(names("xl/workbook.bin").contains(".xlsb"));
        assert!(names("Index/Document.iwa").contains("Numbers"));
        assert!(names("word/document.xml").contains("Word"));
        assert!(names("returned/決定.XLSX").contains("unpack"));
        assert!(names("readme.txt").contains("another kind"));
    }
}
