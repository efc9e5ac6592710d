package io.sluice.provider.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.NthRequest;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One party at a time processes a document, whoever sleeps, dies or gets no answer. */
@Covers("spec/002")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseContextIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final TestClock clock = new TestClock();
    private CosmosStore store;
    private CosmosEmulator emulator;
    private LeaseContext alice;
    private LeaseContext bob;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        alice = context("alice", Duration.ZERO);
        bob = context("bob", Duration.ZERO);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private LeaseContext context(String holder, Duration ahead) {
        return new LeaseContext(
                new ContainerRequests(store.container()),
                new LeaseContext.Party("transfers", holder),
                LeaseConfig.DEFAULT,
                clock.ahead(ahead));
    }

    @Test
    void a_leased_document_is_its_holders_alone_and_whoever_is_refused_learns_whose_it_is() {
        alice.create("t1", "requested", "payload");

        LeasedItem item = alice.acquire("t1");

        assertThat(item).returns("requested", LeasedItem::state).returns("payload", LeasedItem::content);
        assertThat(item.lease()).isEqualTo(new Lease("alice", clock.millis(), MINUTE));
        assertRefused(() -> bob.acquire("t1"), true, "'alice' has leased it until");
        assertRefused(() -> bob.breakLease("t1"), false, "'alice' has leased it until");
        assertThat(bob.nextForState("requested", 10)).isEmpty();
    }

    @Test
    void a_lease_ends_after_a_minute_and_not_earlier() {
        alice.create("t1", "requested", "");
        alice.acquire("t1");
        clock.advance(MINUTE.minusMillis(1));
        assertRefused(() -> bob.acquire("t1"), true, "alice");

        clock.advance(Duration.ofMillis(1));

        assertThat(bob.acquire("t1").lease().holder()).isEqualTo("bob");
        assertRefused(() -> alice.acquire("t1"), true, "bob");
        assertRefused(() -> alice.breakLease("t1"), false, "bob");
    }

    @Test
    void a_holder_may_acquire_again_which_prolongs_its_lease() {
        alice.create("t1", "requested", "");
        alice.acquire("t1");
        clock.advance(Duration.ofSeconds(40));
        alice.acquire("t1");
        clock.advance(Duration.ofSeconds(40));

        assertRefused(() -> bob.acquire("t1"), true, "alice");
    }

    @Test
    void a_broken_lease_leaves_the_document_to_anybody() {
        alice.create("t1", "requested", "");
        alice.acquire("t1");

        alice.breakLease("t1");
        alice.breakLease("t1");
        bob.breakLease("t1");

        assertThat(bob.acquire("t1").lease().holder()).isEqualTo("bob");
        assertThatThrownBy(() -> bob.acquire("t2")).hasMessageContaining("does not exist");
        bob.breakLease("t2");
    }

    @Test
    void next_for_state_leases_what_is_free_oldest_first_and_no_more_than_asked_for() {
        for (int i = 0; i < 7; i++) {
            alice.create("t" + i, i == 3 ? "sent" : "requested", "content " + i);
            clock.advance(Duration.ofMillis(1));
        }
        alice.acquire("t1");
        bob.acquire("t2");
        clock.advance(Duration.ofSeconds(30));
        alice.acquire("t1");
        clock.advance(Duration.ofSeconds(30));

        List<LeasedItem> batch = alice.nextForState("requested", 3);

        assertThat(batch)
                .as("t2 has expired, t1 is leased, t3 is in another state")
                .extracting(LeasedItem::id)
                .containsExactly("t0", "t2", "t4");
        assertThat(batch).extracting(LeasedItem::content).containsExactly("content 0", "content 2", "content 4");
        assertThat(bob.nextForState("requested", 3)).extracting(LeasedItem::id).containsExactly("t5", "t6");
        assertThat(alice.nextForState("requested", 3)).isEmpty();
        assertThatThrownBy(() -> alice.nextForState("requested", 0)).hasMessageContaining("1 to 100");
    }

    @Test
    void a_batch_that_another_party_took_from_is_leased_but_for_that() {
        for (int i = 0; i < 5; i++) {
            alice.create("t" + i, "requested", "");
            clock.advance(Duration.ofMillis(1));
        }
        List<LeasedItem> bobs = new ArrayList<>();
        try (var meanwhile = NthRequest.doing(
                emulator, LeaseContextIT::isBatch, 1, () -> bobs.addAll(bob.nextForState("requested", 2)))) {
            assertThat(alice.nextForState("requested", 5))
                    .extracting(LeasedItem::id)
                    .containsExactly("t2", "t3", "t4");
            assertThat(meanwhile.happened()).isTrue();
        }
        assertThat(bobs).extracting(LeasedItem::id).containsExactly("t0", "t1");
    }

    @Test
    void a_changed_document_keeps_its_lease_and_waits_in_its_new_state() {
        alice.create("t1", "requested", "1");
        LeasedItem item = alice.acquire("t1");
        clock.advance(Duration.ofSeconds(1));

        LeasedItem changed = alice.update(item, "sent", "2");
        alice.update(changed, "sent", "3");

        assertRefused(() -> bob.acquire("t1"), true, "alice");
        assertRefused(() -> alice.update(item, "sent", "4"), false, "changed under this lease");
        alice.breakLease("t1");
        assertThat(bob.nextForState("requested", 1)).isEmpty();
        assertThat(bob.nextForState("sent", 1)).extracting(LeasedItem::content).containsExactly("3");
    }

    @Test
    void a_holder_that_wakes_after_a_takeover_changes_nothing() {
        alice.create("t1", "requested", "1");
        LeasedItem stale = alice.acquire("t1");
        clock.advance(MINUTE);
        LeasedItem taken = bob.acquire("t1");

        assertThat(alice.holds(stale)).isFalse();
        assertRefused(() -> alice.update(stale, "sent", "alice's"), false, "expired");
        // Its clock stands still, so it does not even know that it slept.
        LeaseContext dreaming = context("alice", MINUTE.negated());
        assertRefused(() -> dreaming.update(stale, "sent", "alice's"), false, "'bob' took or renewed it");
        assertRefused(() -> dreaming.acquire("t1"), true, "bob");
        assertThat(bob.update(taken, "sent", "bob's").content()).isEqualTo("bob's");
    }

    @Test
    void an_update_that_was_on_its_way_at_the_takeover_changes_nothing() {
        alice.create("t1", "requested", "1");
        LeasedItem item = alice.acquire("t1");
        clock.advance(MINUTE.minusMillis(1));
        Runnable takeover = () -> {
            clock.advance(Duration.ofMillis(1));
            bob.acquire("t1");
        };
        try (var meanwhile = NthRequest.doing(emulator, LeaseContextIT::isBatch, 1, takeover)) {
            assertRefused(() -> alice.update(item, "sent", "2"), false, "'bob' took or renewed it");
            assertThat(meanwhile.happened()).isTrue();
        }
    }

    @Test
    void a_holder_acts_no_longer_than_all_clocks_within_the_margin_allow() {
        Duration margin = LeaseConfig.DEFAULT.margin();
        LeaseContext fast = context("fast", margin);
        alice.create("t1", "requested", "");
        LeasedItem item = alice.acquire("t1");
        clock.advance(MINUTE.minus(margin).minusMillis(1));
        assertThat(alice.holds(item)).isTrue();
        assertRefused(() -> fast.acquire("t1"), true, "alice");

        clock.advance(Duration.ofMillis(1));

        assertThat(alice.holds(item)).isFalse();
        assertThat(fast.acquire("t1").lease().holder()).isEqualTo("fast");
        assertThat(bob.holds(item)).as("somebody else's").isFalse();
    }

    @ParameterizedTest(name = "before request {0}")
    @ValueSource(ints = {1, 2})
    void of_two_that_acquire_at_once_one_wins(int nth) {
        alice.create("t1", "requested", "");
        try (var meanwhile =
                NthRequest.doing(emulator, request -> request.operation().isData(), nth, () -> bob.acquire("t1"))) {
            assertRefused(() -> alice.acquire("t1"), true, "bob");
            assertThat(meanwhile.happened()).isTrue();
        }
    }

    @Test
    void lost_answers_are_settled_by_reading() {
        for (FaultKind kind : FaultKind.values()) {
            String id = "t-" + kind;
            FaultRule create = kind.order(emulator, 1);
            alice.create(id, "requested", "1");
            assertThat(create.hits()).isEqualTo(1);

            FaultRule acquire = kind.order(emulator, 1);
            LeasedItem item = alice.acquire(id);
            assertThat(acquire.hits()).isEqualTo(1);
            assertRefused(() -> bob.acquire(id), true, "alice");

            FaultRule update = kind.order(emulator, 1);
            LeasedItem changed = alice.update(item, "sent", "2");
            assertThat(update.hits()).isEqualTo(1);
            assertThat(alice.update(changed, kind.name(), "3").content()).isEqualTo("3");

            FaultRule broken = kind.order(emulator, 1);
            alice.breakLease(id);
            assertThat(broken.hits()).isEqualTo(1);

            FaultRule next = kind.order(emulator, 1);
            assertThat(bob.nextForState(kind.name(), 5))
                    .extracting(LeasedItem::id)
                    .containsExactly(id);
            assertThat(next.hits()).isEqualTo(1);
        }
    }

    /** What may happen to a write. */
    private enum FaultKind {
        LOST,
        DROPPED,
        THROTTLED,
        BUSY;

        FaultRule order(CosmosEmulator emulator, int nth) {
            return switch (this) {
                case LOST -> emulator.faults().loseAnswer(LeaseContextIT::isBatch, nth);
                case DROPPED -> emulator.faults().dropConnection(LeaseContextIT::isBatch, nth);
                case THROTTLED -> emulator.faults().refuse(LeaseContextIT::isBatch, nth, 429, 3200);
                case BUSY -> emulator.faults().refuse(LeaseContextIT::isBatch, nth, 503, 0);
            };
        }
    }

    @Test
    void of_many_parties_each_document_goes_to_one() throws Exception {
        for (int i = 0; i < 60; i++) {
            alice.create("t" + i, "requested", "");
        }
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Callable<List<LeasedItem>>> parties = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LeaseContext party = context("party " + i, Duration.ZERO);
            parties.add(() -> takeAll(party));
        }
        List<String> taken = new ArrayList<>();
        for (Future<List<LeasedItem>> future : threads.invokeAll(parties)) {
            future.get().forEach(item -> taken.add(item.id()));
        }
        threads.shutdown();

        assertThat(taken).hasSize(60).doesNotHaveDuplicates();
    }

    private static List<LeasedItem> takeAll(LeaseContext party) {
        List<LeasedItem> all = new ArrayList<>();
        List<LeasedItem> some = party.nextForState("requested", 7);
        while (!some.isEmpty()) {
            all.addAll(some);
            some = party.nextForState("requested", 7);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void malformed_documents_are_given_to_no_party_and_keep_none_from_the_others(int most) {
        for (int i = 0; i < 7; i++) {
            alice.create("t" + i, "requested", "");
            clock.advance(Duration.ofMillis(1));
        }
        List.of("t0", "t1", "t2", "t4").forEach(id -> change(id, "content", IntNode.valueOf(7)));
        change("t5", "lease", DocumentJson.parse("{\"acquiredAt\": 1, \"durationMillis\": 1}"));

        List<String> taken = new ArrayList<>();
        List<LeasedItem> some = alice.nextForState("requested", most);
        while (!some.isEmpty()) {
            assertThat(some).hasSizeLessThanOrEqualTo(most);
            some.forEach(item -> taken.add(item.id()));
            some = alice.nextForState("requested", most);
        }

        assertThat(taken).containsExactly("t3", "t6");
        assertRefused(() -> bob.acquire("t1"), false, "'content'");
    }

    @Test
    void a_document_that_is_damaged_while_its_lease_gets_no_answer_keeps_none_from_the_others() {
        alice.create("t1", "requested", "");
        alice.create("t2", "requested", "");
        emulator.faults()
                .runBefore(
                        request -> request.operation() == RequestKind.QUERY
                                && request.body().contains("c.id"),
                        1,
                        read -> change("t1", "content", IntNode.valueOf(7)));
        emulator.faults().loseAnswer(LeaseContextIT::isBatch, 1);

        assertThat(alice.nextForState("requested", 2))
                .extracting(LeasedItem::id)
                .containsExactly("t2");
    }

    private void change(String id, String field, JsonNode value) {
        ObjectNode document = store.container()
                .readItem(id, new PartitionKey("__leases__:transfers"), ObjectNode.class)
                .block()
                .getItem();
        document.set(field, value);
        store.container().upsertItem(document).block();
    }

    @Test
    void an_id_is_given_once_and_what_the_store_cannot_hold_is_refused() {
        alice.create("t1", "requested", "");

        assertRefused(() -> bob.create("t1", "requested", ""), false, "exists already");
        assertRefused(() -> bob.create("t#1", "requested", ""), false, "U+0023");
        assertThatThrownBy(() -> LeaseContext.of(store, "a/b", "alice", LeaseConfig.DEFAULT))
                .isInstanceOf(ProviderException.class);
    }

    private static boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }

    private static void assertRefused(ThrowingCallable call, boolean passes, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class,
                        e -> assertThat(e.retryable()).as(e.getMessage()).isEqualTo(passes))
                .hasMessageContaining(why);
    }
}
