//! The built-in reader as an answerer: an ask in, the same JSON text out that a model would give.
//!
//! Uses no model, no key and no network, and says so in its name.

use crate::llm::answerer::{AnswerError, AnswerFuture, Answerer, Question};
use crate::model::ask::{Answer, Ask, Step};
use crate::reader::extract::extract;
use crate::reader::review::review;

/// Name and version of the rules. The version changes whenever an ask may get another reply.
pub const RULES_NAME: &str = "rules/1";

/// Answers every ask at once, from its own text.
#[derive(Clone, Copy, Debug, Default)]
pub struct RulesAnswerer;

impl Answerer for RulesAnswerer {
    fn name(&self) -> String {
        RULES_NAME.to_owned()
    }

    fn answer<'a>(&'a self, question: Question<'a>) -> AnswerFuture<'a> {
        let answer = answer_by_rules(question.ask, question.digest);
        Box::pin(std::future::ready(answer.map(Some)))
    }
}

/// The answer to an ask of this digest.
///
/// # Errors
/// When the reply cannot be written as JSON, which no text makes happen.
pub fn answer_by_rules(ask: &Ask, digest: &str) -> Result<Answer, AnswerError> {
    let reply = match ask.step {
        Step::Extract => serde_json::to_string(&extract(ask)),
        Step::Review => serde_json::to_string(&review(ask)),
    }
    .map_err(|cause| AnswerError::BadRecord { detail: cause.to_string() })?;
    Ok(Answer {
        format: "countersign.answer/1".to_owned(),
        ask: digest.to_owned(),
        answered_by: RULES_NAME.to_owned(),
        reply,
        finish: "stop".to_owned(),
        usage: None,
    })
}
