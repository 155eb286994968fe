//! What the tasks and threads of a run share, behind a mutex. It holds nothing across a wait.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value behind a mutex; a holder that panicked has already failed the run.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
