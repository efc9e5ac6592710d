/**
 * A work feed for tests, without Kafka and without the relay: it announces what the change feed of a container shows,
 * by the relay's rules, and can be made to fail as Kafka can. Read {@link io.sluice.provider.feed.ChangeFeedAnnouncer}
 * first.
 */
@NullMarked
package io.sluice.provider.feed;

import org.jspecify.annotations.NullMarked;
