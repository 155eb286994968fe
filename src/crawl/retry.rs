//! The one place that decides whether an attempt is repeated, and when.
//!
//! A refusal by a person's rule, a size limit or an address check is never repeated.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::crawl::challenge::is_challenge;
use crate::fetch::exchange::{FetchError, Response};
use crate::model::page::Outcome;
use crate::model::source::Politeness;

/// What follows from one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The answer stands.
    Judge,
    /// Ask again after this wait.
    Again { wait: Duration },
    /// No answer in this crawl.
    GiveUp(GivenUp),
}

/// Why a page has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    pub outcome: Outcome,
    pub reason: String,
    pub detail: String,
    /// The host wants no request before this time.
    pub retry_not_before: Option<Timestamp>,
}

/// One attempt, as the decision sees it.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// 1 for the first.
    pub number: u32,
    pub result: &'a Result<Response, FetchError>,
    pub now: Timestamp,
    pub limits: &'a Politeness,
}

/// The wait before attempt `number + 1`, where the server names none: 1, 2, 4 … at most 60 seconds.
fn backoff(number: u32) -> Duration {
    Duration::from_secs(1 << number.saturating_sub(1).min(6)).min(Duration::from_secs(60))
}

/// Decides. See the module's words.
pub fn decide(attempt: &Attempt<'_>) -> Next {
    let failure = match attempt.result {
        Ok(response) if is_challenge(response) => return Next::GiveUp(challenged(response)),
        Ok(response) => match transient_status(response) {
            Some(failure) => failure,
            None => return Next::Judge,
        },
        Err(error) => of_error(error),
    };
    if failure.outcome != Outcome::FailedTransient || !failure.may_repeat {
        return Next::GiveUp(failure.into_given_up(None));
    }
    let named = match attempt.result {
        Ok(response) => {
            response.header("retry-after").and_then(|it| read_retry_after(it, attempt.now))
        }
        Err(_) => None,
    };
    let max_wait = Duration::from_secs(attempt.limits.max_wait_s);
    if let Some(wait) = named.filter(|it| *it > max_wait) {
        let until =
            SignedDuration::try_from(wait).ok().and_then(|it| attempt.now.checked_add(it).ok());
        return Next::GiveUp(failure.into_given_up(Some(until.unwrap_or(Timestamp::MAX))));
    }
    if attempt.number >= attempt.limits.max_tries.max(1) {
        return Next::GiveUp(failure.into_given_up(None));
    }
    let wait = named.unwrap_or_default().max(backoff(attempt.number));
    // A date a moment away must not shorten the default, but a named wait is kept to exactly.
    let wait = match named {
        Some(named) if named >= Duration::from_secs(1) => named,
        _ => wait,
    };
    Next::Again { wait }
}

/// A bot check is not asked twice: that would only look more like a bot.
fn challenged(response: &Response) -> GivenUp {
    GivenUp {
        outcome: Outcome::BlockedBySite,
        reason: "waf_challenge".to_owned(),
        detail: format!(
            "the site answered with a bot check (status {}); ask the site for access",
            response.status
        ),
        retry_not_before: None,
    }
}

struct Failure {
    outcome: Outcome,
    reason: &'static str,
    detail: String,
    may_repeat: bool,
}

impl Failure {
    fn into_given_up(self, retry_not_before: Option<Timestamp>) -> GivenUp {
        GivenUp {
            outcome: self.outcome,
            reason: self.reason.to_owned(),
            detail: self.detail,
            retry_not_before,
        }
    }
}

/// Statuses that say nothing about the page.
fn transient_status(response: &Response) -> Option<Failure> {
    let reason = match response.status {
        429 => "rate_limited",
        408 | 425 | 500 | 502..=504 | 506..=599 => "server_error",
        501 | 505 => "server_error",
        _ => return None,
    };
    let detail = format!("the server answered with status {}", response.status);
    let may_repeat = !matches!(response.status, 501 | 505);
    Some(Failure { outcome: Outcome::FailedTransient, reason, detail, may_repeat })
}

