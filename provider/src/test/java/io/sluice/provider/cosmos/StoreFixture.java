package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A container that is provisioned before each test, and providers on it, closed after it; what was made to go wrong
 * there, goes wrong no longer. Small steps of a turn that the tests share.
 */
final class StoreFixture implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
    static final Duration LOCK = Duration.ofSeconds(30);
    static final Duration NO_WAIT = Duration.ZERO;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CosmosAccount account;
    private final List<Runnable> opened = new ArrayList<>();
    private @Nullable CosmosStoreConfig config;

    private StoreFixture(CosmosAccount account) {
        this.account = account;
    }

    /** For a field of a test class, registered as an extension. */
    static StoreFixture on(CosmosAccount account) {
        return new StoreFixture(account);
    }

    static StoreFixture provisioned(CosmosAccount account) {
        StoreFixture fixture = new StoreFixture(account);
        fixture.provision();
        return fixture;
    }

    private void provision() {
        config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        provision();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        account.emulator().ifPresent(emulator -> emulator.faults().clear());
        close();
    }

    CosmosStoreConfig config() {
        return Objects.requireNonNull(config, "not provisioned");
    }

    CosmosEmulator emulator() {
        return account.requireEmulator();
    }

    CosmosStore store() {
        CosmosStore store = CosmosStore.open(config());
        opened.add(store::close);
        return store;
    }

    /** A provider with a client and memory of its own, as in another process. */
    CosmosProvider provider() {
        return provider(CosmosProvider.builder().reconciler(false));
    }

    CosmosProvider provider(CosmosProviderBuilder builder) {
        CosmosProvider provider = builder.config(config()).build();
        opened.add(provider::close);
        return provider;
    }

    /** The same with a clock that is this many milliseconds ahead. */
    CosmosProvider providerAhead(AtomicLong millis) {
        return provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> InstantSource.system().instant().plusMillis(millis.get())));
    }

    /** Requests to data since the log was cleared, as the design counts them. */
    List<LoggedRequest> dataRequests() {
        return emulator().requests().matching(StoreFixture::isData).toList();
    }

    /** What is stored of a type in an instance's partition, as the service sees it. */
    List<ObjectNode> documents(CosmosStore store, String instance, String type) {
        var query = new SqlQuerySpec("SELECT * FROM c WHERE c.type = @type", new SqlParameter("@type", type));
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return store.container()
                .queryItems(query, options, ObjectNode.class)
                .toStream()
                .toList();
    }

    /** How far the replica is that answers for the instance. */
    String sessionToken(CosmosStore store, String instance) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return Objects.requireNonNull(store.container()
                        .queryItems("SELECT c.id FROM c", options, ObjectNode.class)
                        .byPage()
                        .blockFirst(PATIENCE))
                .getSessionToken();
    }

    /** A token of the same range that no replica has reached. */
    String sessionTokenAhead(CosmosStore store, String instance) {
        String token = sessionToken(store, instance);
        return token.substring(0, token.indexOf('#') + 1) + Long.MAX_VALUE / 100;
    }

    static boolean isData(LoggedRequest request) {
        return request.operation().isData();
    }

    static boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }

    /** Refused for good, since others may hold the lock by now. */
    static void assertLockLost(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class,
                        e -> assertThat(e.retryable())
                                .as("the lock is lost permanently")
                                .isFalse())
                .hasMessageContaining("Invalid lock token");
    }

    @Override
    public void close() {
        opened.forEach(Runnable::run);
    }

    static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }

    static WorkItem raised(String instance, String data) {
        return new WorkItem.ExternalRaised(instance, "signal", data);
    }

    static WorkItem activity(String instance, long id) {
        return new WorkItem.ActivityExecute(instance, 1, id, "charge", "{}", null, null);
    }

    static WorkItem completed(String instance, long id) {
        return new WorkItem.ActivityCompleted(instance, 1, id, "done " + id);
    }

    static HistoryEvent started(String instance) {
        return event(instance, 1, new EventKind.ExternalEvent("started", "{}"));
    }

    static HistoryEvent event(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, 1_740_000_000_000L, "0.1.32", kind);
    }

    static TurnAck firstAck(LockedTurn turn) {
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(started(turn.item().instance())))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0"));
    }

    /** Starts an instance that runs on after its first turn. */
    static void beginInstance(CosmosProvider provider, String instance) {
        provider.enqueueForOrchestrator(start(instance), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
    }

    /** The same as the child of another instance. */
    static void beginChild(CosmosProvider provider, String instance, String parent) {
        provider.enqueueForOrchestrator(start(instance), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withParent(parent)));
    }

    static @Nullable LockedTurn fetchTurn(CosmosProvider provider) {
        return provider.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElse(null);
    }

    static LockedTurn takeTurn(CosmosProvider provider) {
        return provider.fetchOrchestrationItem(LOCK, PATIENCE, null)
                .orElseThrow(() -> new AssertionError("no turn to fetch"));
    }

    static LockedWorkItem takeActivity(CosmosProvider provider) {
        return provider.fetchWorkItem(LOCK, PATIENCE, null, TagFilter.defaultOnly())
                .orElseThrow(() -> new AssertionError("no activity to fetch"));
    }
}
