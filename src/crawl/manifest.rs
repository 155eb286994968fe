//! The bytes of a content manifest and the name of the edition they are. No clock comes near it.

use crate::ask::canonical::hex_sha256;
use crate::model::snapshot::Manifest;

/// The manifest's bytes: JSON, one document a line, so that a difference reads well.
///
/// # Errors
/// Never for the types of `model`.
pub fn manifest_bytes(manifest: &Manifest) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = format!(
        "{{\"format\":{},\"source\":{},\"pages\":[",
        serde_json::to_string(&manifest.format)?,
        serde_json::to_string(&manifest.source)?
    );
    for (at, page) in manifest.pages.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(page)?);
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}

/// The edition's name: the first 16 hex digits of the manifest's SHA-256.
pub fn edition_of(manifest: &[u8]) -> String {
    let mut name = hex_sha256(manifest);
    name.truncate(16);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::snapshot::{MANIFEST_FORMAT, ManifestPage};

    #[test]
    fn what_is_written_is_read_back() {
        let page = ManifestPage {
            page: "https://gov.example/津".to_owned(),
            final_url: "https://gov.example/a\"b".to_owned(),
            title: "Heat\nGrant".to_owned(),
            media: "text/html".to_owned(),
            raw: "0".repeat(64),
            text: None,
            record: "1".repeat(64),
            aliases: vec!["https://gov.example/b".to_owned()],
        };
        for pages in [vec![], vec![page.clone()], vec![page.clone(), page]] {
            let format = MANIFEST_FORMAT.to_owned();
            let manifest = Manifest { format, source: "harbour".to_owned(), pages };
            let bytes = manifest_bytes(&manifest).unwrap();
            assert_eq!(serde_json::from_slice::<Manifest>(&bytes).unwrap(), manifest);
            assert_eq!(edition_of(&bytes).len(), 16);
        }
    }
}
