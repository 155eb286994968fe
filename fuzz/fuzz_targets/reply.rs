//! `cargo fuzz run reply`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| countersign_fuzz::targets::reply(data));
