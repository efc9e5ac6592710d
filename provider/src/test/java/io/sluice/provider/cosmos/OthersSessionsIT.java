package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many activities of a session that another worker holds, which a search finds again and again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OthersSessionsIT {
    private static final SessionFetchConfig OWNER = new SessionFetchConfig("owner", LOCK);
    private static final SessionFetchConfig OTHER = new SessionFetchConfig("other", LOCK);
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int WAITING = 200;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private SteppedClock clock;
    private CosmosProvider owner;

    @BeforeEach
    void open() {
        clock = new SteppedClock(fixture.store().clock());
        owner = fixture.provider(builder());
        owner.enqueueForWorker(ofSession(1));
        LockedWorkItem first = owner.fetchWorkItem(LOCK, WAIT, OWNER, TagFilter.any())
                .orElseThrow(() -> new AssertionError("the owner claims its session"));
        owner.ackWorkItem(first.lockToken(), completed("order", 1));
        for (int id = 2; id < WAITING + 2; id++) {
            owner.enqueueForWorker(ofSession(id));
        }
    }

    private CosmosProviderBuilder builder() {
        return CosmosProvider.builder().reconciler(false).clock(clock);
    }

    @Test
    void they_hold_up_no_other_activity_and_cost_one_read_together() {
        CosmosProvider other = fixture.provider(builder());
        WorkItem free = new WorkItem.ActivityExecute("another", 1, 1, "charge", "{}", null, null);
        owner.enqueueForWorker(free);
        account.requireEmulator().requests().clear();

        assertThat(taken(other, WAIT)).isEqualTo(free);

        for (int i = 0; i < 20; i++) {
            assertThat(taken(other, NO_WAIT)).isNull();
        }
        assertThat(fixture.dataRequests().stream().filter(request -> request.operation() == RequestKind.ITEM_READ))
                .hasSize(1);
        assertThat(fixture.dataRequests()).hasSizeLessThan(150);
    }

    @ParameterizedTest(name = "announced: {0}")
    @ValueSource(booleans = {false, true})
    void all_of_them_are_found_once_the_owner_let_its_session_lapse(boolean announced) {
        CosmosProvider other = fixture.provider(announced ? builder().workFeed(new ManualWorkFeed()) : builder());
        assertThat(taken(other, NO_WAIT)).isNull();

        clock.step(LOCK.plusSeconds(1));

        Set<Long> ids = new TreeSet<>();
        while (ids.size() < WAITING && taken(other, WAIT) instanceof WorkItem.ActivityExecute activity) {
            ids.add(activity.id());
        }
        assertThat(ids).isEqualTo(LongStream.range(2, WAITING + 2).boxed().collect(Collectors.toSet()));
    }

    private static @Nullable WorkItem taken(CosmosProvider by, Duration longest) {
        return by.fetchWorkItem(LOCK, longest, OTHER, TagFilter.any())
                .map(LockedWorkItem::item)
                .orElse(null);
    }

    private static WorkItem ofSession(long id) {
        return new WorkItem.ActivityExecute("order", 1, id, "charge", "{}", "s", null);
    }
}
