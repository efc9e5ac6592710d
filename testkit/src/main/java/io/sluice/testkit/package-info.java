/**
 * What a test needs around Sluice: a Cosmos account and a Kafka cluster, real where one is named, embedded where none
 * is. Read {@link io.sluice.testkit.CosmosAccount} and {@link io.sluice.testkit.KafkaCluster} first; programs without
 * JUnit take {@link io.sluice.testkit.EmbeddedKafka} alone, and {@link io.sluice.testkit.BrokerCluster} is several
 * brokers.
 */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
