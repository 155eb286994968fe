//! `cargo fuzz run numbers`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| countersign_fuzz::targets::numbers(data));
