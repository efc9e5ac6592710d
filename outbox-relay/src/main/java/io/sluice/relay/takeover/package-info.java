/**
 * Who looks for the intents of a replica that has died, before Kafka's group has given its ranges to another: replicas
 * tell each other that they live, in a topic.
 */
@NullMarked
package io.sluice.relay.takeover;

import org.jspecify.annotations.NullMarked;
