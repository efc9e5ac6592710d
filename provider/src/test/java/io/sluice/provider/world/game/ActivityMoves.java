package io.sluice.provider.world.game;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.game.Compared.Node;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What a worker does. Some tokens are kept when they are spent: they must be refused. */
final class ActivityMoves {
    private static final List<String> OWNERS = List.of("owner0", "owner1");

    private final Compared both;
    private final Fetches fetches;
    private final HeldTokens<HeldToken> grips;

    /** An activity as both stores gave it. */
    private record HeldToken(Node fetcher, WorkItem.ActivityExecute item, String token)
            implements HeldTokens.HeldToken {}

    ActivityMoves(Compared both, Fetches fetches) {
        this.both = both;
        this.fetches = fetches;
        this.grips = new HeldTokens<>(both);
    }

    void fetch(SplittableRandom random) {
        var any = both.process(random);
        var lock = Draw.lock(random);
        var session = Draw.owner(random);
        fetch(session == null ? any : processOf(session.ownerId()), lock, session, Draw.tags(random));
    }

    /** A process knows which sessions it claimed, so that an owner is one process's. */
    private Node processOf(String owner) {
        return both.process(OWNERS.indexOf(owner));
    }

    private Optional<LockedWorkItem> fetch(
            Node process, Duration lock, @Nullable SessionFetchConfig session, TagFilter tags) {
        var what = process.name() + " fetches an activity for " + lock.toSeconds() + " s of " + tags
                + (session == null ? "" : " as " + session);
        var found = fetches.fetch(
                what,
                process,
                () -> process.provider().fetchWorkItem(lock, Duration.ZERO, session, tags),
                () -> both.model().ready(session, tags),
                unused -> {});
        found.ifPresent(work -> {
            var reference = both.model().fetchWork(lock, session, tags, work.item()::equals);
            both.given(
                    what,
                    Optional.of(work),
                    reference.map(
                            expected -> new LockedWorkItem(expected.item(), work.lockToken(), expected.attemptCount())),
                    work.lockToken(),
                    reference.map(LockedWorkItem::lockToken).orElse("none"));
            process.heldUntil().put(work.item(), both.now() + lock.toMillis());
            grips.add(new HeldToken(process, (WorkItem.ActivityExecute) work.item(), work.lockToken()));
        });
        return found;
    }

    void ack(SplittableRandom random) {
        grips.recent(random).ifPresent(grip -> ack(grip, random));
    }

    private void ack(HeldToken grip, SplittableRandom random) {
        var process = grips.user(grip, random);
        var completion = completion(grip.item(), random);
        var answer = both.done(
                process,
                "acks " + grip.item() + " with " + completion,
                side -> side.provider().ackWorkItem(side.token(grip), completion));
        if (answer.isFailure()) {
            grips.died(grip);
        }
        grips.spent(grip, random);
    }

    private static @Nullable WorkItem completion(WorkItem.ActivityExecute item, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 ->
                new WorkItem.ActivityFailed(
                        item.instance(),
                        item.executionId(),
                        item.id(),
                        new ErrorDetails.Infrastructure("model", "it failed", true));
            default -> new WorkItem.ActivityCompleted(item.instance(), item.executionId(), item.id(), "done");
        };
    }

    void renew(SplittableRandom random) {
        grips.recent(random).ifPresent(grip -> renew(grip, random));
    }

    private void renew(HeldToken grip, SplittableRandom random) {
        var process = grip.fetcher();
        var extension = Draw.lock(random);
        both.done(
                process,
                "renews " + grip.item() + " for " + extension.toSeconds() + " s",
                side -> side.provider().renewWorkItemLock(side.token(grip), extension));
    }

    void abandon(SplittableRandom random) {
        grips.alive(random).ifPresent(grip -> abandon(grip, random));
    }

    private void abandon(HeldToken grip, SplittableRandom random) {
        var process = grips.user(grip, random);
        var delay = Draw.delay(random);
        boolean ignoreAttempt = random.nextBoolean();
        var answer = both.done(
                process,
                "abandons " + grip.item() + (delay == null ? "" : " for " + delay.toMillis() + " ms")
                        + (ignoreAttempt ? ", ignoring the attempt" : ""),
                side -> side.provider().abandonWorkItem(side.token(grip), delay, ignoreAttempt));
        if (!answer.isFailure()) {
            process.heldUntil().remove(grip.item());
            grips.spent(grip, random);
        }
    }

    void renewSessions(SplittableRandom random) {
        var owners = Draw.oneIn(3, random) ? OWNERS : List.of(Draw.of(OWNERS, random));
        var extension = Draw.lock(random);
        var idle = Draw.pause(random);
        owners.forEach(owner -> both.same(
                processOf(owner),
                "renews sessions of " + owner + " for " + extension.toSeconds() + " s, active within " + idle.toMillis()
                        + " ms",
                side -> side.provider().renewSessionLock(List.of(owner), extension, idle)));
    }

    /** All processes together: each removes at once what it left itself. */
    void cleanUpSessions() {
        both.sum("clean sessions up", provider -> provider.cleanupOrphanedSessions(Duration.ZERO));
    }

    /** Fetches all activities there are. */
    void drain() {
        var session = new SessionFetchConfig("the last", Duration.ofHours(1));
        while (fetch(both.process(), Duration.ofHours(1), session, TagFilter.any())
                .isPresent()) {
            both.note("one more");
        }
    }
}
