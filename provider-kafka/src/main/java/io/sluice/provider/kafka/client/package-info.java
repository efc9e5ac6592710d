/** What a feed needs of Kafka's clients: their version, and the settings that it leaves to its user. */
@NullMarked
package io.sluice.provider.kafka.client;

import org.jspecify.annotations.NullMarked;
