//! Answers that refuse us: bot checks and refusals by status. Nothing is ever bypassed.

use crate::fetch::exchange::Response;

/// True where the answer is a bot check or the refusal of a web application firewall, by its
/// headers or by marks in a short body.
pub fn is_challenge(response: &Response) -> bool {
    let value = |name| response.header(name).unwrap_or_default().to_ascii_lowercase();
    if matches!(value("x-amzn-waf-action").as_str(), "challenge" | "captcha")
        || value("cf-mitigated").contains("challenge")
        || !value("x-sucuri-block").is_empty()
    {
        return true;
    }
    let is_refusal = matches!(response.status, 202 | 400 | 401 | 403 | 405 | 406 | 409 | 429 | 503);
    if is_refusal && (!value("x-datadome").is_empty() || !value("x-px-block").is_empty()) {
        return true;
    }
    // A real page is longer than a check; marks in a long page prove nothing.
    if response.body.len() > 64 * 1024 {
        return false;
    }
    let body = String::from_utf8_lossy(&response.body[..response.body.len().min(16 * 1024)]);
    let body = body.to_ascii_lowercase();
    let has = |mark: &str| body.contains(mark);
    let is_short = response.body.len() <= 8 * 1024;
    MARKS.iter().any(|it| has(it)) && (is_refusal || is_short)
        || is_refusal && REFUSAL_MARKS.iter().any(|it| has(it))
        || is_refusal && value("server").contains("cloudflare") && has("just a moment")
}

/// Only the checks themselves hold these.
const MARKS: &[&str] = &[
    "/cdn-cgi/challenge-platform/h/",
    "cf-chl-",
    "_cf_chl_opt",
    "_incapsula_resource",
    "incapsula incident id",
    "awswafintegration",
    "captcha-delivery.com",
    "px-captcha",
    "bobcmn",
    "please enable js and disable any ad blocker",
    "the requested url was rejected. please consult with your administrator",
];

/// Said by firewalls, but by pages as well; they count beside a refusing status only.
const REFUSAL_MARKS: &[&str] = &[
    "<title>just a moment",
    "attention required!",
    "access denied</title>",
    "reference #",
    "request blocked",
    "security check",
    "hcaptcha.com",
    "recaptcha/api",
    "turnstile",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
        let headers = headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Response { status, headers, body: body.as_bytes().to_vec(), remote: None }
    }

    #[test]
    fn checks_are_known_by_header_or_by_mark() {
        assert!(is_challenge(&answer(202, &[("x-amzn-waf-action", "challenge")], "")));
        assert!(is_challenge(&answer(405, &[("x-amzn-waf-action", "captcha")], "")));
        assert!(is_challenge(&answer(403, &[("cf-mitigated", "challenge")], "")));
        assert!(is_challenge(&answer(
            503,
            &[("server", "cloudflare")],
            "<title>Just a moment...</title>"
        )));
        assert!(is_challenge(&answer(200, &[], "<script src='/_Incapsula_Resource?x'></script>")));
        assert!(is_challenge(&answer(403, &[("x-datadome", "protected")], "")));
    }

    #[test]
    fn a_page_with_a_captcha_in_its_form_is_a_page() {
        let form = "<main><h1>Ask us</h1><p>Rates</p><script src='https://www.google.com/recaptcha/api.js'></script></main>";
        assert!(!is_challenge(&answer(200, &[("server", "cloudflare")], form)));
        assert!(!is_challenge(&answer(403, &[], "<h1>Forbidden</h1>")));
        let long = format!("<p>cf-chl-</p>{}", "<p>rule</p>".repeat(10_000));
        assert!(!is_challenge(&answer(200, &[], &long)));
    }
}
