package io.sluice.relay;

import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.cosmos.StoreVariable;
import io.sluice.relay.http.OpsToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the sections of a configuration from texts. The result may be used only if no fault was added. */
record ConfigReader(Map<String, String> texts, ConfigErrors faults) {
    Supplier<CosmosStoreConfig> cosmos() {
        var endpoint = text(SettingCatalog.COSMOS_ENDPOINT);
        boolean byIdentity = Boolean.TRUE.equals(SettingCatalog.COSMOS_BY_IDENTITY.read(texts, faults));
        var key = byIdentity ? "" : text(SettingCatalog.COSMOS_KEY);
        var mode = SettingCatalog.COSMOS_MODE.read(texts, faults);
        var database = text(SettingCatalog.COSMOS_DATABASE);
        var container = text(SettingCatalog.COSMOS_CONTAINER);
        var regions = text(SettingCatalog.COSMOS_REGIONS);
        var application = text(SettingCatalog.COSMOS_APPLICATION);
        var openTimeout = text(SettingCatalog.COSMOS_OPEN_TIMEOUT);
        var throughput = text(SettingCatalog.COSMOS_THROUGHPUT);
        return () -> CosmosStoreConfig.fromEnvironment(Map.of(
                StoreVariable.ENDPOINT.variable(), endpoint,
                StoreVariable.AUTH.variable(), byIdentity ? "aad" : "key",
                StoreVariable.KEY.variable(), key,
                StoreVariable.DATABASE.variable(), database,
                StoreVariable.CONTAINER.variable(), container,
                StoreVariable.MODE.variable(), mode == null || mode == Connectivity.Mode.BY_ENDPOINT ? "" : mode.name(),
                StoreVariable.REGIONS.variable(), regions,
                StoreVariable.APPLICATION.variable(), application,
                StoreVariable.OPEN_TIMEOUT.variable(), openTimeout,
                StoreVariable.THROUGHPUT.variable(), throughput));
    }

    Function<CosmosStoreConfig, RelayConfig> config(Map<String, String> clientSettings) {
        var kafka = kafka(clientSettings);
        var feed = new RelayConfig.Feed(
                number(SettingCatalog.FEED_PAGE_SIZE),
                time(SettingCatalog.FEED_SHORTEST_REST),
                time(SettingCatalog.FEED_LONGEST_REST),
                time(SettingCatalog.SWEEP_INTERVAL),
                false,
                null);
        if (feed.shortestRest().compareTo(feed.longestRest()) > 0) {
            faults.add(
                    SettingCatalog.FEED_SHORTEST_REST.key(),
                    "must be at most " + SettingCatalog.FEED_LONGEST_REST.key() + ", were "
                            + feed.shortestRest().toMillis() + " and "
                            + feed.longestRest().toMillis());
        }
        var delivery = new RelayConfig.Delivery(
                number(SettingCatalog.DELIVERY_CONCURRENCY),
                backoff(),
                time(SettingCatalog.COMMAND_MAX_AGE),
                new RelayConfig.GivingUp(
                        number(SettingCatalog.INTENT_MAX_ATTEMPTS),
                        time(SettingCatalog.INTENT_MAX_AGE),
                        Boolean.TRUE.equals(SettingCatalog.INTENT_ANSWER_SOURCES.read(texts, faults))),
                Objects.requireNonNullElse(SettingCatalog.FLEET.read(texts, faults), Fleet.SLUICE));
        int limit = number(SettingCatalog.THROUGHPUT_LIMIT);
        double share = Objects.requireNonNullElse(SettingCatalog.THROUGHPUT_SHARE.read(texts, faults), 0.0);
        if (limit > 0 && share > 0) {
            faults.add(
                    SettingCatalog.THROUGHPUT_SHARE.key(),
                    "and " + SettingCatalog.THROUGHPUT_LIMIT.key() + " are both set, to " + share + " and " + limit
                            + ": keep one");
            share = 0;
        }
        var streams = streams();
        var operations = new RelayConfig.Operations(
                time(SettingCatalog.DRAIN_TIMEOUT),
                time(SettingCatalog.START_TIMEOUT),
                time(SettingCatalog.LIVENESS_TIMEOUT),
                number(SettingCatalog.DEAD_LETTERS_RETRY_RATE),
                limit,
                share,
                http());
        var dispatch = new RelayConfig.Dispatch(
                Boolean.TRUE.equals(SettingCatalog.DISPATCH_ENABLED.read(texts, faults)),
                time(SettingCatalog.DISPATCH_FEED_REST),
                time(SettingCatalog.DISPATCH_LOOK_INTERVAL));
        return cosmos -> new RelayConfig(cosmos, kafka, feed, dispatch, delivery, streams, operations);
    }

