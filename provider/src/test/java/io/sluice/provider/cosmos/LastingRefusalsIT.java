package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.Faults;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A refusal that stays makes an operation fail in the way its caller can live with. {@code CrashEnumerationIT} plays
 * those that pass: between two tries the provider waits by the machine's clock, for which a world does not wait.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LastingRefusalsIT {
    private static final String INSTANCE = "order-1";
    private static final Duration SHORT = Duration.ofMillis(1_500);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** By so much the clock may have gone back since it was read, when an answer told the service's time better. */
    private static final Duration CORRECTION = Duration.ofMillis(100);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;
    private Faults faults;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        faults = fixture.emulator().faults();
    }

    /** What every write is refused with. */
    enum Refusal {
        THROTTLED(429, 3200),
        UNAVAILABLE(503, 0),
        FORBIDDEN(403, 0),
        UNAUTHORIZED(401, 0);

        private final int status;
        private final int subStatus;

        Refusal(int status, int subStatus) {
            this.status = status;
            this.subStatus = subStatus;
        }

        FaultRule on(Faults faults) {
            return faults.refuse(LastingRefusalsIT::isWrite, 0, status, subStatus);
        }
    }

    /** A write, prepared on an empty store, and how many documents of which type it leaves. */
    enum Writing {
        ENQUEUE_MESSAGE("orch_queue", 1, provider -> () -> provider.enqueueForOrchestrator(start(INSTANCE), null)),
        ACK_TURN("history", 1, provider -> {
            provider.enqueueForOrchestrator(start(INSTANCE), null);
            LockedTurn turn = takeTurn(provider);
            return () -> provider.ackOrchestrationItem(firstAck(turn));
        }),
        ACK_ACTIVITY("worker_queue", 0, provider -> {
            String token = activityToken(provider);
            return () -> provider.ackWorkItem(token, completed(INSTANCE, 2));
        }),
        ABANDON_ACTIVITY("worker_queue", 1, provider -> {
            String token = activityToken(provider);
            return () -> provider.abandonWorkItem(token, null, true);
        });

        private final String type;
        private final int left;

        @SuppressWarnings("ImmutableEnumChecker") // A function without state.
        private final Function<CosmosProvider, Runnable> prepare;

        Writing(String type, int left, Function<CosmosProvider, Runnable> prepare) {
            this.type = type;
            this.left = left;
            this.prepare = prepare;
        }
    }

    private static String activityToken(CosmosProvider provider) {
        provider.enqueueForWorker(activity(INSTANCE, 2));
        return takeActivity(provider).lockToken();
    }

    @ParameterizedTest
    @EnumSource
    @Covers("wire 36a")
    void a_renewal_that_never_succeeds_says_so_only_when_the_lock_is_gone(Refusal refusal) {
        provider.enqueueForWorker(activity(INSTANCE, 2));
        LockedWorkItem item = provider.fetchWorkItem(SHORT, PATIENCE, null, TagFilter.defaultOnly())
                .orElseThrow();
        CosmosStore store = fixture.store();
        long until = fixture.documents(store, INSTANCE, "worker_queue")
                .get(0)
                .get("lockedUntil")
                .asLong();
        FaultRule rule = refusal.on(faults);

        assertThatThrownBy(() -> provider.renewWorkItemLock(item.lockToken(), PATIENCE))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("Invalid lock token");

        assertThat(store.clock().millis())
                .as("the lock had lapsed")
                .isGreaterThanOrEqualTo(until - CORRECTION.toMillis());
        assertThat(rule.hits()).as("it was tried again and again").isGreaterThan(1);
        faults.clear();
        provider.ackWorkItem(takeActivity(provider).lockToken(), null);
    }

    static Stream<Arguments> everyWriteAndRefusal() {
        return Stream.of(Writing.values())
                .flatMap(writing -> Stream.of(Refusal.THROTTLED, Refusal.FORBIDDEN, Refusal.UNAUTHORIZED)
                        .map(refusal -> Arguments.of(writing, refusal)));
    }

    @ParameterizedTest
    @MethodSource("everyWriteAndRefusal")
    @Covers("wire 32")
    void what_stays_refused_for_no_fault_of_the_request_is_never_permanent(Writing writing, Refusal refusal) {
        Runnable write = writing.prepare.apply(provider);
        Thread impatient = Thread.currentThread();
        try (var interrupt =
                NthRequest.doing(fixture.emulator(), LastingRefusalsIT::isWrite, 3, impatient::interrupt)) {
            refusal.on(faults);

            assertThatThrownBy(write::run)
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isTrue());

            assertThat(Thread.interrupted())
                    .as("the interrupt is kept for the caller")
                    .isTrue();
            await().until(interrupt::happened);
        }
        faults.clear();
        assertSucceeds(writing, write);
    }

    @Test
    @Covers("wire 32")
    void an_ack_that_the_store_forbids_as_long_as_its_lock_lives_is_retryable_and_says_what_to_do() {
        provider.enqueueForOrchestrator(start(INSTANCE), null);
        LockedTurn turn = provider.fetchOrchestrationItem(SHORT, PATIENCE, null).orElseThrow();
        faults.refuse(LastingRefusalsIT::isWrite, 0, 403, 5300);

        assertThatThrownBy(() -> provider.ackOrchestrationItem(firstAck(turn)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining(INSTANCE)
                .hasMessageContaining("least-role.md");

        faults.clear();
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACK_TURN", "ACK_ACTIVITY", "ENQUEUE_MESSAGE"})
    void a_refusal_of_this_very_request_is_permanent(Writing writing) {
        Runnable write = writing.prepare.apply(provider);
        FaultRule rule = faults.refuse(LastingRefusalsIT::isWrite, 1, 400, 0);

        assertThatThrownBy(write::run)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(INSTANCE);

        assertThat(rule.hits()).isEqualTo(1);
        assertSucceeds(writing, write);
    }

    private void assertSucceeds(Writing writing, Runnable write) {
        write.run();

        assertThat(fixture.documents(fixture.store(), INSTANCE, writing.type)).hasSize(writing.left);
    }

    private static boolean isWrite(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }
}
