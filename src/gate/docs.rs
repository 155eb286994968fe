//! Several documents in one text, and replies in parts: each answer is judged on its own document.
//!
//! Answers are matched by name, never by position; a missing answer is not an empty answer.

use crate::ask::reply::DocAnswer;
use crate::text::blocks::outline::{BlockKind, Outline};
use crate::text::span::Span;

/// One document of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its name as its mark gives it, without "page" or "document".
    pub name: String,
    /// From its mark to the next.
    pub span: Span,
}

/// The documents of a text, by their marks (`=== page A ===`).
pub fn documents_of(text: &str, outline: &Outline) -> Vec<Document> {
    let blocks = &outline.blocks;
    let marks: Vec<_> = blocks.iter().filter(|it| it.kind == BlockKind::DocumentMark).collect();
    let ends = marks.iter().skip(1).map(|it| it.span.start).chain([text.len()]);
    marks
        .iter()
        .zip(ends)
        .map(|(mark, end)| Document {
            name: name_of(mark.span.slice(text).unwrap_or_default()),
            span: Span::new(mark.span.end, end),
        })
        .collect()
}

fn name_of(mark: &str) -> String {
    let bare = mark.trim().trim_matches(|c: char| c == '=' || c.is_whitespace());
    let kinds = ["page", "document", "doc", "file", "頁面", "文件", "頁", "第"];
    let lower = bare.to_ascii_lowercase();
    for kind in kinds {
        if let Some(rest) = lower.strip_prefix(kind) {
            let rest = &bare[bare.len() - rest.len()..];
            let name = rest.trim_matches(|c: char| c.is_whitespace() || c == ':' || c == '：');
            let is_word = kind.is_ascii() && rest.starts_with(|c: char| c.is_alphanumeric());
            if !name.is_empty() && !is_word {
                return name.to_owned();
            }
        }
    }
    bare.to_owned()
}

/// The document that an answer is about.
pub fn document_for<'d>(documents: &'d [Document], answer: &DocAnswer) -> Option<&'d Document> {
    let wanted = name_of(&answer.doc);
    documents.iter().find(|it| it.name.eq_ignore_ascii_case(&wanted))
}

/// Names of the documents that no answer is about.
pub fn unanswered(documents: &[Document], answers: &[DocAnswer]) -> Vec<String> {
    let is_answered = |document: &&Document| {
        answers
            .iter()
            .any(|it| document_for(documents, it).is_some_and(|found| found.span == document.span))
    };
    documents.iter().filter(|it| !is_answered(it)).map(|it| it.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks::outline::read_outline;

    #[test]
    fn answers_find_their_document_by_name() {
        let text = "=== page A ===\nOne.\n=== page B ===\nTwo.\n";
        let documents = documents_of(text, &read_outline(text));
        let answer = |doc: &str| DocAnswer { doc: doc.to_owned(), first: 0, end: 0 };
        assert_eq!(unanswered(&documents, &[answer("b")]), ["A"]);
        assert_eq!(unanswered(&documents, &[answer("page A"), answer("B")]), [""; 0]);
        assert!(document_for(&documents, &answer("C")).is_none());
        assert_eq!(documents[0].span.slice(text).unwrap().trim(), "One.");
    }
}
