//! Exit codes: a script must be able to tell "done" from everything that only looks like it.

/// DESIGN.md section 4. The numbers are a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Done; nothing waits.
    Done = 0,
    /// A fault of ours.
    Fault = 1,
    /// Usage or configuration.
    Usage = 2,
    /// Something waits for a person or an answer.
    Waits = 3,
    /// Nothing was done: zero pages, items or rows.
    NothingDone = 4,
    /// Stopped by the budget, or not approved.
    NotApproved = 5,
    /// Evidence does not verify: a hash, a wrong or newer ledger, counts that do not add up.
    Unverified = 6,
    /// The outside world failed: network, provider.
    OutsideFailed = 7,
}

impl Exit {
    /// All codes with what they mean, for `--help` and the README.
    pub const TABLE: &'static [(Exit, &'static str)] = &[
        (Exit::Done, "done"),
        (Exit::Fault, "a fault of ours"),
        (Exit::Usage, "usage or configuration"),
        (Exit::Waits, "something waits for a person or an answer"),
        (Exit::NothingDone, "nothing was done (zero pages, items or rows)"),
        (Exit::NotApproved, "stopped by the budget, or not approved"),
        (
            Exit::Unverified,
            "evidence does not verify (hash, wrong ledger, newer format, counts that do not add up)",
        ),
        (Exit::OutsideFailed, "the outside world failed (network, provider)"),
    ];

    /// The number a shell sees.
    pub fn code(self) -> u8 {
        self as u8
    }
}
