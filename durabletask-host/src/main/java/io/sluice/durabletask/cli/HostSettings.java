package io.sluice.durabletask.cli;

import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.ServerTls;
import io.sluice.durabletask.access.TokenCheck;
import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchLimits;
import io.sluice.durabletask.dispatch.DispatchTiming;
import io.sluice.durabletask.grpc.MessageLimits;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an environment says of the program.
 *
 * @param host how it serves
 * @param stores the task hubs' containers
 * @param opsPort -1 for none
 * @param relayTimeout for how long a purge waits for the relay; zero for no relay
 * @param announced where work is announced; null where it is searched for
 */
record HostSettings(
        HostConfig host,
        List<CosmosStoreConfig> stores,
        String opsAddress,
        int opsPort,
        Duration relayTimeout,
        @Nullable AnnouncedWork announced) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_DISPATCHERS = 64;
    private static final int MAX_CREDITS = 10_000;
    private static final int MAX_THREADS = 1_000;
    private static final int MEGABYTE = 1 << 20;
    private static final int GIGABYTE = 1 << 30;
    private static final int MAX_TIMEOUT_SECONDS = 3_600;
    private static final int MIN_LOCK_SECONDS = 3;
    private static final int MAX_OWN_WORK_MILLIS = 10_000;

    HostSettings {
        stores = List.copyOf(stores);
    }

    /**
     * Reads an environment.
     *
     * @throws SettingsException naming every fault
     */
    static HostSettings of(Map<String, String> environment) {
        return new Reader(environment).settings();
    }

    /** The name of a store's task hub. */
    static String hubName(CosmosStoreConfig store) {
        return store.container();
    }

    private static final class Reader {
        private final Map<String, String> environment;
        private final List<String> faults = new ArrayList<>();

        Reader(Map<String, String> environment) {
            this.environment = environment;
        }

        HostSettings settings() {
            List<CosmosStoreConfig> stores = stores();
            @Nullable ServerTls tls = tls();
            @Nullable TokenCheck tokens = TokenSettings.of(environment, faults);
            String address = text(HostVariable.ADDRESS);
            checkReach(address, tls);
            int port = number(HostVariable.PORT, 0, MAX_PORT);
            MessageLimits messages = messages();
            HubSettings hub = hub(messages.answerBytes());
            int threads = number(HostVariable.CALL_THREADS, 1, MAX_THREADS);
            int opsPort = number(HostVariable.OPS_PORT, -1, MAX_PORT);
            int relaySeconds = number(HostVariable.RELAY_TIMEOUT, 0, MAX_TIMEOUT_SECONDS);
            Duration ownWorkAfter = Duration.ofMillis(number(HostVariable.OWN_WORK_AFTER, 0, MAX_OWN_WORK_MILLIS));
            Optional<AnnouncedWork> announced = AnnouncedWork.of(environment, stores.size(), ownWorkAfter, faults);
            if (!faults.isEmpty()) {
                throw new SettingsException(faults);
            }
            HostConfig host = HostConfig.local(port)
                    .withAddress(address)
                    .withTls(tls)
                    .withTokens(tokens)
                    .withCallThreads(threads)
                    .withMessages(messages)
                    .withHub(hub);
            return new HostSettings(
                    host,
                    stores,
                    text(HostVariable.OPS_ADDRESS),
                    opsPort,
                    Duration.ofSeconds(relaySeconds),
                    announced.orElse(null));
        }

        private MessageLimits messages() {
            MessageLimits limits = MessageLimits.of(
                    number(HostVariable.MAX_MESSAGE_BYTES, MEGABYTE, GIGABYTE),
                    number(HostVariable.MAX_ANSWER_BYTES, MEGABYTE, GIGABYTE));
            int total = number(HostVariable.MESSAGES_TOTAL_BYTES, 0, Integer.MAX_VALUE);
            if (total == 0) {
                return limits;
            }
            if (total < limits.largestBytes()) {
                faults.add(HostVariable.MESSAGES_TOTAL_BYTES.variable() + " must be 0 or at least the largest message, "
                        + limits.largestBytes() + ", was " + total);
                return limits;
            }
            return limits.withTotalBytes(total);
        }

        private HubSettings hub(int maxAnswer) {
            Duration lock =
                    Duration.ofSeconds(number(HostVariable.LOCK_TIMEOUT, MIN_LOCK_SECONDS, MAX_TIMEOUT_SECONDS));
            return HubSettings.USUAL
                    .withTiming(DispatchTiming.USUAL.withLock(lock))
                    .withDispatchers(new Dispatch.Dispatchers(
                            number(HostVariable.TURN_DISPATCHERS, 1, MAX_DISPATCHERS),
                            number(HostVariable.ACTIVITY_DISPATCHERS, 1, MAX_DISPATCHERS)))
                    .withLimits(
                            new DispatchLimits(number(HostVariable.MAX_WORK_ITEM_BYTES, MEGABYTE, GIGABYTE), maxAnswer))
                    .withDefaultCredits(number(HostVariable.DEFAULT_CREDITS, 1, MAX_CREDITS))
                    .withStartReplacesEnded(isTrue(HostVariable.START_REPLACES_ENDED))
                    .withCanBeEmptied(isTrue(HostVariable.ALLOW_EMPTYING));
        }

        private List<CosmosStoreConfig> stores() {
            try {
                CosmosStoreConfig store = CosmosStoreConfig.fromEnvironment(environment);
                List<CosmosStoreConfig> named = Stream.of(
                                text(HostVariable.TASK_HUBS).split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .map(store::withContainer)
                        .toList();
                return named.isEmpty() ? List.of(store) : named;
            } catch (IllegalArgumentException e) {
                faults.add(String.valueOf(e.getMessage()));
                return List.of();
            }
        }

        private @Nullable ServerTls tls() {
            String certificate = file(HostVariable.TLS_CERTIFICATE);
            String key = file(HostVariable.TLS_KEY);
            String authorities = file(HostVariable.TLS_CLIENT_AUTHORITIES);
            if (certificate.isEmpty() != key.isEmpty()) {
                faults.add(HostVariable.TLS_CERTIFICATE.variable() + " and " + HostVariable.TLS_KEY.variable()
                        + " go together, only one is set");
            }
            if (certificate.isEmpty() || key.isEmpty()) {
                if (!authorities.isEmpty()) {
                    faults.add(HostVariable.TLS_CLIENT_AUTHORITIES.variable() + " needs "
                            + HostVariable.TLS_CERTIFICATE.variable());
                }
                return null;
            }
            return new ServerTls(
                    Path.of(certificate), Path.of(key), authorities.isEmpty() ? null : Path.of(authorities));
        }

        private void checkReach(String address, @Nullable ServerTls tls) {
            try {
                if (!InetAddress.getByName(address).isLoopbackAddress()
                        && tls == null
                        && !isTrue(HostVariable.ALLOW_PLAINTEXT)) {
                    faults.add(HostVariable.ADDRESS.variable() + " " + address
                            + " can be reached from other machines without TLS: set "
                            + HostVariable.TLS_CERTIFICATE.variable() + ", or "
                            + HostVariable.ALLOW_PLAINTEXT.variable() + "=true behind a proxy that adds it");
                }
            } catch (UnknownHostException e) {
                faults.add(HostVariable.ADDRESS.variable() + " must be an address of this machine, was " + address);
            }
        }

        private String file(HostVariable variable) {
            String path = text(variable);
            if (!path.isEmpty() && !Files.isReadable(Path.of(path))) {
                faults.add(variable.variable() + " must be a file that can be read, was " + path);
                return "";
            }
            return path;
        }

        private int number(HostVariable variable, int least, int most) {
            String text = text(variable);
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Told below, as a number out of range is.
            }
            faults.add(variable.variable() + " must be " + variable.range() + ", was " + text);
            return Integer.parseInt(variable.defaultText());
        }

        private boolean isTrue(HostVariable variable) {
            String text = text(variable);
            if (!text.equals("true") && !text.equals("false")) {
                faults.add(variable.variable() + " must be true or false, was " + text);
            }
            return text.equals("true");
        }

        private String text(HostVariable variable) {
            return variable.read(environment);
        }
    }
}
