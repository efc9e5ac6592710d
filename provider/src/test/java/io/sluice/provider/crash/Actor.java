package io.sluice.provider.crash;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.SteppedClock;
import io.sluice.provider.cosmos.Sweeps;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A runtime and a relay in one process that may be struck: they fetch, renew, abandon, ack and deliver as they would in
 * life. When the process dies another takes its place, with nothing but the store, once the dead one's locks have
 * lapsed.
 */
final class Actor {
    static final Duration LOCK = Duration.ofSeconds(30);
    /** Announced activities come to a worker that waits. */
    private static final Duration DELIVERY = Duration.ofMillis(100);

    private static final int MOST_ROUNDS = 60;
    private static final int MOST_PAUSES = 4;

    private final CosmosStore store;
    private final SteppedClock clock;
    private final @Nullable ChangeFeedAnnouncer announcer;
    private final Strike strike;
    private final Story story;
    private final List<String> complaints = new ArrayList<>();
    private final boolean immediateDelivery;
    private CosmosProvider provider;
    private int lives;

    /** Where an announcer is given, processes learn of work by it, and query the store otherwise. */
    Actor(CosmosStore store, SteppedClock clock, @Nullable ChangeFeedAnnouncer announcer, Strike strike, Story story) {
        this.store = store;
        this.clock = clock;
        this.announcer = announcer;
        this.strike = strike;
        this.story = story;
        this.immediateDelivery = story.immediateDelivery();
        this.provider = born();
    }

    private CosmosProvider born() {
        lives++;
        var builder = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .immediateDelivery(immediateDelivery);
        return (announcer == null ? builder : builder.workFeed(announcer.join())).build();
    }

    CosmosProvider provider() {
        return provider;
    }

    /**
     * What went wrong that must not: errors that a caller heard of though the fault passed, and work that never ended.
     */
    List<String> complaints() {
        return complaints;
    }

    /** Does something that may be struck; nothing comes back from a process that died over it. */
    <T> Optional<T> act(String what, Supplier<@Nullable T> step) {
        return act(what, false, step);
    }

    /** The same for people, who ask again when they are told that they may. */
    boolean ask(String what, Runnable step) {
        return act(what, true, () -> {
                    step.run();
                    return true;
                })
                .isPresent();
    }

    /** The same for a relay, which tries again later what failed for a reason that may pass. */
    private <T> Optional<T> relay(String what, Supplier<@Nullable T> step) {
        return act(what, true, step);
    }

    private <T> Optional<T> act(String what, boolean comesAgain, Supplier<@Nullable T> step) {
        Optional<T> result = Optional.empty();
        strike.acting(story.isAtRisk(what));
        try {
            result = Optional.ofNullable(step.get());
        } catch (ProviderException e) {
            if (!strike.isDead() && !(comesAgain && e.retryable())) {
                complaints.add(what + ": " + e.getMessage());
            }
        } finally {
            strike.acting(false);
        }
        if (strike.isDead()) {
            die();
            return Optional.empty();
        }
        return result;
    }

    /** The same for what gives nothing back. */
    boolean act(String what, Runnable step) {
        return act(what, () -> {
                    step.run();
                    return true;
                })
                .isPresent();
    }

    /** A client sends a message; one that dies over it looks what became of it before it asks again. */
    void tell(String instance, WorkItem message, Contents contents) {
        long before = contents.count(instance, "orch_queue") + contents.count(instance, "history");
        if (!enqueue(message)
                && contents.count(instance, "orch_queue") + contents.count(instance, "history") == before) {
            enqueue(message);
        }
    }

    private boolean enqueue(WorkItem message) {
        return act("enqueue", () -> provider.enqueueForOrchestrator(message, null));
    }

    private void die() {
        strike.revived();
        provider.close();
        lapse();
        provider = born();
    }

    /** Time goes by until no lock of now is alive. */
    void lapse() {
        clock.step(LOCK.plusSeconds(1));
    }

    /** What a relay does from time to time. */
    void sweep() {
        relay("finish deletions", () -> Sweeps.by(store, clock).finishDeletions());
        relay("finish turns", () -> Sweeps.by(store, clock).finishTurns());
    }

    void end() {
        provider.close();
    }

    /** Works until the story is over; where nothing can be done, time goes by. */
    void workUntil(BooleanSupplier over) {
        int pauses = 0;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            if (over.getAsBoolean()) {
                return;
            }
            boolean worked = turn();
            worked |= activity();
            worked |= deliveries();
            if (!worked && ++pauses > MOST_PAUSES) {
                break;
            } else if (!worked) {
                lapse();
                sweep();
            }
        }
        complaints.add("the story does not end");
    }

    /** What lies in the queues now; nothing befalls who announces it. */
    private void announce() {
        if (announcer != null) {
            announcer.catchUp();
        }
    }

    private boolean turn() {
        announce();
        Optional<LockedTurn> turn = act(
                "fetch a turn",
                () -> provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElse(null));
        if (turn.isEmpty()) {
            return false;
        }
        var token = turn.get().lockToken();
        if (story.abandons(turn.get())) {
            act("abandon a turn", () -> provider.abandonOrchestrationItem(token, null, false));
            return true;
        }
        if (act("renew a turn", () -> provider.renewOrchestrationItemLock(token, LOCK))) {
            act("ack a turn", () -> provider.ackOrchestrationItem(story.decide(turn.get())));
        }
        return true;
    }

    private boolean activity() {
        announce();
        var session = new SessionFetchConfig("worker-" + lives, LOCK);
        Optional<LockedWorkItem> item = act(
                "fetch an activity",
                () -> provider.fetchWorkItem(
                                LOCK, announcer == null ? Duration.ZERO : DELIVERY, session, TagFilter.defaultOnly())
                        .orElse(null));
        if (item.isEmpty()) {
            return false;
        }
        var token = item.get().lockToken();
        if (item.get().attemptCount() == 1) {
            act("abandon an activity", () -> provider.abandonWorkItem(token, null, false));
            return true;
        }
        var execute = (WorkItem.ActivityExecute) item.get().item();
        var owners = List.of("worker-" + lives);
        boolean held = act("renew a session", () -> provider.renewSessionLock(owners, LOCK, LOCK))
                        .isPresent()
                && act("renew an activity", () -> provider.renewWorkItemLock(token, LOCK));
        if (held) {
            act("ack an activity", () -> provider.ackWorkItem(token, Story.completionOf(execute)));
        }
        return true;
    }

    private boolean deliveries() {
        boolean delivered = false;
        for (var instance : story.instances()) {
            delivered |= deliver(instance);
        }
        return delivered;
    }

    private boolean deliver(String source) {
        var outbox = new IntentOutbox(store.container(), clock);
        var intents =
                relay("look for intents", () -> outbox.undelivered(source)).orElse(List.of());
        List<Intent> done = new ArrayList<>();
        for (var intent : intents) {
            var outcome = relay("deliver an intent", () -> outbox.deliver(intent));
            if (outcome.isPresent() && outcome.get() instanceof DeliveryOutcome.Delivered) {
                done.add(intent);
            }
        }
        return !done.isEmpty()
                && relay("remove intents", () -> {
                            outbox.remove(source, done);
                            return true;
                        })
                        .isPresent();
    }
}
