package io.sluice.provider.world;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.judge.LockRules;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.judge.Operation.Kind;
import io.sluice.provider.world.program.Replay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
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
        var asked = asking(Kind.SESSIONS, null, null);
        if (!renewed) {
            passing(asked, () -> Optional.of(provider().cleanupOrphanedSessions(LOCK)));
        } else if (passing(asked, () -> Optional.of(provider().renewSessionLock(List.of(name()), LOCK, LOCK)))
                .isPresent()) {
            locks().sessionsRenewed(asked, LOCK);
        }
    }

    /** What holds no lock: it may fail, but not for good. */
    private <T> Optional<T> passing(Operation asked, Supplier<Optional<T>> call) {
        try {
            return ask(asked, call);
        } catch (ProviderException e) {
            if (!e.retryable()) {
                world.ledger().violation(asked + " failed permanently: " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** What is done under a lock, if it is done: it fails for good only where the lock is not held any more. */
    private boolean underLock(Operation asked, Runnable call) {
        try {
            tell(asked, call);
            locks().done(asked, LOCK);
            return true;
        } catch (ProviderException e) {
            if (!e.retryable()) {
                locks().failed(asked, e);
            }
            return false;
        }
    }

    private boolean underLock(Kind kind, String token, Runnable call) {
        return underLock(asking(kind, token, null), call);
    }

    private LockRules locks() {
        return world.ledger().locks();
    }

    /** In a story what begins is given back once, and all else renewed. */
    private Care care(String token, boolean begins) {
        if (world.story() != null) {
            return begins && !world.ledger().attempts().wasGivenBack(token) ? Care.GIVEN_BACK : Care.RENEWED;
        }
        int choice = world.isCalm() ? 100 : random.nextInt(100);
        return choice < 4 ? Care.FORGOTTEN : choice < 12 ? Care.GIVEN_BACK : choice < 25 ? Care.RENEWED : Care.ACKED;
    }

    private @Nullable Duration delay() {
        return world.story() == null && random.nextBoolean() ? Duration.ofSeconds(2) : null;
    }

    private boolean ignoresAttempt() {
        return world.story() != null || random.nextBoolean();
    }

    private void announce() {
        var announcements = world.announcements();
        if (announcements != null) {
            announcements.beforeFetch();
        }
    }

    private void turn() {
        announce();
        passing(asking(Kind.FETCH_TURN, null, null), () -> provider().fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                .ifPresent(this::held);
    }

    private void held(LockedTurn turn) {
        pause("holds a turn");
        var token = turn.lockToken();
        world.ledger().attempts().told(token, turn.attemptCount());
        var care = care(token, turn.item().history().isEmpty());
        if (care == Care.FORGOTTEN) {
            world.note(name(), "forgets its turn");
            return;
        } else if (care == Care.GIVEN_BACK) {
            abandonTurn(token, delay(), ignoresAttempt());
            return;
        } else if (care == Care.RENEWED) {
            // Where the renewal ends, the turn goes on; so much the worse for its ack.
            underLock(Kind.RENEW_TURN, token, () -> provider().renewOrchestrationItemLock(token, LOCK));
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
            if (underLock(asking(Kind.ACK_TURN, token, ack), () -> provider().ackOrchestrationItem(ack))) {
                world.ledger().told(instance, ack);
                return;
            }
            if (locks().isLost(token)) {
                return;
            }
            pause("will ack again");
        }
        abandonTurn(token, null, false);
    }

    private void abandonTurn(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        underLock(Kind.ABANDON_TURN, token, () -> provider().abandonOrchestrationItem(token, delay, ignoreAttempt));
    }

    private void activity() {
        announce();
        var announcements = world.announcements();
        passing(
                        asking(Kind.FETCH_ACTIVITY, null, null),
                        () -> announcements == null ? fetch() : announcements.untilDelivered(this::fetch))
                .ifPresent(this::held);
    }

    private Optional<LockedWorkItem> fetch() {
        return provider()
                .fetchWorkItem(LOCK, Duration.ZERO, new SessionFetchConfig(name(), LOCK), TagFilter.defaultOnly());
    }

    private void held(LockedWorkItem item) {
        pause("runs an activity");
        var token = item.lockToken();
        var activity = (WorkItem.ActivityExecute) item.item();
        world.ledger().attempts().told(token, item.attemptCount());
        var care = care(token, true);
        if (care == Care.FORGOTTEN) {
            world.note(name(), "forgets its activity");
            return;
        } else if (care == Care.GIVEN_BACK) {
            underLock(Kind.ABANDON_ACTIVITY, token, () -> provider().abandonWorkItem(token, delay(), ignoresAttempt()));
            return;
        } else if (care == Care.RENEWED) {
            if (activity.sessionId() != null) {
                sessions(true);
            }
            if (!underLock(Kind.RENEW_ACTIVITY, token, () -> provider().renewWorkItemLock(token, LOCK))) {
                // Which a runtime takes for a cancellation, whatever the error says.
                if (locks().isHeld(token)) {
                    world.ledger().violation("a renewal failed though the activity is held");
                }
                return;
            }
            pause("has renewed its activity");
        }
        var completion = activity.name().equals(ClientNode.ERRAND)
                ? null
                : new WorkItem.ActivityCompleted(activity.instance(), activity.executionId(), activity.id(), "done");
        underLock(Kind.ACK_ACTIVITY, token, () -> provider().ackWorkItem(token, completion));
    }
}
