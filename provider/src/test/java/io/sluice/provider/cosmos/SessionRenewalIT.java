package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.Faults;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can't be written or read for one session keeps no other from being renewed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionRenewalIT {
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration LONGER = LOCK.multipliedBy(3);
    private static final List<String> OWNERS = List.of("worker-1");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    /** How the store treats writes to one instance. */
    enum Trouble {
        THROTTLED {
            @Override
            FaultRule begin(Faults faults, Predicate<LoggedRequest> writes) {
                return faults.refuse(writes, 0, 429, 3200);
            }
        },
        FULL {
            @Override
            FaultRule begin(Faults faults, Predicate<LoggedRequest> writes) {
                return faults.refuse(writes, 0, 403, 1014);
            }
        },
        SILENT {
            @Override
            FaultRule begin(Faults faults, Predicate<LoggedRequest> writes) {
                return faults.delay(writes, 0, Duration.ofSeconds(20));
            }
        };

        abstract FaultRule begin(Faults faults, Predicate<LoggedRequest> writes);
    }

    @BeforeEach
    void claimThree() {
        provider = fixture.provider();
        for (String instance : List.of("a", "b", "c")) {
            claim(provider, instance);
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_instance_that_cant_be_written_keeps_no_other_session_from_being_renewed(Trouble trouble) {
        assertThat(renew(LOCK)).isEqualTo(3);
        trouble.begin(fixture.emulator().faults(), writesTo("a"));

        assertThat(renew(LONGER)).isEqualTo(2);

        fixture.emulator().faults().clear();
        assertThat(longSessions()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void an_instance_that_can_be_written_again_within_the_call_is_renewed_too() {
        fixture.emulator().faults().refuse(writesTo("a"), 1, 429, 3200);
        fixture.emulator().faults().refuse(writesTo("b"), 1, 410, 0);

        assertThat(renew(LONGER)).isEqualTo(3);

        assertThat(longSessions()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void a_call_that_renews_nothing_since_nothing_can_be_written_fails() {
        fixture.emulator().faults().refuse(StoreFixture::isBatch, 0, 429, 3200);

        assertThatThrownBy(() -> renew(LONGER))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("throttling");
    }

    @Test
    void a_permanent_failure_hides_none_that_may_pass() {
        fixture.emulator().faults().refuse(writesTo("a"), 0, 403, 1014);
        fixture.emulator().faults().refuse(StoreFixture::isBatch, 0, 429, 3200);

        assertThatThrownBy(() -> renew(LONGER))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());
    }

    @Test
    void a_search_that_fails_keeps_no_session_that_is_known_from_being_renewed() {
        fixture.emulator().faults().refuse(request -> request.operation() == RequestKind.QUERY, 0, 403, 0);

        assertThat(renew(LONGER)).as("by a first call, which searches").isEqualTo(3);

        fixture.emulator().faults().clear();
        claim(fixture.provider(), "d");
        assertThat(renew(LONGER)).as("by the next, which searches again").isEqualTo(4);
    }

    @Test
    void an_interrupted_call_does_not_pass_for_one_without_sessions() {
        // An answer that is there before it is waited for is taken.
        fixture.emulator()
                .faults()
                .delay(request -> request.operation() == RequestKind.QUERY, 0, Duration.ofMillis(200));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> provider.renewSessionLock(List.of("worker-2"), LONGER, IDLE))
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    private int renew(Duration lock) {
        return provider.renewSessionLock(OWNERS, lock, IDLE);
    }

    private List<String> longSessions() {
        CosmosStore store = fixture.store();
        long soon = System.currentTimeMillis() + LOCK.toMillis() + 5_000;
        return List.of("a", "b", "c").stream()
                .filter(instance -> fixture.documents(store, instance, "session").stream()
                        .allMatch(session -> session.path("lockedUntil").asLong() > soon))
                .toList();
    }

    private static Predicate<LoggedRequest> writesTo(String instance) {
        return request -> StoreFixture.isBatch(request)
                && request.partitionKey() != null
                && request.partitionKey().contains("\"" + instance + "\"");
    }

    private static void claim(CosmosProvider by, String instance) {
        by.enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 7, "charge", "{}", "s", null));
        assertThat(by.fetchWorkItem(LOCK, NO_WAIT, new SessionFetchConfig(OWNERS.get(0), LOCK), TagFilter.any()))
                .isPresent();
    }
}
