package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What makes no sense is refused by its name before the store is asked, and times beyond all bounds are as good as for
 * ever.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("NullAway")
class ArgumentsIT {
    private static final TagFilter TAGS = TagFilter.defaultOnly();
    private static final SessionFetchConfig ZERO_SESSION = new SessionFetchConfig("me", NO_WAIT);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static StoreFixture fixture;
    private static CosmosProvider provider;

    @BeforeAll
    static void open() {
        fixture = StoreFixture.provisioned(account);
        provider = fixture.provider();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    static Stream<Duration> endless() {
        return Stream.of(
                Duration.ofMillis(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(365L * 300));
    }

    @ParameterizedTest
    @MethodSource("endless")
    void an_endless_delay_hides_a_message_for_ever(Duration endless) {
        provider.enqueueForOrchestrator(start("hidden"), endless);

        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("endless")
    void an_endless_poll_waits_until_it_is_interrupted(Duration endless) {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> provider.fetchOrchestrationItem(LOCK, endless, null))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());

        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("endless")
    void an_endless_lock_holds(Duration endless) {
        CosmosProvider other = fixture.provider();
        String instance = "held-" + endless.toDays();
        provider.enqueueForOrchestrator(start(instance), null);

        var turn = provider.fetchOrchestrationItem(endless, Duration.ofSeconds(30), null)
                .orElseThrow();
        provider.renewOrchestrationItemLock(turn.lockToken(), endless);

        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
        provider.abandonOrchestrationItem(turn.lockToken(), endless, true);
        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
    }

    static Stream<Arguments> nulls() {
        return Stream.of(
                named("lockTimeout", () -> provider.fetchOrchestrationItem(null, NO_WAIT, null)),
                named("pollTimeout", () -> provider.fetchOrchestrationItem(LOCK, null, null)),
                named("ack", () -> provider.ackOrchestrationItem(null)),
                named("lockToken", () -> provider.abandonOrchestrationItem(null, null, true)),
                named("lockToken", () -> provider.renewOrchestrationItemLock(null, LOCK)),
                named("extendFor", () -> provider.renewOrchestrationItemLock("t", null)),
                named("instance", () -> provider.read(null)),
                named("instance", () -> provider.readWithExecution(null, 1)),
                named("events", () -> provider.appendWithExecution("x", 1, null)),
                named("item", () -> provider.enqueueForOrchestrator(null, null)),
                named("item", () -> provider.enqueueForWorker(null)),
                named("lockTimeout", () -> provider.fetchWorkItem(null, NO_WAIT, null, TAGS)),
                named("tagFilter", () -> provider.fetchWorkItem(LOCK, NO_WAIT, null, null)),
                named("lockToken", () -> provider.ackWorkItem(null, null)),
                named("lockToken", () -> provider.renewWorkItemLock(null, LOCK)),
                named("lockToken", () -> provider.abandonWorkItem(null, null, true)),
                named("ownerIds", () -> provider.renewSessionLock(null, LOCK, LOCK)),
                named("ownerIds[1]", () -> provider.renewSessionLock(Arrays.asList("a", null), LOCK, LOCK)),
                named("idleTimeout", () -> provider.cleanupOrphanedSessions(null)),
                named("key", () -> provider.getKvValue("x", null)),
                named("instance", () -> provider.getKvAllValues(null)),
                named("instance", () -> provider.getCustomStatus(null, 0)),
                named("instance", () -> provider.getInstanceStats(null)));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("nulls")
    void null_is_refused_by_name(String name, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
    }

    static Stream<Arguments> senseless() {
        Duration negative = Duration.ofMillis(-1);
        return Stream.of(
                named("lockTimeout", () -> provider.fetchOrchestrationItem(NO_WAIT, NO_WAIT, null)),
                named("lockTimeout", () -> provider.fetchOrchestrationItem(negative, NO_WAIT, null)),
                named("pollTimeout", () -> provider.fetchOrchestrationItem(LOCK, negative, null)),
                named("extendFor", () -> provider.renewOrchestrationItemLock("t", NO_WAIT)),
                named("lockTimeout", () -> provider.fetchWorkItem(NO_WAIT, NO_WAIT, null, TAGS)),
                named("pollTimeout", () -> provider.fetchWorkItem(LOCK, negative, null, TAGS)),
                named("session.lockTimeout", () -> provider.fetchWorkItem(LOCK, NO_WAIT, ZERO_SESSION, TAGS)),
                named("extendFor", () -> provider.renewWorkItemLock("t", negative)),
                named("extendFor", () -> provider.renewSessionLock(List.of("a"), NO_WAIT, LOCK)),
                named("idleTimeout", () -> provider.cleanupOrphanedSessions(negative)),
                named("item", () -> provider.enqueueForOrchestrator(activity("x", 1), null)),
                named(
                        "limit",
                        () -> provider.asManagementCapability().orElseThrow().listMalformedQueueDocuments(0)));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("senseless")
    void what_makes_no_sense_is_refused_by_name(String name, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageStartingWith(name + " must");
    }

    @Test
    void metadata_with_what_is_no_status_can_not_be_made() {
        assertThatThrownBy(() -> ExecutionMetadata.NONE.withStatus("completed", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("status must");
    }

    private static Arguments named(String name, ThrowingCallable call) {
        return Arguments.of(name, call);
    }
}
