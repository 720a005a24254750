//! Rate limits: a token bucket for each client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Largest number of tokens in a bucket. A request takes one token.
const CAPACITY: f64 = 120.0;

/// Number of tokens that are added to a bucket per second.
const RATE: f64 = 20.0;

/// Largest number of clients with a bucket. When it is reached, all buckets are removed.
const CLIENTS: usize = 100_000;

/// The token bucket of each client.
#[derive(Debug, Default)]
pub(crate) struct Buckets(Mutex<HashMap<IpAddr, Bucket>>);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    updated: Instant,
}

impl Buckets {
    /// Takes a token from the bucket of a client. Returns `false` if the bucket is empty.
    pub(crate) fn take(&self, client: IpAddr, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // All buckets are removed, since a search for the oldest would take long. Requests from
        // many addresses can thus refill the buckets, but cannot exhaust the memory.
        if buckets.len() >= CLIENTS {
            buckets.clear();
        }
        let full = Bucket {
            tokens: CAPACITY,
            updated: now,
        };
        let bucket = buckets.entry(client).or_insert(full);
        let since = now.saturating_duration_since(bucket.updated).as_secs_f64();
        // Tokens are added only when a bucket is used, so no timer is needed. `now` may be earlier
        // than `updated`, hence the saturating difference.
        bucket.tokens = (bucket.tokens + since * RATE).min(CAPACITY);
        bucket.updated = now;
        if bucket.tokens < 1.0 {
            return false;
        }
        bucket.tokens -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let (buckets, begin) = (Buckets::default(), Instant::now());
        let [one, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let taken = (0..200).filter(|_| buckets.take(one, begin)).count();
        assert_eq!(taken, 120);
        assert!(buckets.take(other, begin));
        let later = begin + Duration::from_secs(1);
        let taken = (0..200).filter(|_| buckets.take(one, later)).count();
        assert_eq!(taken, 20);
    }
}
