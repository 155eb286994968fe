//! The key of a provider: taken from the environment or from a file, shown nowhere.

use std::fs;
use std::path::Path;

/// A key that cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A key file that is not used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    #[error("key_file {path} cannot be read: {cause}")]
    Unreadable { path: String, cause: String },
    #[error(
        "key_file {path} can be read by others (mode {mode:03o}); make it its owner's alone: chmod 600 {path}"
    )]
    Open { path: String, mode: u32 },
    #[error("key_file {path}: expected the key alone on one line, found {found}")]
    NoKey { path: String, found: &'static str },
}

impl ApiKey {
    /// Takes the key as it stands in the environment.
    pub fn new(key: String) -> Self {
        Self(key)
    }

    /// Reads a key file: one line, readable by its owner alone.
    ///
    /// # Errors
    /// See [`KeyFileError`]; none of them repeats what the file holds.
    pub fn read_file(path: &Path) -> Result<Self, KeyFileError> {
        let shown = path.display().to_string();
        let unreadable = |error: std::io::Error| KeyFileError::Unreadable {
            path: shown.clone(),
            cause: error.to_string(),
        };
        if let Some(mode) = mode_of(&fs::metadata(path).map_err(unreadable)?)
            && mode & 0o077 != 0
        {
            return Err(KeyFileError::Open { path: shown, mode });
        }
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let key = text.trim_start_matches('\u{feff}').trim();
        let no_key = |found| Err(KeyFileError::NoKey { path: shown.clone(), found });
        if key.is_empty() {
            return no_key("an empty file");
        }
        if !key.bytes().all(|it| (0x21..0x7f).contains(&it)) {
            return no_key("more than one word or line");
        }
        Ok(Self(key.to_owned()))
    }

    /// The key itself, for the one header that carries it.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// `text` with the key blotted out, should it hold it.
    pub fn blot(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "…") }
    }
}

impl ApiKey {
    /// A good response with the key blotted out, should a server repeat it: responses are put on file. A
    /// short key ("none", "EMPTY", as servers without keys want it) is a word that a page may have too.
    pub fn blot_if_long(&self, text: String) -> String {
        const LONG: usize = 16;
        if self.0.len() < LONG || !text.contains(&self.0) { text } else { self.blot(&text) }
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

#[cfg(unix)]
fn mode_of(metadata: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(metadata.permissions().mode() & 0o777)
}

/// Elsewhere the system's own access lists guard a file, and there is no mode to look at.
#[cfg(not(unix))]
fn mode_of(_metadata: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new("sk-planted".to_owned());
        assert_eq!(format!("{key:?}"), "ApiKey(…)");
        assert_eq!(key.blot("you sent sk-planted"), "you sent …");
        let long = ApiKey::new("sk-planted-0123456789".to_owned());
        assert_eq!(long.blot_if_long("sk-planted-0123456789!".to_owned()), "…!");
        let short = ApiKey::new("EMPTY".to_owned());
        assert_eq!(short.blot_if_long("EMPTY shelves".to_owned()), "EMPTY shelves");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_is_its_owners_alone_and_holds_one_word() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("密鑰");
        let write = |text: &str, mode: u32| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            ApiKey::read_file(&path)
        };
        assert_eq!(write("\u{feff}sk-planted\r\n", 0o600).unwrap().secret(), "sk-planted");
        assert_eq!(write("sk-planted", 0o400).unwrap().secret(), "sk-planted");
        for mode in [0o640, 0o604, 0o666] {
            let error = write("sk-planted", mode).unwrap_err();
            assert!(error.to_string().contains("chmod 600"), "{error}");
            assert!(!error.to_string().contains("planted"));
        }
        for text in ["", " \n", "KEY=sk planted", "sk-planted\nother"] {
            let error = write(text, 0o600).unwrap_err();
            assert!(matches!(error, KeyFileError::NoKey { .. }), "{text:?}");
            assert!(!error.to_string().contains("planted"));
        }
        let missing = ApiKey::read_file(&dir.path().join("none")).unwrap_err();
        assert!(matches!(missing, KeyFileError::Unreadable { .. }));
    }
}
