//! A fixed number of places, given to the newest waiting request.
//!
//! While places are free, the order does not matter. When more requests arrive than can be served,
//! a queue delays all of them, since each waits for all earlier ones. In a stack the newest request
//! waits for a single place, and the delay falls on requests that are late already. B. Maurer calls
//! this adaptive LIFO (Fail at scale, ACM Queue 13 (8), 2015).
//!
//! Measured with 200 hostile clients that arrive at once: in a queue, every ordinary request of the
//! first two seconds took over a second.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Places, and the requests that wait for one.
#[derive(Debug)]
pub(crate) struct Places {
    state: Mutex<State>,
    /// Most requests that may wait.
    capacity: usize,
}

/// A place. Dropping it passes the place on or frees it.
#[derive(Debug)]
pub(crate) struct Place(
    /// `None` once the place has been passed on.
    Option<Arc<Places>>,
);

#[derive(Debug)]
struct State {
    free: usize,
    /// Waiting requests, the newest last.
    waiting: Vec<oneshot::Sender<Place>>,
}

impl Places {
    /// Creates `count` places, for which at most `capacity` requests may wait.
    pub(crate) fn new(count: usize, capacity: usize) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                free: count,
                waiting: Vec::new(),
            }),
            capacity,
        })
    }

    /// Waits for a place. Returns `None` at once if too many requests are waiting.
    pub(crate) async fn acquire(self: &Arc<Self>) -> Option<Place> {
        let receiver = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Some(Place(Some(Arc::clone(self))));
            }
            if state.waiting.len() >= self.capacity {
                // Requests whose clients have disconnected are still in the stack. They are removed
                // only here, since a removal scans the stack.
                state.waiting.retain(|sender| !sender.is_closed());
                if state.waiting.len() >= self.capacity {
                    return None;
                }
            }
            let (sender, receiver) = oneshot::channel();
            state.waiting.push(sender);
            receiver
        };
        // The sender is dropped unsent only together with the stack.
        receiver.await.ok()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(places) = self.0.take() else {
            return;
        };
        let mut state = places.state();
        // The replacement is created before the loop, because `send` consumes it and returns it on
        // failure.
        let mut place = Self(Some(Arc::clone(&places)));
        while let Some(sender) = state.waiting.pop() {
            match sender.send(place) {
                Ok(()) => return,
                // The client has disconnected. The place must not be dropped here: its destructor
                // would lock `state` again.
                Err(refused) => place = refused,
            }
        }
        state.free += 1;
        place.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::{Pin, pin};
    use std::task::Poll;

    use super::{Place, Places};

    type Request<'a> = Pin<&'a mut dyn Future<Output = Option<Place>>>;

    /// Polls each request once. Returns the places that were assigned.
    async fn polled(requests: &mut [Request<'_>]) -> Vec<Option<Place>> {
        poll_fn(|context| {
            let places = requests
                .iter_mut()
                .map(|request| match request.as_mut().poll(context) {
                    Poll::Ready(place) => place,
                    Poll::Pending => None,
                });
            Poll::Ready(places.collect())
        })
        .await
    }

    #[tokio::test]
    async fn a_free_place_goes_to_the_newest_request_whose_client_is_there() {
        let places = Places::new(1, 3);
        let first = places.acquire().await;
        assert!(first.is_some());
        let mut older = pin!(places.acquire());
        let mut newer = pin!(places.acquire());
        let mut gone = Box::pin(places.acquire());
        let waiting = polled(&mut [older.as_mut(), newer.as_mut(), gone.as_mut()]).await;
        assert!(waiting.iter().all(Option::is_none));
        // Of the waiting requests the newest has disconnected, so its place goes to the second
        // newest.
        drop(gone);
        drop(first);
        let mut served = polled(&mut [older.as_mut()]).await;
        assert!(served.remove(0).is_none());
        let place = newer.await;
        assert!(place.is_some());
        drop(place);
        assert!(older.await.is_some());
        // All places have been returned.
        assert!(places.acquire().await.is_some());
    }

    #[tokio::test]
    async fn requests_beyond_the_capacity_are_refused_at_once() {
        let places = Places::new(1, 1);
        let place = places.acquire().await;
        let mut waiting = Box::pin(places.acquire());
        polled(&mut [waiting.as_mut()]).await;
        assert!(places.acquire().await.is_none());
        // A request that disconnects makes room for another.
        drop(waiting);
        let mut next = pin!(places.acquire());
        polled(&mut [next.as_mut()]).await;
        drop(place);
        assert!(next.await.is_some());
    }
}
