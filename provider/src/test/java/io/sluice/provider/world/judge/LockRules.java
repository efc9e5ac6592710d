package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.world.judge.Operation.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock has one holder: nobody takes, frees or commits under it but who holds it, as long as it is valid in the
 * service's time; and who was told that it is lost never commits under it.
 */
public final class LockRules {
    /** How far apart machines can be that know the service's time from dates of whole seconds. */
    public static final long TOLERANCE_MILLIS = 1_300;

    private final Contents contents;
    private final InstantSource time;
    private final Consumer<String> violation;
    private final Set<String> lost = new HashSet<>();
    private final Map<String, String> committed = new HashMap<>();
    private final Set<String> made = new HashSet<>();
    private int taken;

    public LockRules(Contents contents, InstantSource time, Consumer<String> violation) {
        this.contents = contents;
        this.time = time;
        this.violation = violation;
    }

    /** Its bearer was told for good that it failed: of an ack, that nothing was and nothing will be committed. */
    public void failed(Operation operation, ProviderException why) {
        var token = Objects.requireNonNull(operation.token());
        if (isHeld(token)) {
            violation.accept(operation + " failed permanently though the lock is held: " + why.getMessage());
        }
        if (operation.isAck() && committed.containsKey(token) && contents.head(committed.get(token)) != null) {
            violation.accept(operation + " failed permanently though it was committed: " + why.getMessage());
        }
        if (operation.isAck()) {
            lost.add(token);
        }
    }

    /** Whether its bearer was told so of an ack. */
    public boolean isLost(String token) {
        return lost.contains(token);
    }

    /** Its bearer was told that it is done: what was released is free, and what was renewed is held for long enough. */
    public void done(Operation operation, Duration lock) {
        var token = Objects.requireNonNull(operation.token());
        // What is left of a turn of several batches, somebody finishes later.
        if (operation.isRelease() && isHeld(token) && !bearing(token).allMatch(LockRules::isCommitted)) {
            violation.accept(operation + " is done, and the lock is held");
        }
        long until = operation.beganMillis() + lock.toMillis() - TOLERANCE_MILLIS;
        if (!operation.isRelease() && bearing(token).anyMatch(each -> lockedUntil(each) < until)) {
            violation.accept(operation + " is done, and the lock ends sooner");
        }
    }

    /** Its owner was told that its sessions are renewed: those it surely uses are held for long enough. */
    public void sessionsRenewed(Operation operation, Duration lock) {
        long now = time.millis() + TOLERANCE_MILLIS;
        contents.all("session")
                .filter(each -> each.path("ownerId").asText().equals(operation.process()))
                .filter(each ->
                        lockedUntil(each) > now && each.path("lastActivity").asLong() + lock.toMillis() > now)
                .filter(each -> lockedUntil(each) < operation.beganMillis() + lock.toMillis() - TOLERANCE_MILLIS)
                .forEach(each ->
                        violation.accept(operation + " has renewed its sessions, and one ends sooner: " + each));
    }

    public void check(Change change, @Nullable Operation operation) {
        var before = change.tokenBefore();
        var after = change.tokenAfter();
        if (after != null && !after.equals(before) && operation != null) {
            operation.taken().add(after);
            taken++;
        }
        if (change.type().equals("instance")) {
            checkMade(change, operation);
        }
        if (before == null || change.isCreated() || change.lockedUntilBefore() >= InstanceDocument.LOCKED_FAR) {
            return;
        }
        boolean valid = change.lockedUntilBefore() > time.millis() + TOLERANCE_MILLIS;
        boolean byHolder = operation != null && operation.bears(before);
        boolean meant =
                (after != null && after.startsWith("deletion:")) || (operation != null && isRemoval(operation.kind()));
        if (!change.isRemoved() && valid && !before.equals(after) && !byHolder && !meant) {
            violation.accept("a valid lock of " + change.id() + " in " + change.instance() + ", "
                    + (change.lockedUntilBefore() - time.millis()) + " ms before it lapses, was taken by " + operation);
        }
        if (change.isRemoved()) {
            checkRemoved(change, before, operation, byHolder);
        }
    }

    private static boolean isRemoval(Kind kind) {
        return kind == Kind.DELETE || kind == Kind.PRUNE || kind == Kind.SWEEP;
    }

    /** What a fetch made for want of an instance goes with the turn that is given back. */
    private void checkMade(Change head, @Nullable Operation operation) {
        var before = head.tokenBefore();
        var after = head.tokenAfter();
        if (head.isCreated() && after != null) {
            made.add(after);
        } else if (!head.isRemoved() && after == null && made.contains(before) && isOf(operation, Kind.ABANDON_TURN)) {
            violation.accept("what the fetch of a turn made stays when it is given back: " + head.instance());
        }
    }

    private static boolean isOf(@Nullable Operation operation, Kind kind) {
        return operation != null && operation.kind() == kind;
    }

    private void checkRemoved(Change change, String before, @Nullable Operation operation, boolean byHolder) {
        if (operation == null) {
            return;
        }
        if (operation.kind() == Kind.ACK_ACTIVITY && !byHolder) {
            violation.accept("an activity was acked by a former holder: " + change.id() + " by " + operation);
        }
        if (operation.kind() == Kind.ACK_ACTIVITY && byHolder) {
            committed.put(before, change.instance());
        }
        if (operation.kind() == Kind.ACK_ACTIVITY && lost.contains(before)) {
            violation.accept("an activity was acked after its holder was told that it is lost: " + change.id());
        }
        if (operation.kind() == Kind.ACK_TURN
                && change.type().equals("orch_queue")
                && !byHolder
                && !contents.isStaged(change.instance())) {
            violation.accept("a message of another batch was consumed: " + change.id() + " by " + operation);
        }
    }

    /** A turn was committed under the lock of this head. */
    public void committed(Change head, Operation operation) {
        var before = head.tokenBefore();
        if (before == null || !operation.bears(before)) {
            violation.accept("a turn of " + head.instance() + " was committed by a former holder: " + operation);
        } else if (committed.put(before, head.instance()) != null) {
            violation.accept("two turns of " + head.instance() + " were committed under one lock: " + operation);
        } else if (lost.contains(before)) {
            violation.accept("a turn of " + head.instance() + " was committed after its ack had failed permanently");
        }
    }

    /** A turn of this instance was committed, and is applied part by part: nobody else may take it meanwhile. */
    void checkCommitted(String instance) {
        var head = contents.head(instance);
        if (head == null || !isCommitted(head)) {
            violation.accept("a turn of " + instance + " is not applied yet, and its lock may lapse: " + head);
        }
    }

    /** How many locks were taken so far. */
    public int taken() {
        return taken;
    }

    /** Whether anything is locked by this operation, however long ago. */
    public boolean isBorne(Operation operation) {
        return Stream.concat(contents.all("instance"), contents.all("worker_queue"))
                .anyMatch(each -> operation.bears(each.path("lockToken").asText()));
    }

    /** Whether the lock with this token is certainly valid. */
    public boolean isHeld(String token) {
        return bearing(token).anyMatch(each -> lockedUntil(each) > time.millis() + TOLERANCE_MILLIS);
    }

    private Stream<JsonNode> bearing(String token) {
        return Stream.concat(contents.all("instance"), contents.all("worker_queue"))
                .filter(each -> token.equals(each.path("lockToken").asText()));
    }

    private static boolean isCommitted(JsonNode document) {
        return lockedUntil(document) >= InstanceDocument.LOCKED_FAR;
    }

    private static long lockedUntil(JsonNode document) {
        return document.path("lockedUntil").asLong();
    }
}
