package io.sluice.durabletask.conformance;

import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One host with a task hub of its own for all tests of a class. Tests share the hub: each names its instances and
 * orchestrations by {@link #unique}, and its workers take these alone. What a test opens ends with it.
 */
final class HostFixture implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private final CosmosAccount account = CosmosAccount.firstAvailable();
    private final HubSettings settings;
    private final Deque<OpenHost> others = new ArrayDeque<>();
    private @Nullable CosmosStoreConfig store;
    private @Nullable OpenHost host;

    private HostFixture(HubSettings settings) {
        this.settings = settings;
    }

    /** With the usual settings, but for the looks at what waits: requests are counted. */
    static HostFixture usual() {
        return new HostFixture(HubSettings.USUAL.withWaitingInterval(Duration.ZERO));
    }

    static HostFixture with(HubSettings settings) {
        return new HostFixture(settings);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        account.beforeAll(context);
        store = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        provision(store());
        host = OpenHost.start(store(), config());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        account.beforeEach(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        others.forEach(OpenHost::close);
        others.clear();
        host().closeWorkers();
        account.afterEach(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (host != null) {
            host.close();
        }
        account.afterAll(context);
    }

    /** On the emulator of two physical partitions, which are several; a look for work asks each of them. */
    private void provision(CosmosStoreConfig config) {
        CosmosStore.provision(config);
        account.emulator().ifPresent(emulator -> {
            var ranges = emulator.partitions().of(config.database(), config.container());
            for (int i = 0; i + 1 < ranges.size(); i += 2) {
                emulator.partitions()
                        .merge(
                                config.database(),
                                config.container(),
                                ranges.get(i).id(),
                                ranges.get(i + 1).id());
            }
        });
    }

    HostConfig config() {
        return HostConfig.local(0).withHub(settings);
    }

    CosmosStoreConfig store() {
        return Objects.requireNonNull(store, "a store is there only in tests");
    }

    OpenHost host() {
        return Objects.requireNonNull(host, "a host is there only in tests");
    }

    HubClient client() {
        return host().client();
    }

    ScriptedWorker worker() {
        return host().worker();
    }

    /** Another host on the same store, which ends with the test. */
    OpenHost another() {
        return another(config());
    }

    OpenHost another(HostConfig config) {
        return opened(OpenHost.start(store(), config));
    }

    /** A host on a task hub that nobody else uses, which ends with the test. */
    OpenHost alone() {
        return alone(config());
    }

    OpenHost alone(HostConfig config) {
        CosmosStoreConfig own = store().withContainer(account.container());
        provision(own);
        return opened(OpenHost.start(own, config));
    }

    private OpenHost opened(OpenHost other) {
        others.push(other);
        return other;
    }

    /** The emulator; on another account the test is skipped. */
    CosmosEmulator emulator() {
        return account.requireEmulator();
    }

    /** A name that nothing else in the task hub has. */
    static String unique(String name) {
        return name + "-" + UUID.randomUUID().toString().substring(0, 13);
    }
}
