package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.cosmos.deletion.DeletionOutcome;
import io.sluice.provider.cosmos.deletion.DeletionTerms;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.ExpectedRelay;
import io.sluice.provider.cosmos.deletion.HistoryGate;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Attempts to delete trees by a clock that only steps move, and their requests. */
final class DeletionAttempts {
    static final int AT_ONCE = Deletions.MEMBERS_AT_ONCE;
    /** Longer than a deletion may stay undecided. */
    static final Duration TOO_LONG = Duration.ofSeconds(60);

    static final Duration DUE_FOR_RENEWAL = Duration.ofSeconds(15);
    /** No request is refused, so none waits for so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final StoreFixture fixture;
    private final CosmosEmulator emulator;
    private final StoreContents contents;

    DeletionAttempts(StoreFixture fixture) {
        clock.stop();
        this.fixture = fixture;
        this.emulator = fixture.emulator();
        this.contents = new StoreContents(fixture.store());
    }

    SteppedClock clock() {
        return clock;
    }

    StoreContents contents() {
        return contents;
    }

    CosmosProvider provider() {
        return fixture.provider(builder());
    }

    CosmosProviderBuilder builder() {
        return CosmosProvider.builder().reconciler(false).clock(clock);
    }

    StoreSweep sweep() {
        return new StoreSweep(fixture.store(), clock);
    }

    /** For which every open deletion is overdue, renewed or not. */
    StoreSweep sweepOfAnEarlyClock() {
        return new StoreSweep(fixture.store(), () -> clock.instant().plus(TOO_LONG));
    }

    /** One attempt, by force. */
    DeletionOutcome run(WideTree tree, int atOnce) {
        return run(tree, atOnce, null);
    }

    /** The same; waits for the relay for so long, or for none. */
    DeletionOutcome run(WideTree tree, int atOnce, @Nullable Duration relayTimeout) {
        ContainerRequests requests = new ContainerRequests(fixture.store().container());
        Deletions deletions = new Deletions(
                requests,
                new IntentOutbox(requests, clock),
                new HistoryGate(new PurgeMarkers(requests, clock), ExpectedRelay.always(relayTimeout)),
                atOnce,
                clock);
        return deletions.attemptTree(
                Call.onInstance("deleteInstance", tree.root(), PATIENCE), tree.members(), DeletionTerms.byForce(true));
    }

    /** All members are there, and no trace of a deletion. */
    void assertFree(WideTree tree) {
        assertThat(heads(tree))
                .hasSize(tree.size())
                .allSatisfy(head -> assertThat(head.path("lockToken").asText()).doesNotContain("deletion"));
        assertThat(contents.ofType(tree.root(), "deletion")).isEmpty();
    }

    List<ObjectNode> heads(WideTree tree) {
        List<ObjectNode> heads = new ArrayList<>();
        tree.members().forEach(member -> heads.addAll(contents.ofType(member, "instance")));
        return heads;
    }

    /** How many members there were attempts to lock of, since the log was cleared. */
    int lockedMembers() {
        return (int) emulator.requests()
                .matching(DeletionAttempts::isPatchOfHead)
                .map(DeletionAttempts::instance)
                .distinct()
                .count();
    }

    int renewals() {
        return (int) emulator.requests().matching(DeletionAttempts::isRenewal).count();
    }

    /** The first patches of heads: of an undisturbed attempt they are its locks. */
    static Predicate<LoggedRequest> locks() {
        Set<String> members = ConcurrentHashMap.newKeySet();
        return request -> isPatchOfHead(request) && members.add(instance(request));
    }

    /** A head is patched by a batch of its own when it is locked and unlocked, and before it is removed. */
    static boolean isPatchOfHead(LoggedRequest request) {
        return batch(request).matches("patch:[^,]*:instance");
    }

    static boolean isPatchOfHead(String instance, LoggedRequest request) {
        return isPatchOfHead(request) && instance.equals(instance(request));
    }

    static boolean isRenewal(LoggedRequest request) {
        return batch(request).startsWith("patch:deletion:");
    }

    /** Of whose partition it is. */
    static String instance(LoggedRequest request) {
        return String.valueOf(request.partitionKey()).replaceAll("[\\[\"\\]]", "");
    }

    static String batch(LoggedRequest request) {
        return StoreFixture.isBatch(request) ? request.body().toLowerCase(Locale.ROOT) : "";
    }
}
