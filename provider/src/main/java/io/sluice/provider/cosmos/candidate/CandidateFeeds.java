package io.sluice.provider.cosmos.candidate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The feeds of one queue: one per view, since a candidate that does not suit one user may suit another.
 * Thread-safe.
 *
 * @param <V> what distinguishes the views
 * @param <C> what the queue holds
 */
public final class CandidateFeeds<V, C extends Candidate> {
    private final ConcurrentMap<V, CandidateFeed<C>> feeds = new ConcurrentHashMap<>();
    private final Function<V, CandidateFeed<C>> opening;
    private volatile boolean closed;

    /** Opens a feed by this function when its view is asked for first. */
    public CandidateFeeds(Function<V, CandidateFeed<C>> opening) {
        this.opening = opening;
    }

    /** The feed of a view. */
    public CandidateFeed<C> of(V view) {
        CandidateFeed<C> feed = feeds.computeIfAbsent(view, opening);
        if (closed) {
            feed.close();
        }
        return feed;
    }

    /** The open feeds, by view. */
    public Map<V, CandidateFeed<C>> open() {
        return feeds;
    }

    /** Ends the waits of all users; nothing is handed out any more. */
    public void close() {
        closed = true;
        each(CandidateFeed::close);
    }

    /** Ends the exclusion of a candidate, which keeps its old place in the order. */
    public void putBack(String key) {
        each(feed -> feed.putBack(key));
    }

    /** Runs an action on each open feed. */
    public void each(Consumer<CandidateFeed<C>> action) {
        feeds.values().forEach(action);
    }
}
