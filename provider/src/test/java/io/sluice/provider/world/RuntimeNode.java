package io.sluice.provider.world;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.Operation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A runtime: it fetches turns and activities, holds them for a while, renews, gives back, forgets, or acks them as a
 * runtime does.
 */
final class RuntimeNode extends Node {
    private static final int MOST_ACKS = 3;

    private boolean isTurnNext;

    /** What becomes of something it holds. */
    private enum Care {
        FORGOTTEN,
        GIVEN_BACK,
        RENEWED,
        ACKED
    }

    RuntimeNode(World world, int number, SplittableRandom random) {
        super(world, number, "runtime", random);
    }

    @Override
    void live() {
        pause(IDLE);
        var ledger = world.ledger();
        boolean turns = ledger.hasQueued("orch_queue");
        boolean activities = ledger.hasQueued("worker_queue");
        int choice = random.nextInt(20);
        if (world.isCalm()) {
            end(turns, activities);
        } else if (choice == 0) {
            sessions(random.nextBoolean());
        } else if (turns && (choice % 2 == 0 || !activities)) {
            turn();
        } else if (activities) {
            activity();
        } else if (choice == 1) {
            turn();
        }
    }

    /** By turns, so that neither waits for chance. */
    private void end(boolean turns, boolean activities) {
        isTurnNext = !isTurnNext;
        if (turns && (isTurnNext || !activities)) {
            turn();
        } else if (activities) {
            activity();
        } else if (!isDone()) {
            sessions(false);
        }
    }

    /** A story leaves no session. */
    @Override
    boolean isDone() {
        return world.story() == null || !world.ledger().hasSessions();
    }

    private void sessions(boolean renewed) {
        try {
            if (renewed) {
                ask(
                        Operation.of(name(), Kind.SESSIONS, null),
                        () -> provider().renewSessionLock(List.of(name()), LOCK, LOCK));
            } else {
                ask(Operation.of(name(), Kind.SESSIONS, null), () -> provider().cleanupOrphanedSessions(LOCK));
            }
        } catch (ProviderException e) {
            mayPass("sessions", e);
        }
    }

    /** In a story what is new is given back once, and all else renewed. */
    private Care care(boolean isNew) {
        if (world.story() != null) {
            return isNew ? Care.GIVEN_BACK : Care.RENEWED;
        }
        int choice = world.isCalm() ? 100 : random.nextInt(100);
        return choice < 4 ? Care.FORGOTTEN : choice < 12 ? Care.GIVEN_BACK : choice < 25 ? Care.RENEWED : Care.ACKED;
    }

    private @Nullable Duration delay() {
        return world.story() == null && random.nextBoolean() ? Duration.ofSeconds(2) : null;
    }

    private boolean ignoresAttempt() {
        return world.story() == null && random.nextBoolean();
    }

    private void announce() {
        var announcements = world.announcements();
        if (announcements != null) {
            announcements.beforeFetch();
        }
    }

    private void turn() {
        announce();
        Optional<LockedTurn> turn;
        try {
            turn = ask(
                    Operation.fetchTurn(name(), world.time().millis()),
                    () -> provider().fetchOrchestrationItem(LOCK, Duration.ZERO, null));
        } catch (ProviderException e) {
            mayPass("a fetch", e);
            return;
        }
        turn.ifPresent(this::held);
    }

    private void held(LockedTurn turn) {
        pause("holds a turn");
        var token = turn.lockToken();
        var care = care(turn.attemptCount() == 1 && turn.item().history().isEmpty());
        if (care == Care.FORGOTTEN) {
            world.note(name(), "forgets its turn");
            return;
        } else if (care == Care.GIVEN_BACK) {
            abandonTurn(token, delay(), ignoresAttempt());
            return;
        } else if (care == Care.RENEWED) {
            try {
                tell(
                        Operation.of(name(), Kind.RENEW_TURN, token),
                        () -> provider().renewOrchestrationItemLock(token, LOCK));
            } catch (ProviderException e) {
                // The renewal ends, the turn goes on; so much the worse for its ack.
                notHeld("a renewal", token, e);
            }
            pause("has renewed its turn");
        }
        var ack = Replay.of(turn, world.code(), world.time().millis(), world.ledger()::violation);
        if (ack.isEmpty()) {
            abandonTurn(token, Duration.ofSeconds(1), true);
        } else {
            ack(turn.item().instance(), ack.get());
        }
    }

