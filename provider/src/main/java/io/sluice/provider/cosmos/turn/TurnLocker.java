package io.sluice.provider.cosmos.turn;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.Fields;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.FieldPatch;
import io.sluice.provider.cosmos.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes an instance's lock and tags its messages, in one batch per 99 of them. Every batch names the version of the instance, so that whatever was
 * read before is proved to hold when it commits.
 */
final class TurnLocker {
    private static final int MESSAGES_PER_BATCH = BatchWrite.MAX_OPERATIONS - 1;

    private final ContainerRequests requests;
    private final PartitionReader partitions;
    private final InstantSource clock;

    TurnLocker(ContainerRequests requests, PartitionReader partitions, InstantSource clock) {
        this.requests = requests;
        this.partitions = partitions;
        this.clock = clock;
    }

    /**
     * What to lock.
     *
     * @param head null for an instance that is not stored yet; {@code skeleton} is then created
     */
    record Target(@Nullable Stored<InstanceDocument> head, InstanceDocument skeleton, List<QueueDocument> messages) {}

    /** The lock that was taken. */
    record Lock(String token, Stored<InstanceDocument> head) {}

    /**
     * Locks and tags.
     *
     * @return nothing when somebody else was faster; no lock is held then that anybody would use
     * @throws ProviderException when the store fails; no lock is held then, or one that lapses by itself
     */
    Optional<Lock> lock(Call call, Target target, Duration lockTimeout) {
        String token = UUID.randomUUID().toString();
        List<QueueDocument> messages = target.messages();
        int first = Math.min(messages.size(), MESSAGES_PER_BATCH);
        Optional<Lock> lock = lockFirst(call, target, new Tag(token, clock.millis() + lockTimeout.toMillis()), first);
        for (int from = first; from < messages.size() && lock.isPresent(); from += MESSAGES_PER_BATCH) {
            List<QueueDocument> more = messages.subList(from, Math.min(messages.size(), from + MESSAGES_PER_BATCH));
            lock = tagMore(call, lock.get(), more);
        }
        return lock;
    }

    private record Tag(String token, long untilMillis) {
        FieldPatch ofMessage() {
            return FieldPatch.set(Fields.LOCK_TOKEN, token)
                    .and(Fields.LOCKED_UNTIL, untilMillis)
                    .andIncrement(Fields.ATTEMPT_COUNT, 1);
        }

        FieldPatch ofInstance(long updatedAt) {
            return FieldPatch.set(Fields.LOCK_TOKEN, token)
                    .and(Fields.LOCKED_UNTIL, untilMillis)
                    .and(Fields.UPDATED_AT, updatedAt);
        }
    }

    private Optional<Lock> lockFirst(Call call, Target target, Tag tag, int messages) {
        InstanceDocument before =
                target.head() == null ? target.skeleton() : target.head().document();
        long updatedAt = Math.max(clock.millis(), before.updatedAt() + 1);
        InstanceDocument locked = before.locked(tag.token(), tag.untilMillis(), updatedAt);
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(
                target.head() == null
                        ? new BatchWrite.Create(locked.toJson())
                        : new BatchWrite.PatchFields(
                                before.id(),
                                tag.ofInstance(updatedAt),
                                target.head().etag()));
        tagAll(writes, target.messages().subList(0, messages), tag);
        return settled(call, requests.batchPatiently(call, before.instanceId(), writes), locked);
    }

    private Optional<Lock> tagMore(Call call, Lock lock, List<QueueDocument> messages) {
        InstanceDocument head = lock.head().document();
        Long until = head.lockedUntil();
        Tag tag = new Tag(lock.token(), until == null ? 0 : until);
        InstanceDocument moved = head.locked(tag.token(), tag.untilMillis(), head.updatedAt() + 1);
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.PatchFields(
                head.id(), tag.ofInstance(moved.updatedAt()), lock.head().etag()));
        tagAll(writes, messages, tag);
        return settled(call, requests.batchPatiently(call, head.instanceId(), writes), moved);
    }

    private static void tagAll(List<BatchWrite> writes, List<QueueDocument> messages, Tag tag) {
        messages.forEach(message -> writes.add(new BatchWrite.PatchFields(message.id(), tag.ofMessage(), null)));
    }

    private Optional<Lock> settled(Call call, WriteOutcome outcome, InstanceDocument locked) {
        String token = String.valueOf(locked.lockToken());
        if (outcome instanceof WriteOutcome.Committed committed) {
            return Optional.of(
                    new Lock(token, new Stored<>(locked, committed.etags().get(0))));
        }
        if (outcome instanceof WriteOutcome.Ambiguous) {
            // A batch that arrives late locks for nobody until it expires; one that has arrived bears our token.
            return partitions
                    .instance(call, locked.instanceId())
                    .filter(head -> head.document().bears(token)
                            && head.document().updatedAt() == locked.updatedAt()
                            && head.document().isLocked(clock.millis()))
                    .map(head -> new Lock(token, head));
        }
        if (outcome instanceof WriteOutcome.PreconditionFailed
                || outcome instanceof WriteOutcome.Conflict
                || outcome instanceof WriteOutcome.NotFound) {
            return Optional.empty();
        }
        throw Failures.of(call, outcome);
    }

    /** Refuses ids that could not be locked, before anything is written. */
    static void check(String operation, String instanceId) {
        DocumentIds.checkInstanceId(operation, instanceId);
    }
}
