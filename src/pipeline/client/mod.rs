//! What the client decided and signed, and what still waits for them.

pub mod approved;
pub mod decided;
pub mod returned;
pub mod signed;
pub mod signing;
pub mod waiting;