    private void ack(String instance, TurnAck ack) {
        var token = ack.lockToken();
        for (int i = 0; i < MOST_ACKS; i++) {
            try {
                tell(Operation.ack(name(), ack), () -> provider().ackOrchestrationItem(ack));
                world.ledger().told(instance, ack);
                return;
            } catch (ProviderException e) {
                if (!e.retryable()) {
                    notHeld("an ack", token, e);
                    world.ledger().locks().lost(token);
                    return;
                }
            }
            pause("will ack again");
        }
        abandonTurn(token, null, false);
    }

    private void abandonTurn(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        try {
            tell(
                    Operation.of(name(), Kind.ABANDON_TURN, token),
                    () -> provider().abandonOrchestrationItem(token, delay, ignoreAttempt));
        } catch (ProviderException e) {
            notHeld("giving back a turn", token, e);
        }
    }

    private void activity() {
        announce();
        Optional<LockedWorkItem> item;
        try {
            var announcements = world.announcements();
            item = ask(
                    Operation.of(name(), Kind.FETCH_ACTIVITY, null),
                    () -> announcements == null ? fetch() : announcements.untilDelivered(this::fetch));
        } catch (ProviderException e) {
            mayPass("a fetch", e);
            return;
        }
        item.ifPresent(this::held);
    }

    private Optional<LockedWorkItem> fetch() {
        return provider()
                .fetchWorkItem(LOCK, Duration.ZERO, new SessionFetchConfig(name(), LOCK), TagFilter.defaultOnly());
    }

    private void held(LockedWorkItem item) {
        pause("runs an activity");
        var token = item.lockToken();
        var activity = (WorkItem.ActivityExecute) item.item();
        var care = care(item.attemptCount() == 1);
        if (care == Care.FORGOTTEN) {
            world.note(name(), "forgets its activity");
            return;
        } else if (care == Care.GIVEN_BACK) {
            try {
                tell(
                        Operation.of(name(), Kind.ABANDON_ACTIVITY, token),
                        () -> provider().abandonWorkItem(token, delay(), ignoresAttempt()));
            } catch (ProviderException e) {
                notHeld("giving back an activity", token, e);
            }
            return;
        } else if (care == Care.RENEWED) {
            if (activity.sessionId() != null) {
                sessions(true);
            }
            try {
                tell(
                        Operation.of(name(), Kind.RENEW_ACTIVITY, token),
                        () -> provider().renewWorkItemLock(token, LOCK));
            } catch (ProviderException e) {
                // Which a runtime takes for a cancellation, whatever the error says.
                if (world.ledger().locks().isHeld(token)) {
                    world.ledger().violation("a renewal failed though the activity is held: " + e.getMessage());
                }
                return;
            }
            pause("has renewed its activity");
        }
        try {
            tell(
                    Operation.of(name(), Kind.ACK_ACTIVITY, token),
                    () -> provider()
                            .ackWorkItem(
                                    token,
                                    new WorkItem.ActivityCompleted(
                                            activity.instance(), activity.executionId(), activity.id(), "done")));
        } catch (ProviderException e) {
            notHeld("an ack of an activity", token, e);
            if (!e.retryable()) {
                world.ledger().locks().lost(token);
            }
        }
    }

    private void mayPass(String what, ProviderException e) {
        if (!e.retryable()) {
            world.ledger().violation(what + " failed permanently: " + e.getMessage());
        }
    }

    private void notHeld(String what, String token, ProviderException e) {
        if (!e.retryable() && world.ledger().locks().isHeld(token)) {
            world.ledger().violation(what + " failed permanently though the lock is held: " + e.getMessage());
        }
    }
}
