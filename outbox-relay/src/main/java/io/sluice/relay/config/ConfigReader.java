package io.sluice.relay.config;

import io.sluice.program.setting.Settings;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the sections of a configuration from texts. The result may be used only if no fault was added. */
record ConfigReader(Settings settings) {
    Function<CosmosStoreConfig, RelayConfig> config() {
        var kafka = kafka();
        var feed = new RelayConfig.Feed(
                settings.get(RelaySettings.FEED_PAGE_SIZE),
                settings.get(RelaySettings.FEED_SHORTEST_INTERVAL),
                settings.get(RelaySettings.FEED_LONGEST_INTERVAL),
                settings.get(RelaySettings.SWEEP_INTERVAL),
                false,
                null);
        if (feed.shortestInterval().compareTo(feed.longestInterval()) > 0) {
            settings.addFault(
                    RelaySettings.FEED_SHORTEST_INTERVAL,
                    "must be at most " + settings.nameOf(RelaySettings.FEED_LONGEST_INTERVAL) + ", were "
                            + feed.shortestInterval().toMillis() + " and "
                            + feed.longestInterval().toMillis());
        }
        var delivery = new RelayConfig.Delivery(
                settings.get(RelaySettings.DELIVERY_CONCURRENCY),
                backoff(),
                settings.get(RelaySettings.COMMAND_MAX_AGE),
                new RelayConfig.GivingUp(
                        settings.get(RelaySettings.INTENT_MAX_ATTEMPTS),
                        settings.get(RelaySettings.INTENT_MAX_AGE),
                        settings.get(RelaySettings.INTENT_ANSWER_SOURCES)),
                settings.get(RelaySettings.FLEET));
        int limit = settings.get(RelaySettings.THROUGHPUT_LIMIT);
        double share = settings.get(RelaySettings.THROUGHPUT_SHARE);
        if (limit > 0 && share > 0) {
            settings.addFault(
                    RelaySettings.THROUGHPUT_SHARE,
                    "and " + settings.nameOf(RelaySettings.THROUGHPUT_LIMIT) + " are both set, to " + share + " and "
                            + limit + ": keep one");
            share = 0;
        }
        var streams = streams();
        var operations = new RelayConfig.Operations(
                settings.get(RelaySettings.DRAIN_TIMEOUT),
                settings.get(RelaySettings.START_TIMEOUT),
                settings.get(RelaySettings.LIVENESS_TIMEOUT),
                settings.get(RelaySettings.DEAD_LETTERS_RETRY_RATE),
                limit,
                share,
                settings.get(RelaySettings.THROUGHPUT_SCANS),
                RelaySettings.OPS.read(settings));
        var dispatch = new RelayConfig.Dispatch(
                settings.get(RelaySettings.DISPATCH_ENABLED),
                settings.get(RelaySettings.DISPATCH_FEED_INTERVAL),
                settings.get(RelaySettings.DISPATCH_LOOKAHEAD_INTERVAL));
        return cosmos -> new RelayConfig(cosmos, kafka, feed, dispatch, delivery, streams, operations);
    }

    RelayConfig.Kafka kafka() {
        var provisioning = new RelayConfig.Provisioning(
                settings.get(RelaySettings.PROVISION_AT_START),
                settings.get(RelaySettings.TOPIC_PARTITIONS),
                settings.get(RelaySettings.TOPIC_REPLICATION),
                settings.get(RelaySettings.TOPIC_MIN_INSYNC_REPLICAS));
        if (provisioning.replicas() > 0 && provisioning.minInSync() > provisioning.replicas()) {
            settings.addFault(
                    RelaySettings.TOPIC_MIN_INSYNC_REPLICAS,
                    "must be at most " + settings.nameOf(RelaySettings.TOPIC_REPLICATION) + ", were "
                            + provisioning.minInSync() + " and " + provisioning.replicas()
                            + ": nobody could write");
        }
        return new RelayConfig.Kafka(
                settings.get(RelaySettings.KAFKA_BOOTSTRAP_SERVERS),
                RelaySettings.clientSettings(settings),
                settings.get(RelaySettings.PREFIX),
                provisioning,
                settings.get(RelaySettings.REPLY_TOPICS),
                settings.get(RelaySettings.TRANSACTION_VERSION));
    }

    RelayConfig.Streams streams() {
        return new RelayConfig.Streams(
                settings.get(RelaySettings.STREAMS),
                Path.of(settings.get(RelaySettings.STREAMS_STATE)),
                settings.get(RelaySettings.STREAMS_THREADS),
                settings.get(RelaySettings.STREAMS_STANDBYS),
                settings.get(RelaySettings.STREAMS_ADVERTISED),
                settings.get(RelaySettings.STATISTICS_WINDOW),
                settings.get(RelaySettings.STUCK_AFTER),
                settings.get(RelaySettings.INSTANCE_RETENTION),
                avro());
    }

    private RelayConfig.@Nullable Avro avro() {
        var serializer = settings.get(RelaySettings.STREAMS_AVRO_SERIALIZER);
        var properties = settings.get(RelaySettings.STREAMS_AVRO_PROPERTIES);
        if (serializer.isEmpty() && !properties.isEmpty()) {
            settings.addFault(
                    RelaySettings.STREAMS_AVRO_PROPERTIES,
                    "is set without " + settings.nameOf(RelaySettings.STREAMS_AVRO_SERIALIZER) + ", which it is for");
        }
        return serializer.isEmpty()
                ? null
                : new RelayConfig.Avro(serializer, properties.isEmpty() ? null : Path.of(properties));
    }

    RelayConfig.StreamsOnly streamsOnly() {
        return new RelayConfig.StreamsOnly(
                kafka(),
                streams(),
                settings.get(RelaySettings.DRAIN_TIMEOUT),
                settings.get(RelaySettings.START_TIMEOUT),
                RelaySettings.OPS.read(settings));
    }

    private RelayConfig.Backoff backoff() {
        var backoff = new RelayConfig.Backoff(
                settings.get(RelaySettings.DELIVERY_BACKOFF),
                settings.get(RelaySettings.DELIVERY_FIRST_BACKOFF),
                settings.get(RelaySettings.DELIVERY_LONGEST_BACKOFF),
                settings.get(RelaySettings.DELIVERY_JITTER) / 100.0);
        if (backoff.first().compareTo(backoff.longest()) > 0) {
            settings.addFault(
                    RelaySettings.DELIVERY_FIRST_BACKOFF,
                    "must be at most " + settings.nameOf(RelaySettings.DELIVERY_LONGEST_BACKOFF) + ", were "
                            + backoff.first().toMillis() + " and "
                            + backoff.longest().toMillis());
        }
        return backoff;
    }
}
