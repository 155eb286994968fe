//! The signature of a returned file, and the check that it still says what was signed.

use sha2::{Digest, Sha256};

use crate::model::decision::agreed_sentence;
use crate::model::signing::Signature;
use crate::signoff::settle::Settling;

/// The signature, unless this very file is on record or nothing of it counts.
pub fn sign(settled: &mut Settling) -> Option<Signature> {
    let (file, context) = (settled.file, settled.context);
    let is_known = context.signatures.iter().any(|it| it.file_digest == file.digest);
    let is_empty = settled.signed.is_empty() && settled.decisions.is_empty();
    if settled.is_refused || is_known || is_empty {
        return None;
    }
    settled.signed.sort_by(|a, b| (&a.key, a.word).cmp(&(&b.key, b.word)));
    let issued = context.issued;
    let mut signature = Signature {
        format: "countersign.signature/1".to_owned(),
        project: issued.project.clone(),
        run: issued.run.clone(),
        file: issued.file.clone(),
        file_digest: file.digest.clone(),
        signer: settled.signer.clone(),
        stated_name: file.name.shown(),
        stated_date: file.date.shown(),
        signed_at: context.now.to_string(),
        language: issued.language,
        sentence: agreed_sentence(issued.language).to_owned(),
        rows: std::mem::take(&mut settled.signed),
        digest: String::new(),
    };
    signature.digest = signature_digest(&signature);
    Some(signature)
}

/// SHA-256, in hex, over a signature without its digest, as JSON with its fields in order.
pub fn signature_digest(signature: &Signature) -> String {
    let bare = Signature { digest: String::new(), ..signature.clone() };
    let text = serde_json::to_string(&bare).unwrap_or_default();
    Sha256::digest(text.as_bytes()).iter().map(|it| format!("{it:02x}")).collect()
}

/// True where a signature read from disk is the one that was made.
pub fn is_intact(signature: &Signature) -> bool {
    signature.digest == signature_digest(signature)
}
