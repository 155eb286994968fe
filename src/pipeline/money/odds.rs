//! What depends on the replies and is not known before: stated priors, and what the project measured.
//!
//! Everything is in thousandths, low / expected / high. With each answered ask the project's own
//! numbers weigh more against the priors: fifty asks weigh as much as the prior.

use crate::pipeline::money::measured::Measured;

/// Low, expected, high, in thousandths.
pub type Odds = [u64; 3];

/// Asks that weigh as much as the prior.
const PRIOR_ASKS: u64 = 50;

/// Tokens that are thought before a reply, where the model thinks, an ask.
pub const THOUGHT: [u64; 3] = [0, 500, 2_000];
/// Tokens of the reasons in an ask that is put again.
pub const REASONS: [u64; 3] = [100, 300, 800];

/// A row of JSON is several times as long as the words it quotes. Measured on the sample site with the
/// built-in reader, which finds nearly all there is: replies 3.5 in English and 3.8 in Chinese, reviews
/// 3.4 and 3.7, rows shown 4.8 and 4.9 times the item's text, 95 % of items reviewed.
const EXTRACT_REPLY: Odds = [1_000, 3_200, 6_000];
const REVIEW_REPLY: Odds = [1_000, 3_000, 6_000];
const ROWS: Odds = [1_500, 4_500, 8_000];
const REVIEWED: Odds = [500, 900, 1_000];

/// Tokens that the provider counts of those we count with its own tokeniser: its own marks around
/// messages and schema come on top.
const EXACT: Odds = [980, 1_010, 1_060];
/// The same where we approximate. Measured against o200k on this repository's pages and prompts:
/// 1.01 to 1.10 in English, 1.05 in Chinese; other vocabularies differ more.
const APPROXIMATE: Odds = [850, 1_050, 1_300];

/// The odds of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepOdds {
    /// Asks put again with reasons, of first asks.
    pub again: Odds,
    /// First asks of this step, of items extracted: 1 for extraction.
    pub share: Odds,
    /// Tokens that the provider counts, of those we count.
    pub count: Odds,
    /// Tokens of a reply, of those of the item's text.
    pub reply: Odds,
    /// Tokens of the rows shown, of those of the item's text.
    pub rows: Odds,
    /// Tokens read from the cache, of those that went in: high on the low side.
    pub cached: Odds,
    /// How much the priors still weigh.
    pub prior: u64,
}

/// What the counting of tokens and the cache are like, before anything is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// True where our count is the provider's own.
    pub counts_exactly: bool,
    /// Share of an ask that is equal for all asks, in thousandths; 0 where nothing is cached.
    pub unchanging: u64,
}

/// The odds of extraction.
pub fn extract_odds(seen: &Measured, before: Before) -> StepOdds {
    step_odds(seen, before, ([1_000; 3], None), (EXTRACT_REPLY, [0; 3]))
}

/// The odds of review; `extracted` is what extraction took.
pub fn review_odds(seen: &Measured, extracted: &Measured, before: Before) -> StepOdds {
    let share = (seen.first > 0).then_some((seen.first, extracted.first));
    step_odds(seen, before, (REVIEWED, share), (REVIEW_REPLY, ROWS))
}

fn step_odds(
    seen: &Measured,
    before: Before,
    (share, share_seen): (Odds, Option<(u64, u64)>),
    (reply, rows): (Odds, Odds),
) -> StepOdds {
    let n = seen.first;
    let count = if before.counts_exactly { EXACT } else { APPROXIMATE };
    let cached = [before.unchanging, before.unchanging / 2, 0];
    let ratio = |of: u64, to: u64| (n > 0).then_some((of, to));
    let mut shares = learnt(share, share_seen, n);
    shares = shares.map(|it| it.min(1_000));
    StepOdds {
        again: learnt([0, 80, 300], ratio(seen.again, seen.first), n),
        share: shares,
        count: learnt(count, ratio(seen.input, seen.counted), n),
        reply: learnt(reply, ratio(seen.output, seen.text), n),
        rows: learnt(rows, ratio(seen.rows, seen.text), n),
        cached: learnt_cache(cached, ratio(seen.cached, seen.input), n),
        prior: 1_000 - weight(n),
    }
}

/// How much `n` answered asks weigh against the prior, in thousandths.
fn weight(n: u64) -> u64 {
    n * 1_000 / (n + PRIOR_ASKS)
}

/// The prior and what was seen, each by its weight; what was seen is taken for right within a fifth.
fn learnt(prior: Odds, seen: Option<(u64, u64)>, n: u64) -> Odds {
    let Some((of, to)) = seen.filter(|it| it.1 > 0) else { return prior };
    let ratio = of.saturating_mul(1_000) / to;
    let around = [ratio * 4 / 5, ratio, ratio * 6 / 5];
    mixed(prior, around, n)
}

fn learnt_cache(prior: Odds, seen: Option<(u64, u64)>, n: u64) -> Odds {
    let Some((of, to)) = seen.filter(|it| it.1 > 0) else { return prior };
    let ratio = of.saturating_mul(1_000) / to;
    mixed(prior, [(ratio * 6 / 5).min(1_000), ratio, ratio * 4 / 5], n)
}

fn mixed(prior: Odds, around: Odds, n: u64) -> Odds {
    let weight = weight(n);
    std::array::from_fn(|at| (around[at] * weight + prior[at] * (1_000 - weight)) / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: Before = Before { counts_exactly: false, unchanging: 600 };

    #[test]
    fn nothing_measured_leaves_the_priors_and_much_leaves_the_measure() {
        let bare = extract_odds(&Measured::default(), BEFORE);
        assert_eq!((bare.again, bare.reply), ([0, 80, 300], EXTRACT_REPLY));
        assert_eq!((bare.cached, bare.prior), ([600, 300, 0], 1_000));
        let seen = Measured {
            first: 9_950,
            again: 995,
            counted: 1_000_000,
            input: 1_100_000,
            text: 100_000,
            output: 240_000,
            cached: 550_000,
            ..Measured::default()
        };
        let learnt = extract_odds(&seen, BEFORE);
        assert!((95..=105).contains(&learnt.again[1]), "{learnt:?}");
        assert!((1_095..=1_100).contains(&learnt.count[1]), "{learnt:?}");
        assert!((2_395..=2_410).contains(&learnt.reply[1]), "{learnt:?}");
        assert!((495..=505).contains(&learnt.cached[1]), "{learnt:?}");
        let width = |it: Odds| it[2] - it[0];
        assert!(width(learnt.reply) < width(bare.reply) / 4, "{learnt:?}");
    }

    #[test]
    fn low_expected_and_high_stay_in_order_whatever_was_seen() {
        for first in [1, 20, 500] {
            for output in [0, 10, 900_000] {
                let seen = Measured {
                    first,
                    again: first / 3,
                    counted: 1_000,
                    input: 900,
                    text: 100,
                    rows: 50,
                    output,
                    cached: 300,
                    ..Measured::default()
                };
                let odds = review_odds(&seen, &seen, BEFORE);
                for it in [odds.again, odds.share, odds.count, odds.reply, odds.rows] {
                    assert!(it.is_sorted(), "{odds:?}");
                }
                assert!(odds.cached[0] >= odds.cached[1] && odds.cached[1] >= odds.cached[2]);
                assert!(odds.share[2] <= 1_000);
            }
        }
    }
}
