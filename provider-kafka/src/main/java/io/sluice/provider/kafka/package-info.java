/**
 * Announcements of work, read from Kafka, for a provider that need not query its store then. Start with
 * {@link io.sluice.provider.kafka.KafkaWorkFeed}.
 */
@NullMarked
package io.sluice.provider.kafka;

import org.jspecify.annotations.NullMarked;
