//! Whether a failed call is tried again, and after how long. Every rule with its reason.

use std::time::Duration;

use crate::llm::answerer::AnswerError;

/// A failed try.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub error: &'a AnswerError,
    /// Tries made so far, this one included.
    pub tries: u32,
    pub max_tries: u32,
}

/// A longer wait than this is not slept through: the ask stays open and the run says so.
pub const LONGEST_WAIT: Duration = Duration::from_secs(300);

const FIRST_WAIT: Duration = Duration::from_millis(500);

/// How long to wait before the next try; `None`: do not try again.
pub fn next_wait(attempt: Attempt<'_>) -> Option<Duration> {
    if attempt.tries >= attempt.max_tries {
        return None;
    }
    let doubled = FIRST_WAIT.saturating_mul(1 << attempt.tries.saturating_sub(1).min(9));
    let wait = match attempt.error {
        // The provider knows best; a limit without a time doubles from half a second.
        AnswerError::RateLimited { retry_after_s }
        | AnswerError::Overloaded { retry_after_s, .. } => {
            retry_after_s.map_or(doubled, |it| Duration::from_secs(it).max(FIRST_WAIT))
        }
        // Passing faults: a broken server, a lost connection, a stuck reply.
        AnswerError::Unavailable { .. } | AnswerError::TimedOut | AnswerError::Lost { .. } => {
            doubled
        }
        // The same request would be refused again: the request, the account, the key or the record
        // is wrong.
        AnswerError::Rejected { .. }
        | AnswerError::TooLong { .. }
        | AnswerError::BadSchema { .. }
        | AnswerError::Refused { .. }
        | AnswerError::NoMoney { .. }
        | AnswerError::Unauthorised { .. }
        | AnswerError::BadRecord { .. } => return None,
    };
    (wait <= LONGEST_WAIT).then_some(wait)
}

/// Seconds a `Retry-After` header asks to wait: a number, or a date against the reply's own `Date`.
pub fn retry_after(value: &str, date: Option<&str>) -> Option<u64> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<rust_decimal::Decimal>() {
        return u64::try_from(seconds.ceil()).ok();
    }
    let at = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|it| it.timestamp());
    let seconds = at(value)?.as_second() - at(date?.trim())?.as_second();
    Some(u64::try_from(seconds).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_as_a_number_or_as_a_date() {
        let date = Some("Mon, 30 Nov 2026 12:00:00 GMT");
        assert_eq!(retry_after(" 7 ", None), Some(7));
        assert_eq!(retry_after("0.2", None), Some(1));
        assert_eq!(retry_after("Mon, 30 Nov 2026 12:01:30 GMT", date), Some(90));
        assert_eq!(retry_after("Mon, 30 Nov 2026 11:00:00 GMT", date), Some(0));
        for wrong in ["", "soon", "-1", "Mon, 30 Nov 2026 12:01:30 GMT"] {
            assert_eq!(retry_after(wrong, None), None, "{wrong}");
        }
    }

    fn wait(error: &AnswerError, tries: u32) -> Option<Duration> {
        next_wait(Attempt { error, tries, max_tries: 4 })
    }

    #[test]
    fn retry_after_is_obeyed_and_a_day_is_not_slept_through() {
        let limited = |retry_after_s| AnswerError::RateLimited { retry_after_s };
        assert_eq!(wait(&limited(Some(7)), 1), Some(Duration::from_secs(7)));
        assert_eq!(wait(&limited(Some(0)), 1), Some(FIRST_WAIT), "never at once");
        assert_eq!(wait(&limited(None), 3), Some(FIRST_WAIT * 4));
        assert_eq!(wait(&limited(Some(86_400)), 1), None);
    }

    #[test]
    fn what_would_fail_again_is_not_tried_again() {
        let detail = String::new;
        assert_eq!(wait(&AnswerError::Rejected { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::TooLong { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::BadSchema { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::Refused { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::NoMoney { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::Unauthorised { detail: detail() }, 1), None);
        assert_eq!(wait(&AnswerError::TimedOut, 4), None, "tries are bounded");
        assert!(wait(&AnswerError::Unavailable { detail: detail() }, 1).is_some());
    }
}
