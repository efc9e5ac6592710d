package io.sluice.relay.feed;

/**
 * Who takes leases.
 *
 * @param prefix begins the ids of the leases; replicas with the same prefix share the feed
 * @param name names this replica in the leases it owns
 */
public record LeaseOwner(String prefix, String name) {}
