package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work whose partition is throttled does not stand before all that is younger, and is not forgotten either. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ThrottledInstancesIT {
    private static final int HOT = 12;
    private static final int HEALTHY = 6;
    private static final Duration LOCK = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofSeconds(1);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        account.requireEmulator();
        provider = fixture.provider();
        fixture.emulator().faults().refuse(ThrottledInstancesIT::isOfHot, 0, 429, 3200);
    }

    private static boolean isOfHot(LoggedRequest request) {
        return request.partitionKey() != null
                && request.partitionKey().contains("hot-")
                && (request.body().contains("patch") || request.body().contains("replace"));
    }

    private void queueAll(Function<String, Runnable> queue) {
        IntStream.range(0, HOT).forEach(i -> queue.apply("hot-" + i).run());
        IntStream.range(0, HEALTHY).forEach(i -> queue.apply("healthy-" + i).run());
    }

    private static void awaitAll(String kind, int count, Set<String> seen, Supplier<Optional<String>> fetch) {
        await().until(() -> {
            try {
                fetch.get().ifPresent(seen::add);
            } catch (ProviderException e) {
                assertThat(e.retryable()).isTrue();
            }
            return seen.stream().filter(id -> id.startsWith(kind)).count() == count;
        });
    }

    @Test
    void turns_of_instances_behind_them_are_taken() {
        queueAll(id -> () -> provider.enqueueForOrchestrator(start(id), null));
        Set<String> seen = new HashSet<>();
        Supplier<Optional<String>> fetch =
                () -> provider.fetchOrchestrationItem(LOCK, POLL, null).map(turn -> {
                    assertThat(turn.attemptCount()).isEqualTo(1);
                    provider.ackOrchestrationItem(firstAck(turn));
                    return turn.item().instance();
                });

        awaitAll("healthy-", HEALTHY, seen, fetch);
        assertThat(seen).noneMatch(id -> id.startsWith("hot-"));

        fixture.emulator().faults().clear();
        awaitAll("hot-", HOT, seen, fetch);
    }

    @Test
    void activities_behind_them_are_taken() {
        queueAll(id -> () -> provider.enqueueForWorker(activity(id, 1)));
        Set<String> seen = new HashSet<>();
        Supplier<Optional<String>> fetch =
                () -> provider.fetchWorkItem(LOCK, POLL, null, TagFilter.any()).map(item -> {
                    assertThat(item.attemptCount()).isEqualTo(1);
                    provider.ackWorkItem(item.lockToken(), null);
                    return item.item().routedInstance();
                });

        awaitAll("healthy-", HEALTHY, seen, fetch);
        assertThat(seen).noneMatch(id -> id.startsWith("hot-"));

        fixture.emulator().faults().clear();
        awaitAll("hot-", HOT, seen, fetch);
    }

    @Test
    void where_there_is_nothing_else_the_caller_is_told() {
        provider.enqueueForOrchestrator(start("hot-1"), null);

        assertThatThrownBy(() -> provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("the store is throttling");
    }
}
