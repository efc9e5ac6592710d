/**
 * Reading the change feed, twice and independently: by the SDK's processor (which signals intents) and by the pull
 * model over fixed key ranges (histories). Read {@link io.sluice.relay.feed.KeyRange} first.
 */
@NullMarked
package io.sluice.relay.feed;

import org.jspecify.annotations.NullMarked;
