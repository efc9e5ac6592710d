package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActivitiesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.providerAhead(ahead);
    }

    @Test
    void what_is_refused_to_one_owner_is_at_once_the_sessions_owners_in_the_same_process() {
        var mine = new SessionFetchConfig("me", LOCK);
        var yours = new SessionFetchConfig("you", LOCK);
        provider.enqueueForWorker(inSession(1));
        assertThat(fetch(mine, TagFilter.any())).isPresent();
        provider.enqueueForWorker(inSession(2));
        provider.enqueueForWorker(inSession(3));

        assertThat(fetch(yours, TagFilter.any())).isEmpty();

        assertThat(fetch(mine, TagFilter.any()))
                .hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession(2)));
        assertThat(fetch(yours, TagFilter.any())).isEmpty();
        assertThat(fetch(mine, TagFilter.any()))
                .hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession(3)));
    }

    @Test
    void a_worker_at_work_keeps_its_session_from_looking_idle() {
        provider.enqueueForWorker(inSession(1));
        LockedWorkItem work =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        ahead.set(10_000);
        assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ofSeconds(5)))
                .isZero();

        provider.renewWorkItemLock(work.lockToken(), LOCK);

        assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ofSeconds(5)))
                .isEqualTo(1);
    }

    @Test
    void sessions_without_items_are_cleaned_up_once_they_lapse() {
        provider.enqueueForWorker(inSession(1));
        LockedWorkItem work =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        ahead.set(LOCK.toMillis() + 1);
        assertThat(provider.cleanupOrphanedSessions(Duration.ZERO))
                .as("an item still refers to it")
                .isZero();
        LockedWorkItem again =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        provider.ackWorkItem(again.lockToken(), null);
        ahead.set(3 * LOCK.toMillis());

        assertThat(provider.cleanupOrphanedSessions(Duration.ZERO)).isEqualTo(1);
        assertThat(work.attemptCount()).isEqualTo(1);
    }

    private Optional<LockedWorkItem> fetch(@Nullable SessionFetchConfig session, TagFilter tags) {
        return provider.fetchWorkItem(LOCK, NO_WAIT, session, tags);
    }

    private static WorkItem inSession(long id) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", "gpu/1", null);
    }
}
