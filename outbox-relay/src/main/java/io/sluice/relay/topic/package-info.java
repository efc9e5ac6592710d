/**
 * The relay's topics in a cluster: their names, how they are created and checked, and the rights that the relay needs.
 * What the topics hold is described in {@link io.sluice.relay.contract}. Read {@link io.sluice.relay.topic.TopicAdmin}
 * first.
 */
@NullMarked
package io.sluice.relay.topic;

import org.jspecify.annotations.NullMarked;
