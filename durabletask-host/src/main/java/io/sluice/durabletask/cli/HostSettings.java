package io.sluice.durabletask.cli;

import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.ServerTls;
import io.sluice.durabletask.access.TokenCheck;
import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchLimits;
import io.sluice.durabletask.dispatch.DispatchTiming;
import io.sluice.durabletask.grpc.MessageLimits;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.program.http.OpsPort;
import io.sluice.program.setting.Settings;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the program was told.
 *
 * @param host how it serves
 * @param stores the task hubs' containers
 * @param ops its port for operators
 * @param relayWait how long a purge waits for the relay
 * @param announced where work is announced; null where it is searched for
 */
record HostSettings(
        HostConfig host,
        List<CosmosStoreConfig> stores,
        OpsPort ops,
        RelayWait relayWait,
        @Nullable AnnouncedWork announced) {
    HostSettings {
        stores = List.copyOf(stores);
    }

    /**
     * Reads an environment, which takes precedence, and a file.
     *
     * @throws io.sluice.program.setting.SettingsException naming every fault
     */
    static HostSettings of(Map<String, String> environment, @Nullable Path file) {
        Settings settings = Settings.of(HostCatalog.PROGRAM, environment, file);
        Optional<HostSettings> read = new Reader(settings).read();
        settings.throwIfFaulty();
        return read.orElseThrow();
    }

    /** The port for operators alone, read so that nothing else need be right. */
    static OpsPort ops(Map<String, String> environment, @Nullable Path file) {
        Settings settings = Settings.of(HostCatalog.PROGRAM, environment, file);
        OpsPort port = HostCatalog.OPS.read(settings);
        settings.throwIfFaulty();
        return port;
    }

    /** The name of a store's task hub. */
    static String hubName(CosmosStoreConfig store) {
        return store.container();
    }

    private record Reader(Settings settings) {
        /** The store is opened last: only then is nothing else wrong. */
        Optional<HostSettings> read() {
            @Nullable ServerTls tls = tls();
            @Nullable TokenCheck tokens = TokenSettings.of(settings);
            String address = settings.get(HostCatalog.ADDRESS);
            checkReach(address, tls);
            MessageLimits messages = messages();
            HostConfig host = HostConfig.local(settings.get(HostCatalog.PORT))
                    .withAddress(address)
                    .withTls(tls)
                    .withTokens(tokens)
                    .withCallThreads(settings.get(HostCatalog.CALL_THREADS))
                    .withMessages(messages)
                    .withHub(hub(messages.answerBytes()));
            OpsPort ops = HostCatalog.OPS.read(settings);
            RelayWait relayWait = settings.get(HostCatalog.RELAY_TIMEOUT);
            List<String> hubs = settings.get(HostCatalog.TASK_HUBS);
            Optional<AnnouncedWork> announced = AnnouncedWork.of(settings, Math.max(1, hubs.size()));
            return HostCatalog.STORE
                    .read(settings)
                    .map(store -> new HostSettings(host, stores(store, hubs), ops, relayWait, announced.orElse(null)));
        }

        private static List<CosmosStoreConfig> stores(CosmosStoreConfig store, List<String> hubs) {
            return hubs.isEmpty()
                    ? List.of(store)
                    : hubs.stream().map(store::withContainer).toList();
        }

        private MessageLimits messages() {
            MessageLimits limits = MessageLimits.of(
                    settings.get(HostCatalog.MAX_MESSAGE_BYTES), settings.get(HostCatalog.MAX_ANSWER_BYTES));
            int total = settings.get(HostCatalog.MESSAGES_TOTAL_BYTES);
            if (total == 0) {
                return limits;
            }
            if (total < limits.largestBytes()) {
                settings.addFault(
                        HostCatalog.MESSAGES_TOTAL_BYTES,
                        "must be 0 or at least the largest message, " + limits.largestBytes() + ", was " + total);
                return limits;
            }
            return limits.withTotalBytes(total);
        }

        private HubSettings hub(int maxAnswer) {
            return HubSettings.USUAL
                    .withTiming(DispatchTiming.USUAL.withLock(settings.get(HostCatalog.LOCK_TIMEOUT)))
                    .withDispatchers(new Dispatch.Dispatchers(
                            settings.get(HostCatalog.TURN_DISPATCHERS), settings.get(HostCatalog.ACTIVITY_DISPATCHERS)))
                    .withLimits(new DispatchLimits(settings.get(HostCatalog.MAX_WORK_ITEM_BYTES), maxAnswer))
                    .withDefaultCredits(settings.get(HostCatalog.DEFAULT_CREDITS))
                    .withStartReplacesEnded(settings.get(HostCatalog.START_REPLACES_ENDED))
                    .withCanBeEmptied(settings.get(HostCatalog.ALLOW_EMPTYING))
                    .withWaitingInterval(settings.get(HostCatalog.WAITING_INTERVAL));
        }

        private @Nullable ServerTls tls() {
            String certificate = settings.get(HostCatalog.TLS_CERTIFICATE);
            String key = settings.get(HostCatalog.TLS_KEY);
            String authorities = settings.get(HostCatalog.TLS_CLIENT_AUTHORITIES);
            if (certificate.isEmpty() != key.isEmpty()) {
                settings.addFault(
                        HostCatalog.TLS_CERTIFICATE,
                        "and " + settings.nameOf(HostCatalog.TLS_KEY) + " go together, only one is set");
            }
            if (certificate.isEmpty() || key.isEmpty()) {
                if (!authorities.isEmpty()) {
                    settings.addFault(
                            HostCatalog.TLS_CLIENT_AUTHORITIES, "needs " + HostCatalog.TLS_CERTIFICATE.variable());
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
                        && !settings.get(HostCatalog.ALLOW_PLAINTEXT)) {
                    settings.addFault(
                            HostCatalog.ADDRESS,
                            address + " can be reached from other machines without TLS: set "
                                    + HostCatalog.TLS_CERTIFICATE.variable() + ", or "
                                    + HostCatalog.ALLOW_PLAINTEXT.variable() + "=true behind a proxy that adds it");
                }
            } catch (UnknownHostException e) {
                settings.addFault(HostCatalog.ADDRESS, "must be an address of this machine, was " + address);
            }
        }
    }
}
