package io.sluice.provider.cosmos.waiting;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.turn.work.Clocks;
import io.sluice.provider.cosmos.waiting.WaitingDocument.Mark;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.Operations;
import io.sluice.provider.request.WriteOutcome;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.WaitingType;
import io.sluice.provider.work.WaitingWorkReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the report that the processes on a store share. Whoever finds it old looks at the queues and writes
 * a new one, on condition of the version that was read: of two that do so at once one writes, and each has a good
 * report. Thread-safe.
 */
public final class SharedWaitingWork implements WaitingWorkReader {
    private static final Logger LOG = LoggerFactory.getLogger(SharedWaitingWork.class);
    private static final String OPERATION = "readWaitingWork";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Within this part of the interval work has hardly begun to wait. */
    private static final int GRACE_PART = 6;
    /** Processes that read once an interval look once an interval, not every second time. */
    private static final double OLD_PART = 0.75;

    /** For how many intervals it is noted what a process takes. */
    private static final int MARK_INTERVALS = 3;

    private final ContainerRequests requests;
    private final Operations operations;
    private final WaitingQuery query;
    private final String me;
    private final InstantSource clock;
    private final long intervalMillis;

    /**
     * Makes no request.
     *
     * @param me another name for each life of a process
     * @param interval how old a report may be
     */
    public SharedWaitingWork(
            ContainerRequests requests, Operations operations, String me, Clocks clocks, Duration interval) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("the interval must be positive, was " + interval);
        }
        this.requests = requests;
        this.operations = operations;
        this.query = new WaitingQuery(requests, clocks.nanoTime());
        this.me = me;
        this.clock = clocks.clock();
        this.intervalMillis = interval.toMillis();
    }

    @Override
    public WaitingWork read(Predicate<WaitingType> takes) {
        return operations.run(OPERATION, () -> read(Call.scan(OPERATION, PATIENCE), takes));
    }

    private WaitingWork read(Call call, Predicate<WaitingType> takes) {
        Optional<ObjectNode> stored = requests.read(call, WaitingDocument.PARTITION, WaitingDocument.ID);
        WaitingDocument known = stored.map(WaitingDocument::of)
                .orElseGet(() -> new WaitingDocument(WaitingWork.none(Instant.EPOCH), new TreeMap<>()));
        long now = clock.millis();
        // Clocks of processes differ a little.
        long age = Math.abs(now - known.work().at().toEpochMilli());
        if (age < OLD_PART * intervalMillis) {
            WaitingDocument marked = marked(known, takes, now);
            writeMark(call, known, marked);
            return marked.judged(now);
        }
        WaitingWork found = query.read(call, now, intervalMillis / GRACE_PART);
        WaitingDocument next = marked(known.with(found, now), takes, now);
        if (!write(call, next, stored.map(DocumentJson::etag).orElse(null))) {
            // In the report of the process that was faster: else work would seem untaken that this one takes.
            patchMark(call, next);
        }
        return next.judged(now);
    }

    /** The same mark while it holds for long enough. */
    private WaitingDocument marked(WaitingDocument document, Predicate<WaitingType> takes, long now) {
        Set<String> keys = document.work().types().stream()
                .filter(type -> !type.isRest() && takes.test(type))
                .map(WaitingDocument::key)
                .collect(Collectors.toSet());
        @Nullable Mark before = document.marks().get(me);
        boolean isKept = before != null
                && before.keys().equals(keys)
                && before.untilMillis() - now > MARK_INTERVALS * intervalMillis / 2;
        return isKept ? document : document.with(me, new Mark(now + MARK_INTERVALS * intervalMillis, keys));
    }

    private void writeMark(Call call, WaitingDocument known, WaitingDocument marked) {
        if (marked.marks().equals(known.marks())) {
            return;
        }
        patchMark(call, marked);
    }

    private void patchMark(Call call, WaitingDocument marked) {
        @Nullable Mark mark = marked.marks().get(me);
        String field = WaitingDocument.field(me);
        FieldPatch patch = mark == null ? FieldPatch.none().andRemove(field) : FieldPatch.set(field, mark.toJson());
        note(requests.batch(
                call, WaitingDocument.PARTITION, List.of(new BatchWrite.PatchFields(WaitingDocument.ID, patch, null))));
    }

    private boolean write(Call call, WaitingDocument document, @Nullable String etag) {
        BatchWrite write = etag == null
                ? new BatchWrite.Create(document.toJson())
                : new BatchWrite.Replace(document.toJson(), etag);
        WriteOutcome outcome = requests.batch(call, WaitingDocument.PARTITION, List.of(write));
        note(outcome);
        return outcome.isCommitted();
    }

    /** Another process was faster, or the next time does it: nothing correct rests on what is written. */
    private static void note(WriteOutcome outcome) {
        if (!outcome.isCommitted()) {
            LOG.atDebug().addKeyValue("outcome", outcome).log("the report of waiting work was not written");
        }
    }
}