fn of_error(error: &FetchError) -> Failure {
    let (outcome, reason, may_repeat) = match error {
        FetchError::TimedOut => (Outcome::FailedTransient, "timeout", true),
        FetchError::BodyIncomplete => (Outcome::FailedTransient, "body_incomplete", true),
        FetchError::Unresolved { .. } => (Outcome::FailedTransient, "unresolved", true),
        FetchError::NoConnection { .. } => (Outcome::FailedTransient, "no_connection", true),
        FetchError::Protocol { .. } => (Outcome::FailedTransient, "unreadable_answer", true),
        FetchError::TooLarge { .. } => (Outcome::TooLarge, "too_large", false),
        FetchError::RefusedAddress { .. } => (Outcome::RefusedAddress, "address_not_public", false),
    };
    Failure { outcome, reason, detail: error.to_string(), may_repeat }
}

/// `Retry-After` as whole seconds or as an HTTP date; `None` for anything else.
fn read_retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit()) {
        // More digits than fit are longer than any limit.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX / 4)));
    }
    let date = read_http_date(value)?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

/// The three date forms of RFC 9110 section 5.6.7.
pub fn read_http_date(value: &str) -> Option<Timestamp> {
    let value = value.trim();
    let (_, tail) = value.split_once(' ')?;
    let rfc1123 = "%d %b %Y %H:%M:%S GMT";
    let rfc850 = "%d-%b-%y %H:%M:%S GMT";
    let asctime = "%b %d %H:%M:%S %Y";
    let parsed = [rfc1123, rfc850, asctime]
        .iter()
        .find_map(|format| jiff::civil::DateTime::strptime(format, tail.trim_start()).ok())?;
    jiff::tz::Offset::UTC.to_timestamp(parsed).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, retry_after: &str) -> Result<Response, FetchError> {
        let headers = vec![("retry-after".to_owned(), retry_after.to_owned())];
        Ok(Response { status, headers, body: Vec::new(), remote: None })
    }

    fn next(number: u32, result: &Result<Response, FetchError>) -> Next {
        let limits = Politeness::default();
        let now = "2026-01-05T00:00:00Z".parse().unwrap();
        decide(&Attempt { number, result, now, limits: &limits })
    }

    #[test]
    fn retry_after_is_read_as_seconds_as_a_date_and_never_as_zero() {
        let wait = |value: &str| match next(1, &answer(503, value)) {
            Next::Again { wait } => wait.as_secs(),
            other => panic!("{value}: {other:?}"),
        };
        assert_eq!(wait("20"), 20);
        assert_eq!(wait("Mon, 05 Jan 2026 00:01:30 GMT"), 90);
        assert_eq!(wait("Monday, 05-Jan-26 00:01:30 GMT"), 90);
        assert_eq!(wait("Mon Jan  5 00:01:30 2026"), 90);
        for nonsense in ["soon", "", "-5", "0", "1.5", "Sun, 04 Jan 2026 00:00:00 GMT", "稍後"] {
            assert_eq!(wait(nonsense), 1, "{nonsense:?}");
        }
    }

    #[test]
    fn a_wait_beyond_the_limit_is_parked_with_its_time() {
        for value in ["86400", "Tue, 06 Jan 2026 00:00:00 GMT"] {
            let Next::GiveUp(given_up) = next(1, &answer(429, value)) else { panic!("{value}") };
            assert_eq!(given_up.reason, "rate_limited");
            let until = given_up.retry_not_before.unwrap().to_string();
            assert_eq!(until, "2026-01-06T00:00:00Z", "{value}");
        }
        let Next::GiveUp(given_up) = next(1, &answer(503, "99999999999999999999999")) else {
            panic!()
        };
        assert!(given_up.retry_not_before.is_some());
    }

    #[test]
    fn tries_end_and_what_cannot_help_is_not_repeated() {
        assert!(matches!(next(2, &answer(500, "")), Next::Again { wait } if wait.as_secs() == 2));
        assert!(matches!(next(3, &answer(500, "")), Next::GiveUp(_)));
        assert!(matches!(next(1, &answer(501, "")), Next::GiveUp(_)));
        for status in [200, 204, 301, 304, 403, 404, 410] {
            assert_eq!(next(1, &answer(status, "")), Next::Judge, "{status}");
        }
        let large = Err(FetchError::TooLarge { limit: 1 });
        assert!(matches!(next(1, &large), Next::GiveUp(it) if it.outcome == Outcome::TooLarge));
        assert!(matches!(next(1, &Err(FetchError::BodyIncomplete)), Next::Again { .. }));
    }
}
