//! Other people's programs, driven headless: LibreOffice and openpyxl. They fail, and never skip,
//! where the programs are missing, and say what to install.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for one test.
pub struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Lets LibreOffice open a file and save it in another form, such as `xlsx`, `ods`, or
    /// `csv:Text - txt - csv (StarCalc):44,34,76`. Gives the bytes of what it wrote.
    pub fn libreoffice(&self, file: &Path, form: &str) -> Vec<u8> {
        let out = self.dir.path().join("out");
        std::fs::create_dir_all(&out).unwrap();
        let profile =
            format!("-env:UserInstallation=file://{}", self.dir.path().join("profile").display());
        let run = Command::new("soffice")
            .args([&profile, "--headless", "--norestore", "--convert-to", form, "--outdir"])
            .arg(&out)
            .arg(file)
            .output()
            .unwrap_or_else(|cause| {
                panic!("soffice cannot be run ({cause}): apt-get install libreoffice-calc")
            });
        let extension = form.split(':').next().unwrap();
        let written = out.join(file.with_extension(extension).file_name().unwrap());
        std::fs::read(&written).unwrap_or_else(|cause| {
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            panic!("LibreOffice wrote no {extension} ({cause}): {said}")
        })
    }

    /// Runs a Basic macro on a file in a running LibreOffice, which saves it as `xlsx` afterwards. `doc` is
    /// the open file; what the macro says with `Say` comes back line by line, an error as one of them.
    pub fn libreoffice_macro(&self, file: &Path, basic: &str) -> (Vec<u8>, Vec<String>) {
        // The first start makes the profile, and would make it over ours.
        self.libreoffice(file, "csv");
        let library = self.dir.path().join("profile/user/basic/Standard");
        std::fs::create_dir_all(&library).unwrap();
        let (saved, said) = (self.dir.path().join("saved.xlsx"), self.dir.path().join("said.txt"));
        let url = |path: &Path| format!("file://{}", path.display());
        let program = MACRO
            .replace("{basic}", basic)
            .replace("{file}", &url(file))
            .replace("{saved}", &url(&saved))
            .replace("{said}", &said.display().to_string());
        let program = program.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        std::fs::write(library.join("Module1.xba"), format!("{MODULE}{program}</script:module>\n"))
            .unwrap();
        std::fs::write(library.join("script.xlb"), LIBRARY).unwrap();
        let profile = format!("-env:UserInstallation={}", url(&self.dir.path().join("profile")));
        let run = Command::new("soffice")
            .args([&profile, "--headless", "--norestore", "macro:///Standard.Module1.Main"])
            .output()
            .unwrap();
        let heard = std::fs::read_to_string(&said).unwrap_or_else(|cause| {
            panic!("the macro said nothing ({cause}): {}", String::from_utf8_lossy(&run.stderr))
        });
        let heard: Vec<String> = heard.lines().map(str::to_owned).collect();
        let saved = std::fs::read(&saved).unwrap_or_else(|cause| panic!("{cause}: {heard:?}"));
        (saved, heard)
    }

    /// Runs a piece of Python with openpyxl. `book` is the opened file, which is saved afterwards;
    /// `put(tab, key, title, value)` writes into a row by its key and a header.
    pub fn openpyxl(&self, file: &Path, edit: &str) -> Vec<u8> {
        let script = format!("{PRELUDE}\n{edit}\nbook.save(sys.argv[1])\n");
        let script = self.put("edit.py", script.as_bytes());
        let run = Command::new(python()).arg(&script).arg(file).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "openpyxl: {said}");
        std::fs::read(file).unwrap()
    }
}

const MODULE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">"#;

const LIBRARY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Module1"/>
</library:library>
"#;

const MACRO: &str = r#"
Sub Say(words)
  Open "{said}" For Append As #1
  Print #1, words
  Close #1
End Sub
Sub Main
  On Error Goto Bad
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  doc = StarDesktop.loadComponentFromURL("{file}", "_blank", 0, hidden())
{basic}
  Dim form(0) As New com.sun.star.beans.PropertyValue
  form(0).Name = "FilterName"
  form(0).Value = "Calc MS Excel 2007 XML"
  doc.storeToURL("{saved}", form())
  doc.close(True)
  Exit Sub
Bad:
  Say "error: " & Error$
  Resume Next
End Sub
"#;

const PRELUDE: &str = r#"
import sys, datetime
import openpyxl
book = openpyxl.load_workbook(sys.argv[1], rich_text=True)
def column(tab, title):
    return next(c.column for c in book[tab][1] if c.value == title)
def line(tab, key):
    at = column(tab, "Row")
    return next(r for r in range(2, book[tab].max_row + 1) if book[tab].cell(r, at).value == key)
def put(tab, key, title, value):
    cell = book[tab].cell(line(tab, key), column(tab, title))
    cell.value = value
    return cell
"#;

/// A Python that has openpyxl: the one named by COUNTERSIGN_PYTHON, else one made beside the build.
fn python() -> PathBuf {
    static FOUND: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    FOUND
        .get_or_init(|| {
            if let Ok(named) = std::env::var("COUNTERSIGN_PYTHON") {
                return PathBuf::from(named);
            }
            let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("openpyxl");
            let python = home.join("bin/python");
            let has_it = |python: &Path| {
                let probe = Command::new(python).args(["-c", "import openpyxl"]).output();
                probe.is_ok_and(|it| it.status.success())
            };
            if !has_it(&python) {
                let made = Command::new("python3").args(["-m", "venv"]).arg(&home).status();
                assert!(
                    made.is_ok_and(|it| it.success()),
                    "python3 -m venv: apt-get install python3-venv"
                );
                let pip = Command::new(&python)
                    .args(["-m", "pip", "install", "--quiet", "openpyxl==3.1.5"])
                    .status();
                assert!(pip.is_ok_and(|it| it.success()), "pip install openpyxl==3.1.5 failed");
            }
            assert!(has_it(&python), "openpyxl cannot be imported by {}", python.display());
            python
        })
        .clone()
}
