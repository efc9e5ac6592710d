package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks members for a deletion, and unlocks them. A lock is taken only in the version of the member that was checked.
 */
final class MemberLocks {
    private final ContainerRequests requests;
    private final InstantSource clock;

    MemberLocks(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    /** The head of a member; nothing when it is not stored. */
    Optional<Stored<InstanceDocument>> read(Call call, String member) {
        return requests.read(call, member, DocumentIds.instance(member)).map(row -> parse(call, row));
    }

    /**
     * The stored heads of members, perhaps without outputs and custom statuses. Many heads are read by one request to
     * each physical partition.
     */
    Map<String, Stored<InstanceDocument>> readAll(Call call, Collection<String> members) {
        Map<String, Stored<InstanceDocument>> heads = new HashMap<>();
        if (members.size() == 1 || members.size() <= requests.ranges(call).size()) {
            members.forEach(member -> read(call, member).ifPresent(head -> heads.put(member, head)));
            return heads;
        }
        for (List<String> some : QueryBytes.portions(List.copyOf(members))) {
            SqlQuery query = SqlQuery.of(InstanceDocument.ALL_WITH_EXT).andOneOf("c.instanceId", some);
            for (ObjectNode row : requests.queryAllRanges(call, query)) {
                Stored<InstanceDocument> head = parse(call, row);
                heads.put(head.document().instanceId(), head);
            }
        }
        return heads;
    }

    private static Stored<InstanceDocument> parse(Call call, ObjectNode row) {
        try {
            return new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row));
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    /**
     * Locks a member in this version, whatever lock it bears.
     *
     * @param head null creates a head that does not exist yet, so that no other process does
     * @return false when the member has changed: check it again
     */
    boolean tryLock(Call call, String token, String member, @Nullable Stored<InstanceDocument> head) {
        WriteOutcome outcome = requests.batchPatiently(
                call, member, List.of(head == null ? create(member, token) : take(token, head)));
        return outcome.match(
                committed -> true,
                refused -> false,
                // A lock that is written late names a deletion that is aborted by then, and stops no process.
                ambiguous -> read(call, member)
                        .filter(now -> now.document().bears(token))
                        .isPresent(),
                Failures.throwing(call));
    }

    private BatchWrite take(String token, Stored<InstanceDocument> head) {
        FieldPatch lock = FieldPatch.set(Fields.LOCK_TOKEN, token)
                .and(Fields.LOCKED_UNTIL, InstanceDocument.LOCKED_FAR)
                .and(Fields.UPDATED_AT, updatedAt(head.document()));
        return new BatchWrite.PatchFields(head.document().id(), lock, head.etag());
    }

    private BatchWrite create(String member, String token) {
        long now = clock.millis();
        return new BatchWrite.Create(InstanceDocument.skeleton(member, "", "", now)
                .locked(token, InstanceDocument.LOCKED_FAR, now)
                .toJson());
    }

    /**
     * Unlocks a member, if it bears the token. A head that was only created to be locked is deleted, whoever created
     * it: it would pass for an instance.
     *
     * @throws ProviderException retryable when the store is away; the lock then names an aborted deletion, and stops no
     *     process
     */
    void unlock(Call call, String token, String member) {
        Backoff backoff = new Backoff();
        while (true) {
            Optional<Stored<InstanceDocument>> head =
                    read(call, member).filter(now -> now.document().bears(token));
            if (head.isEmpty()) {
                return;
            }
            WriteOutcome outcome = requests.batchPatiently(call, member, List.of(freeing(call, head.get())));
            if (outcome.isCommitted()) {
                return;
            }
            if (!outcome.needsReread() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private BatchWrite freeing(Call call, Stored<InstanceDocument> head) {
        InstanceDocument locked = head.document();
        boolean isAcked = locked.isSurelyAcked()
                || PartitionContents.of(requests, call, locked.instanceId()).isAcked(locked);
        if (!isAcked && locked.orchestrationName().isEmpty()) {
            return new BatchWrite.Delete(locked.id(), head.etag());
        }
        long now = updatedAt(locked);
        InstanceDocument free = isAcked ? locked.unlocked(now) : locked.givenBack(now);
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, free.lockToken())
                .and(Fields.LOCKED_UNTIL, free.lockedUntil())
                .and(Fields.UPDATED_AT, free.updatedAt());
        return new BatchWrite.PatchFields(locked.id(), patch, head.etag());
    }

    private long updatedAt(InstanceDocument document) {
        return Math.max(clock.millis(), document.updatedAt() + 1);
    }
}