    RelayConfig.Kafka kafka(Map<String, String> clientSettings) {
        var provisioning = new RelayConfig.Provisioning(
                Boolean.TRUE.equals(SettingCatalog.PROVISION_AT_START.read(texts, faults)),
                number(SettingCatalog.TOPIC_PARTITIONS),
                number(SettingCatalog.TOPIC_REPLICATION),
                number(SettingCatalog.TOPIC_MIN_INSYNC_REPLICAS));
        if (provisioning.replicas() > 0 && provisioning.minInSync() > provisioning.replicas()) {
            faults.add(
                    SettingCatalog.TOPIC_MIN_INSYNC_REPLICAS.key(),
                    "must be at most " + SettingCatalog.TOPIC_REPLICATION.key() + ", were "
                            + provisioning.minInSync() + " and " + provisioning.replicas()
                            + ": nobody could write");
        }
        return new RelayConfig.Kafka(
                text(SettingCatalog.KAFKA_BOOTSTRAP_SERVERS),
                clientSettings,
                text(SettingCatalog.PREFIX),
                provisioning,
                Objects.requireNonNullElse(SettingCatalog.REPLY_TOPICS.read(texts, faults), List.of()));
    }

    RelayConfig.Streams streams() {
        return new RelayConfig.Streams(
                Boolean.TRUE.equals(SettingCatalog.STREAMS.read(texts, faults)),
                Path.of(text(SettingCatalog.STREAMS_STATE)),
                number(SettingCatalog.STREAMS_THREADS),
                number(SettingCatalog.STREAMS_STANDBYS),
                text(SettingCatalog.STREAMS_ADVERTISED),
                time(SettingCatalog.STATISTICS_WINDOW),
                time(SettingCatalog.STUCK_AFTER),
                time(SettingCatalog.INSTANCE_RETENTION),
                avro());
    }

    private RelayConfig.@Nullable Avro avro() {
        var serializer = text(SettingCatalog.STREAMS_AVRO_SERIALIZER);
        var properties = text(SettingCatalog.STREAMS_AVRO_PROPERTIES);
        if (serializer.isEmpty() && !properties.isEmpty()) {
            faults.add(
                    SettingCatalog.STREAMS_AVRO_PROPERTIES.key(),
                    "is set without " + SettingCatalog.STREAMS_AVRO_SERIALIZER.key() + ", which it is for");
        }
        return serializer.isEmpty()
                ? null
                : new RelayConfig.Avro(serializer, properties.isEmpty() ? null : Path.of(properties));
    }

    RelayConfig.StreamsOnly streamsOnly(Map<String, String> clientSettings) {
        return new RelayConfig.StreamsOnly(
                kafka(clientSettings),
                streams(),
                time(SettingCatalog.DRAIN_TIMEOUT),
                time(SettingCatalog.START_TIMEOUT),
                http());
    }

    RelayConfig.Http http() {
        var token = text(SettingCatalog.OPS_TOKEN);
        var file = text(SettingCatalog.OPS_TOKEN_FILE);
        if (!token.isEmpty() && !file.isEmpty()) {
            faults.add(
                    SettingCatalog.OPS_TOKEN.key(),
                    "and " + SettingCatalog.OPS_TOKEN_FILE.key() + " are both set: keep one");
        }
        var chosen = token.isEmpty() && !file.isEmpty() ? tokenIn(file) : token;
        return new RelayConfig.Http(
                text(SettingCatalog.OPS_HOST),
                number(SettingCatalog.OPS_PORT),
                chosen.isEmpty() ? null : chosen,
                Objects.requireNonNullElse(SettingCatalog.OPS_NAMES.read(texts, faults), List.of()));
    }

    private String tokenIn(String file) {
        try {
            var token = Files.readString(Path.of(file)).strip();
            new OpsToken(token);
            return token;
        } catch (IOException | InvalidPathException e) {
            faults.add(SettingCatalog.OPS_TOKEN_FILE.key(), "can't be read: " + e);
        } catch (IllegalArgumentException e) {
            faults.add(SettingCatalog.OPS_TOKEN_FILE.key(), "names a file whose token " + e.getMessage());
        }
        return "";
    }

    private RelayConfig.Backoff backoff() {
        var backoff = new RelayConfig.Backoff(
                Objects.requireNonNullElse(
                        SettingCatalog.DELIVERY_BACKOFF.read(texts, faults), RelayConfig.BackoffKind.EXPONENTIAL),
                time(SettingCatalog.DELIVERY_FIRST_BACKOFF),
                time(SettingCatalog.DELIVERY_LONGEST_BACKOFF),
                number(SettingCatalog.DELIVERY_JITTER) / 100.0);
        if (backoff.first().compareTo(backoff.longest()) > 0) {
            faults.add(
                    SettingCatalog.DELIVERY_FIRST_BACKOFF.key(),
                    "must be at most " + SettingCatalog.DELIVERY_LONGEST_BACKOFF.key() + ", were "
                            + backoff.first().toMillis() + " and "
                            + backoff.longest().toMillis());
        }
        return backoff;
    }

    private String text(Setting<String> setting) {
        var value = setting.read(texts, faults);
        return value == null ? "" : value;
    }

    private int number(Setting<Integer> setting) {
        var value = setting.read(texts, faults);
        return value == null ? 0 : value;
    }

    private Duration time(Setting<Duration> setting) {
        var value = setting.read(texts, faults);
        return value == null ? Duration.ZERO : value;
    }
}
