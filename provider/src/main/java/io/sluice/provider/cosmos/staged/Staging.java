package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.StagedPart;
import io.sluice.provider.document.StagedTry;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parts of a staged turn, which stay invisible until the turn is committed; and deletes them
 * again where it never was.
 */
public final class Staging {
    /** Parts may be of 1.5 MB, and the service charges a batch as a whole. */
    private static final int REMOVED_AT_ONCE = 20;

    private final ContainerRequests requests;

    /** Staging in this container. */
    public Staging(ContainerRequests requests) {
        this.requests = requests;
    }

    /**
     * Puts every part in place, one batch each.
     *
     * @param call makes one for each request, to end with the lock
     * @return false when somebody removed the try meanwhile: the lock is lost
     * @throws io.sluice.provider.ProviderException when the store fails; the parts then lie there until the next holder
     *     removes them
     */
    public boolean stage(Supplier<Call> call, String instanceId, String token, StagedTurn turn) {
        @Nullable Stored<StagedTry> current = null;
        for (List<BatchWrite> part : turn.parts()) {
            int number = current == null ? 1 : current.document().parts() + 1;
            StagedTry next = new StagedTry(instanceId, turn.tryId(), token, number);
            Optional<Stored<StagedTry>> written = write(call, current, next, part);
            if (written.isEmpty()) {
                return false;
            }
            current = written.get();
        }
        return true;
    }

    private Optional<Stored<StagedTry>> write(
            Supplier<Call> calls, @Nullable Stored<StagedTry> before, StagedTry next, List<BatchWrite> part) {
        StagedPart document = new StagedPart(next.instanceId(), next.tryId(), next.parts(), Operations.write(part));
        BatchWrite advance = before == null
                ? new BatchWrite.Create(next.toJson())
                : new BatchWrite.Replace(next.toJson(), before.etag());
        List<BatchWrite> batch = List.of(advance, new BatchWrite.Create(document.toJson()));
        Backoff backoff = new Backoff();
        while (true) {
            Call call = calls.get();
            WriteOutcome outcome = requests.batchPatiently(call, next.instanceId(), batch);
            Optional<Stored<StagedTry>> found = outcome.match(
                    committed -> Optional.of(new Stored<>(next, committed.firstEtag())),
                    refused -> read(call, next.instanceId(), next.id()),
                    ambiguous -> read(call, next.instanceId(), next.id()),
                    Failures.throwing(call));
            if (found.isPresent() && found.get().document().equals(next)) {
                return found;
            }
            boolean untouched = before == null
                    ? found.isEmpty()
                    : found.filter(before::equals).isPresent();
            if (!untouched) {
                return Optional.empty();
            }
            if (!backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /**
     * Removes the parts of a try whose turn was not committed, and never can be. To be called under a lock of one's
     * own, taken at a version of the instance at which no commit document was there.
     *
     * @return false when the call's time is over before all are gone; what is left is found again
     */
    public boolean remove(Call call, Stored<StagedTry> rubbish) {
        Optional<Stored<StagedTry>> current = Optional.of(rubbish);
        while (current.isPresent()) {
            StagedTry document = current.get().document();
            if (!removeParts(call, document)) {
                return false;
            }
            // A part may have arrived late, with the next version of the try: then once more.
            var last = new BatchWrite.Delete(document.id(), current.get().etag());
            WriteOutcome outcome = delete(call, document.instanceId(), List.of(last));
            current = outcome.isCommitted() || outcome.isNotFound()
                    ? Optional.empty()
                    : read(call, document.instanceId(), document.id());
        }
        return true;
    }

    /** Some of the parts may be gone already. */
    private boolean removeParts(Call call, StagedTry document) {
        List<BatchWrite> left = new ArrayList<>();
        for (int number = document.parts(); number > 0; number--) {
            left.add(new BatchWrite.Delete(document.partId(number), null));
        }
        while (!left.isEmpty()) {
            if (call.deadline().isOver()) {
                return false;
            }
            List<BatchWrite> some = left.subList(0, Math.min(REMOVED_AT_ONCE, left.size()));
            WriteOutcome outcome = delete(call, document.instanceId(), List.copyOf(some));
            if (outcome instanceof WriteOutcome.Refused gone && gone.isNotFound()) {
                some.remove(gone.index());
            } else {
                some.clear();
            }
        }
        return true;
    }

    private WriteOutcome delete(Call call, String instanceId, List<BatchWrite> deletes) {
        WriteOutcome outcome = requests.batchPatiently(call, instanceId, deletes);
        if (outcome instanceof WriteOutcome.Failed) {
            throw Failures.of(call, outcome);
        }
        return outcome;
    }

    private Optional<Stored<StagedTry>> read(Call call, String instanceId, String id) {
        return requests.read(call, instanceId, id).map(Staging::parsed);
    }

    private static Stored<StagedTry> parsed(ObjectNode row) {
        return new Stored<>(StagedTry.fromJson(row), DocumentJson.etag(row));
    }
}
