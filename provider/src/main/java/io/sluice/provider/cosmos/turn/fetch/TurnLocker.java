package io.sluice.provider.cosmos.turn.fetch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnCandidate;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes an instance's lock and tags its messages, in one batch per 99 of them. Every batch names the version of the
 * instance, so that whatever was read before is proved to hold when it commits.
 */
final class TurnLocker {
    private static final int MESSAGES_PER_BATCH = BatchWrite.MAX_OPERATIONS - 1;

    private final ContainerRequests requests;
    private final PartitionReader partitions;
    private final InstantSource clock;

    TurnLocker(StoredInstances stored) {
        this.requests = stored.requests();
        this.partitions = stored.partitions();
        this.clock = stored.clock();
    }

    /**
     * What to lock.
     *
     * @param head null for an instance that is not stored yet; {@code skeleton} is then created
     * @param content how much of the messages is known; the lock is to bring the rest
     */
    record Target(
            @Nullable Stored<InstanceDocument> head,
            InstanceDocument skeleton,
            List<QueueDocument> messages,
            TurnCandidate.Content content) {}

    /**
     * The lock that was taken.
     *
     * @param messages those that were tagged, in FIFO order
     */
    record Lock(String token, Stored<InstanceDocument> head, List<QueueDocument> messages) {
        private Lock with(Stored<InstanceDocument> newer, List<QueueDocument> more) {
            List<QueueDocument> all = new ArrayList<>(messages);
            all.addAll(more);
            return new Lock(token, newer, all);
        }

        private Lock inOrder() {
            return new Lock(
                    token, head, messages.stream().sorted(QueueDocument.FIFO).toList());
        }
    }

    /**
     * Locks, and tags as many messages as a turn takes and half of the lock's time allows: of more the oldest, and the
     * start wherever it stands. The others stay as they are, for the next turn.
     *
     * @return nothing when somebody else was faster; no lock is held then that anybody would use
     * @throws ProviderException when the store fails; no lock is held then, or one that lapses by itself
     */
    Optional<Lock> lock(Call call, Target target, Duration lockTimeout) {
        List<QueueDocument> waiting = startAmongFirst(target.messages());
        List<QueueDocument> messages = waiting.subList(0, Math.min(waiting.size(), ReadyMessages.MOST_OF_TURN));
        Optional<Lock> lock = lockFirst(call, target, messages.subList(0, countTagged(messages, 0)), lockTimeout);
        int done = countTagged(messages, 0);
        while (done < messages.size() && lock.isPresent()) {
            // A little more than half is to be left: with less, the lock is renewed before the turn is given out.
            long left = lockedUntil(lock.get()) - lockTimeout.toMillis() * 11 / 20 - clock.millis();
            if (left <= 0) {
                break;
            }
            int next = countTagged(messages, done);
            Call tagging = call.within(FetchRequest.PATIENCE).atMost(Duration.ofMillis(left));
            lock = tagMore(tagging, lock.get(), messages.subList(done, next));
            if (lock.isPresent() && lock.get().messages().size() < next) {
                break;
            }
            done = next;
        }
        return lock.map(Lock::inOrder);
    }

    private static int countTagged(List<QueueDocument> messages, int before) {
        return Math.min(messages.size(), before + MESSAGES_PER_BATCH);
    }

    /** A runtime can't process an instance's first messages without its start. */
    private static List<QueueDocument> startAmongFirst(List<QueueDocument> messages) {
        for (int i = 0; i < messages.size(); i++) {
            if (Messages.isStart(messages.get(i))) {
                if (i < MESSAGES_PER_BATCH) {
                    return messages;
                }
                List<QueueDocument> moved = new ArrayList<>(messages);
                moved.add(0, moved.remove(i));
                return moved;
            }
        }
        return messages;
    }

