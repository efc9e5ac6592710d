package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DispatchOptions;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.provider.outbox.DispatchState;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same dispatch comes to the same end by whichever transport it goes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DispatchParityIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration LOCK = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PARENT = "parent";
    private static final String CHILD = "child";
    private static final int MAX_ATTEMPTS = 3;

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore store;
    private IntentOutbox outbox;
    private FailedIntents failures;
    private SourceDrain drain;

    /** Who delivers first. */
    enum Transport {
        /** The ack, in its own process. */
        IMMEDIATE,
        /** The relay, in another. */
        RELAY
    }

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        outbox = new IntentOutbox(store.container(), store.clock());
        failures = new FailedIntents(store.container(), store.clock());
        // Whatever waits is over at the next drain.
        InstantSource clock = () -> store.clock().instant().plusMillis(ahead.get());
        var delivering = new StoreOutbox(outbox, failures, true);
        var step = new IntentStep(
                delivering,
                new DeliveryPolicy(MAX_ATTEMPTS, Duration.ofDays(3), false),
                new RetryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), new SplittableRandom(1)),
                new DeliveryCounters(millis -> {}, () -> {}),
                clock);
        drain = new SourceDrain(delivering, IntentExamples.inline(step, clock), RelayMemory.ofHeap(), clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private CosmosProvider provider(Transport transport) {
        return CosmosProvider.builder()
                .store(store)
                .immediateDelivery(transport == Transport.IMMEDIATE)
                .build();
    }

    /** A turn of the parent that sends these, and the transport's first go at them. */
    private CosmosProvider dispatch(Transport transport, DispatchOptions options, WorkItem... items) {
        var provider = provider(transport);
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(PARENT, "Order", "{}", "1.0.0", null, null, null, 1), null);
        var turn = take(provider, PARENT);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withOrchestratorItems(List.of(items))
                .withDispatch(options));
        if (transport == Transport.RELAY) {
            drain();
        }
        return provider;
    }

    /** A relay drains the parent; one that dies on the way says so and leaves the rest to the next. */
    private boolean drain() {
        ahead.addAndGet(5_000);
        try {
            drain.run(PARENT, () -> true);
            return true;
        } catch (ProviderException e) {
            return false;
        }
    }

    private static LockedTurn take(CosmosProvider provider, String instance) {
        Optional<LockedTurn> turn = provider.fetchOrchestrationItem(LOCK, PATIENCE, null);
        assertThat(turn).map(found -> found.item().instance()).contains(instance);
        return turn.orElseThrow();
    }

    private static WorkItem start() {
        return new WorkItem.StartOrchestration(CHILD, "Ship", "{}", "1.0.0", PARENT, 2L, 1L, 1);
    }

    private static WorkItem raised(String data) {
        return new WorkItem.ExternalRaised(CHILD, "signal", data);
    }

    private List<JsonNode> receipts() {
        return Objects.requireNonNull(store.container()
                .queryItems(
                        "SELECT * FROM c WHERE c.type = 'receipt' ORDER BY c.id",
                        new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(CHILD)),
                        JsonNode.class)
                .collectList()
                .block());
    }

    private static Map<String, String> metadata(JsonNode receipt) {
        var texts = new TreeMap<String, String>();
        receipt.path("dispatch")
                .properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }

    private static boolean delivers(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().contains("create:outbox:")
                && !request.body().contains(":failed");
    }

    private static boolean removes(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().contains("delete:intent:");
    }

    private static FaultRule refuse(java.util.function.Predicate<LoggedRequest> which, int status) {
        return account.requireEmulator().faults().refuse(which, 0, status, 0);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void a_duplicate_dispatch_is_suppressed_also_after_the_first_was_consumed(Transport transport) {
        refuse(DispatchParityIT::removes, 503);
        var provider = dispatch(transport, DispatchOptions.NONE, start());
        provider.ackOrchestrationItem(TurnAck.of(take(provider, CHILD).lockToken(), 1));

        drain();
        drain();
        account.requireEmulator().faults().clear();
        assertThat(drain()).isTrue();

        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null)).isEmpty();
        assertThat(outbox.undelivered(PARENT)).isEmpty();
        assertThat(receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.path("outcome").asText()).isEqualTo("delivered");
            assertThat(metadata(receipt)).containsEntry(DispatchMetadata.RETRY_ATTEMPT, "0");
        });
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void a_replay_after_a_crash_keeps_key_and_order_and_is_no_retry(Transport transport) {
        account.requireEmulator().faults().loseAnswer(DispatchParityIT::delivers, 0);
        var provider = dispatch(transport, DispatchOptions.NONE, start(), raised("a"), raised("b"));
        var keys = outbox.undelivered(PARENT).stream().map(Intent::key).toList();
        assertThat(keys).as("nobody heard that the first had arrived").hasSize(3);
        account.requireEmulator().faults().clear();

        assertThat(drain()).isTrue();

        assertThat(take(provider, CHILD).item().messages()).containsExactly(start(), raised("a"), raised("b"));
        assertThat(outbox.undelivered(PARENT)).isEmpty();
        assertThat(receipts())
                .allSatisfy(receipt -> assertThat(metadata(receipt)).containsEntry(DispatchMetadata.RETRY_ATTEMPT, "0"))
                .extracting(receipt -> metadata(receipt).get(DispatchMetadata.IDEMPOTENCY_KEY))
                .containsExactlyElementsOf(keys);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void a_dispatch_that_is_refused_every_time_fails_for_good_and_the_parent_is_told(Transport transport) {
        var refused = refuse(DispatchParityIT::delivers, 400);
        var provider = dispatch(transport, DispatchOptions.NONE, start());
        assertThat(outbox.undelivered(PARENT))
                .singleElement()
                .extracting(Intent::state, Intent::retryAttempt)
                .containsExactly(DispatchState.FAILED_RETRYABLE, 1);

        for (int attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
            assertThat(drain()).isTrue();
        }
        drain();

        assertThat(refused.hits()).isEqualTo(MAX_ATTEMPTS);
        assertThat(failures.newest(null, 10, null).failed()).singleElement().satisfies(failed -> {
            assertThat(failed.intent().state()).isEqualTo(DispatchState.FAILED_FINAL);
            assertThat(failed.reason())
                    .isEqualTo("refused 3 times, at last: " + failed.intent().lastError());
            assertThat(failed.intent().attempts())
                    .as("the last refusal counts too")
                    .isEqualTo(MAX_ATTEMPTS);
            assertThat(failed.answered()).isTrue();
        });
        assertThat(receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
            assertThat(metadata(receipt)).containsEntry(DispatchMetadata.RETRY_ATTEMPT, "2");
        });
        assertThat(take(provider, PARENT).item().messages()).singleElement().isInstanceOf(WorkItem.SubOrchFailed.class);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void past_its_deadline_a_dispatch_fails_at_once_untried(Transport transport) {
        Instant past = store.clock().instant().minusMillis(1);
        var provider = dispatch(transport, DispatchOptions.NONE.withDeadline(past), start(), raised("a"));

        assertThat(account.requireEmulator().requests().matching(DispatchParityIT::delivers))
                .isEmpty();
        assertThat(outbox.undelivered(PARENT)).isEmpty();
        assertThat(failures.newest(null, 10, null).failed()).hasSize(2).allSatisfy(failed -> {
            assertThat(failed.reason()).isEqualTo(FailedIntents.EXPIRED);
            assertThat(DispatchMetadata.of(failed.intent(), 0).headers())
                    .containsEntry(DispatchMetadata.DEADLINE, String.valueOf(past.toEpochMilli()));
        });
        assertThat(receipts())
                .hasSize(2)
                .allSatisfy(
                        receipt -> assertThat(receipt.path("outcome").asText()).isEqualTo("refused"));
        assertThat(take(provider, PARENT).item().messages())
                .singleElement(InstanceOfAssertFactories.type(WorkItem.SubOrchFailed.class))
                .satisfies(failed -> assertThat(failed.details().toString()).contains(FailedIntents.EXPIRED));
        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void all_seven_keys_stand_on_the_receipt(Transport transport) {
        Instant deadline = store.clock().instant().plusSeconds(600);
        dispatch(transport, DispatchOptions.NONE.withDeadline(deadline).withCorrelationId("customer-5"), start());

        var metadata = metadata(receipts().get(0));
        assertThat(metadata)
                .containsOnlyKeys(
                        DispatchMetadata.CORRELATION_ID,
                        DispatchMetadata.EXECUTION_ID,
                        DispatchMetadata.IDEMPOTENCY_KEY,
                        DispatchMetadata.RETRY_ATTEMPT,
                        DispatchMetadata.DEADLINE,
                        DispatchMetadata.DISPATCHED_AT,
                        DispatchMetadata.PARENT_ITEM_ID)
                .containsEntry(DispatchMetadata.CORRELATION_ID, "customer-5")
                .containsEntry(DispatchMetadata.EXECUTION_ID, PARENT + ":1")
                .containsEntry(DispatchMetadata.DEADLINE, String.valueOf(deadline.toEpochMilli()));
        assertThat(metadata.get(DispatchMetadata.IDEMPOTENCY_KEY)).matches("parent:1:[0-9a-f]{16}\\.000000");
        assertThat(metadata.get(DispatchMetadata.PARENT_ITEM_ID))
                .as("the message that caused it")
                .isNotBlank();
    }
}
