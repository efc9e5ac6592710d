package io.sluice.provider.world.game;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.world.game.Compared.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a dispatcher does. Some tokens are kept when they are spent: they must be refused. */
final class TurnMoves {

    private final Compared both;
    private final Fetches fetches;
    private final HeldTokens<HeldToken> grips;

    /** A turn as both stores gave it. */
    private record HeldToken(Node fetcher, LockedTurn turn) implements HeldTokens.HeldToken {
        String instance() {
            return turn.item().instance();
        }

        @Override
        public String token() {
            return turn.lockToken();
        }
    }

    TurnMoves(Compared both, Fetches fetches) {
        this.both = both;
        this.fetches = fetches;
        this.grips = new HeldTokens<>(both);
    }

    void fetch(SplittableRandom random) {
        fetch(both.process(random), Draw.lock(random), Draw.filter(random));
    }

    private Optional<LockedTurn> fetch(Node process, Duration lock, @Nullable DispatcherCapabilityFilter filter) {
        var what = process.name() + " fetches a turn for " + lock.toSeconds() + " s"
                + (filter == null ? "" : " of " + filter);
        var orphans = new ArrayList<String>();
        var found = fetches.fetch(
                what,
                process,
                () -> {
                    orphans.clear();
                    orphans.addAll(both.model().orphans());
                    return process.provider().fetchOrchestrationItem(lock, Duration.ZERO, filter);
                },
                () -> Stream.concat(
                                both.model().ready(filter).stream(),
                                both.model().orphans().stream().filter(id -> !rejectsAll(filter)))
                        .toList(),
                unused -> orphans.forEach(this::settle));
        found.ifPresent(turn -> {
            var instance = turn.item().instance();
            var reference = both.model().fetchTurnLike(turn.item(), both.isAnnounced(), lock, filter);
            both.given(
                    what,
                    Optional.of(turn),
                    reference.map(expected ->
                            new LockedTurn(expected.item(), turn.lockToken(), expected.attemptCount(), expected.ext())),
                    turn.lockToken(),
                    reference.map(LockedTurn::lockToken).orElse("none"));
            process.heldUntil().put(instance, both.now() + lock.toMillis());
            grips.add(new HeldToken(process, turn));
        });
        return found;
    }

    private static boolean rejectsAll(@Nullable DispatcherCapabilityFilter filter) {
        return filter != null && filter.acceptsNothing();
    }

    /**
     * Whether the fetch met orphans before it found a turn is the provider's affair; what it dropped must be all of
     * them.
     */
    private void settle(String instance) {
        int stored = both.messages(instance);
        int before = both.model().messages(instance);
        if (stored < before) {
            both.model().dropOrphans(instance);
        }
        if (stored != both.model().messages(instance)) {
            throw new Difference(
                    "orphans of " + instance,
                    stored + " messages are left of " + before,
                    both.model().messages(instance));
        }
    }

    void ack(SplittableRandom random) {
        grips.recent(random).ifPresent(grip -> ack(grip, random));
    }

    private void ack(HeldToken grip, SplittableRandom random) {
        var process = grips.user(grip, random);
        var item = grip.turn().item();
        boolean duplicate = !item.history().isEmpty() && Draw.oneIn(12, random);
        var ack = duplicate
                ? AckDraw.duplicate(grip.token(), item, both.now())
                : AckDraw.of(grip.token(), item, both.model().activities(grip.instance()), both.now(), random);
        var answer = both.done(
                process,
                "acks a turn of " + grip.instance() + shown(ack),
                side -> side.provider().ackOrchestrationItem(bearing(side.token(grip), ack)));
        if (!answer.isFailure()) {
            process.heldUntil().remove(grip.instance());
            grips.spent(grip, random);
        } else if (!answer.isDuplicate()) {
            grips.spent(grip, random);
            grips.died(grip);
        }
    }

    private static TurnAck bearing(String token, TurnAck ack) {
        return TurnAck.of(token, ack.executionId())
                .withHistory(ack.historyDelta())
                .withWorkerItems(ack.workerItems())
                .withOrchestratorItems(ack.orchestratorItems())
                .withMetadata(ack.metadata())
                .withCancelledActivities(ack.cancelledActivities());
    }

    private static String shown(TurnAck ack) {
        var events = ack.historyDelta().stream()
                .limit(5)
                .map(event -> event.eventId() + " " + event.kind())
                .toList();
        return ", execution " + ack.executionId() + ", events " + events
                + (ack.historyDelta().size() > events.size()
                        ? "…" + ack.historyDelta().size()
                        : "")
                + (ack.workerItems().isEmpty() ? "" : ", activities " + ack.workerItems())
                + (ack.orchestratorItems().isEmpty() ? "" : ", messages " + ack.orchestratorItems())
                + (ack.cancelledActivities().isEmpty()
                        ? ""
                        : ", cancels "
                                + ack.cancelledActivities().stream()
                                        .map(ScheduledActivityIdentifier::activityId)
                                        .toList())
                + (ack.metadata().status() == null ? "" : ", " + ack.metadata().status());
    }

    void renew(SplittableRandom random) {
        grips.recent(random).ifPresent(grip -> renew(grip, random));
    }

    private void renew(HeldToken grip, SplittableRandom random) {
        var process = grip.fetcher();
        var extension = Draw.lock(random);
        var answer = both.done(
                process,
                "renews a turn of " + grip.instance() + " for " + extension.toSeconds() + " s",
                side -> side.provider().renewOrchestrationItemLock(side.token(grip), extension));
        if (!answer.isFailure()) {
            process.heldUntil().put(grip.instance(), both.now() + extension.toMillis());
        }
    }

    void abandon(SplittableRandom random) {
        grips.alive(random).ifPresent(grip -> abandon(grip, random));
    }

    private void abandon(HeldToken grip, SplittableRandom random) {
        // Only the process that fetched it knows that the instance is to vanish again.
        var process = both.model().isStored(grip.instance()) ? grips.user(grip, random) : grip.fetcher();
        var delay = Draw.delay(random);
        boolean ignoreAttempt = random.nextBoolean();
        var answer = both.done(
                process,
                "abandons a turn of " + grip.instance()
                        + (delay == null ? "" : " for " + delay.toMillis() + " ms")
                        + (ignoreAttempt ? ", ignoring the attempt" : ""),
                side -> side.provider().abandonOrchestrationItem(side.token(grip), delay, ignoreAttempt));
        if (!answer.isFailure()) {
            process.heldUntil().remove(grip.instance());
            grips.spent(grip, random);
        }
    }

    /** Fetches all turns there are. */
    void drain() {
        while (fetch(both.process(), Duration.ofHours(1), null).isPresent()) {
            both.note("one more");
        }
    }
}