    private static long lockedUntil(Lock lock) {
        Long until = lock.head().document().lockedUntil();
        return until == null ? 0 : until;
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

    /** A store that is busy may keep us waiting, so the lock's time begins with the try that succeeds. */
    private Optional<Lock> lockFirst(Call call, Target target, List<QueueDocument> messages, Duration lockTimeout) {
        String token = UUID.randomUUID().toString();
        InstanceDocument before =
                target.head() == null ? target.skeleton() : target.head().document();
        Backoff backoff = new Backoff();
        while (true) {
            Tag tag = new Tag(token, clock.millis() + lockTimeout.toMillis());
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
            tagAll(writes, messages, tag, target.content().isUnproven() ? mayBeTaken() : null);
            if (target.content().isCut()) {
                messages.forEach(message -> writes.add(new BatchWrite.Return(message.id())));
            }
            WriteOutcome outcome = requests.batch(call, before.instanceId(), writes);
            if (!outcome.isOnlyForNow() || !backoff.pause(call, outcome.retryAfter())) {
                // It may be ours by now: what became of it is worth more patience than a try was.
                Call settling = call.within(FetchRequest.PATIENCE);
                return settle(settling, outcome, locked)
                        .map(head -> new Lock(
                                token, head, target.content().isCut() ? whole(settling, outcome, messages) : messages));
            }
        }
    }

    /**
     * The messages with their content, as the batch returned them, or as they are found now if its answer was lost; as
     * they were before it tagged them.
     */
    private List<QueueDocument> whole(Call call, WriteOutcome outcome, List<QueueDocument> messages) {
        List<String> ids = messages.stream().map(QueueDocument::id).toList();
        List<ObjectNode> documents = outcome instanceof WriteOutcome.Committed committed
                ? committed.documents()
                : partitions.documents(call, messages.get(0).instanceId(), ids);
        List<ObjectNode> tagged = documents.stream()
                .filter(document -> ids.contains(DocumentJson.id(document)))
                .toList();
        return partitions.readable(tagged).stream()
                .map(QueueDocument::beforeFetch)
                .collect(Collectors.toMap(QueueDocument::id, message -> message, (older, newer) -> newer))
                .values()
                .stream()
                .toList();
    }

    /**
     * The lock with the messages that are still there; the same lock when the store would not take them in
     * time. A batch without an answer is sent again: all of them name one version of the instance, so that one applies
     * at most.
     *
     * @return nothing when the lock is lost
     * @throws ProviderException when it can't be found out whether the messages are tagged
     */
    private Optional<Lock> tagMore(Call call, Lock lock, List<QueueDocument> messages) {
        InstanceDocument before = lock.head().document();
        InstanceDocument after = before.locked(lock.token(), lockedUntil(lock), before.updatedAt() + 1);
        List<QueueDocument> present = new ArrayList<>(messages);
        Backoff backoff = new Backoff();
        boolean isInDoubt = false;
        while (!present.isEmpty()) {
            WriteOutcome outcome = requests.batch(
                    call, before.instanceId(), tagging(after, lock.head().etag(), present));
            isInDoubt |= outcome.isAmbiguous();
            if (outcome instanceof WriteOutcome.Committed committed) {
                return Optional.of(
                        lock.with(new Stored<>(after, committed.etags().get(0)), present));
            }
            if (outcome instanceof WriteOutcome.Refused gone && gone.isNotFound() && gone.index() > 0) {
                present.remove(gone.index() - 1);
                continue;
            }
            boolean mayPass = outcome.isOnlyForNow() || outcome.isAmbiguous();
            if (mayPass && backoff.pause(call, outcome.retryAfter())) {
                continue;
            }
            if (isInDoubt) {
                return settleTags(call, lock, after, present, outcome);
            }
            return outcome.needsReread() && !outcome.isConflict() ? Optional.empty() : Optional.of(lock);
        }
        return Optional.of(lock);
    }

    private static List<BatchWrite> tagging(InstanceDocument after, String etag, List<QueueDocument> messages) {
        Tag tag = new Tag(String.valueOf(after.lockToken()), Objects.requireNonNullElse(after.lockedUntil(), 0L));
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.PatchFields(after.id(), tag.ofInstance(after.updatedAt()), etag));
        tagAll(writes, messages, tag, null);
        return writes;
    }

    /** After a batch without an answer that can't be sent again: the instance shows whether it was applied. */
    private Optional<Lock> settleTags(
            Call call, Lock lock, InstanceDocument after, List<QueueDocument> messages, WriteOutcome last) {
        Stored<InstanceDocument> head =
                partitions.lock(call, after.instanceId()).orElse(null);
        if (head == null || !head.document().bears(lock.token())) {
            return Optional.empty();
        }
        if (head.document().updatedAt() != after.updatedAt()) {
            // It may arrive yet. The messages after it must not be taken before the messages that it would hide.
            throw Failures.of(call, last);
        }
        return Optional.of(lock.with(head, messages));
    }

    private static void tagAll(
            List<BatchWrite> writes, List<QueueDocument> messages, Tag tag, @Nullable String condition) {
        messages.forEach(
                message -> writes.add(new BatchWrite.PatchFields(message.id(), tag.ofMessage(), null, condition)));
    }

    /** An announcement may be old, or wrong: the store itself checks that its document is a message to take now. */
    private String mayBeTaken() {
        return ReadyMessages.condition(clock.millis());
    }

    /** Finds out whether the lock was taken; nothing when somebody else was faster. */
    private Optional<Stored<InstanceDocument>> settle(Call call, WriteOutcome outcome, InstanceDocument locked) {
        return outcome.match(
                committed -> Optional.of(new Stored<>(locked, committed.firstEtag())),
                refused -> Optional.empty(),
                // A batch that arrives later takes a lock without a holder, until it expires; one that has arrived
                // bears our token.
                ambiguous -> partitions
                        .lock(call, locked.instanceId())
                        .filter(head -> head.document().bears(String.valueOf(locked.lockToken()))
                                && head.document().updatedAt() == locked.updatedAt()
                                && head.document().isLocked(clock.millis())),
                Failures.throwing(call));
    }
}
