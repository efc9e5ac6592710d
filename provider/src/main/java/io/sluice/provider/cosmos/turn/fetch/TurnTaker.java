package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.work.TurnCandidate;
import io.sluice.provider.cosmos.turn.work.TurnFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Takes a candidate: reads what has to be known of it, locks it, and makes a turn of it. Thread-safe. */
final class TurnTaker {
    private static final int READS = 3;
    private static final long REMEMBER_LOCKED_MILLIS = 5_000;
    private static final long REMEMBER_CONTENDED_MILLIS = 1_000;

    private final CandidateReader reader;
    private final TurnOpener opener;
    private final LockedTurnReader handOut;
    private final InstantSource clock;

    TurnTaker(CandidateReader reader, TurnOpener opener, LockedTurnReader handOut, InstantSource clock) {
        this.reader = reader;
        this.opener = opener;
        this.handOut = handOut;
        this.clock = clock;
    }

    /**
     * Takes it, unless others keep being faster.
     *
     * @param within how long the store may refuse it until it is locked
     */
    FetchResult take(TurnCandidate candidate, FetchRequest request, Duration within) {
        String instanceId = candidate.instanceId();
        Call call = Call.onInstance(FetchRequest.OPERATION, instanceId, within);
        boolean complete = candidate.exhaustive() && candidate.isLockable();
        Optional<FetchResult> result = complete
                ? reader.assume(candidate, request, clock.millis())
                        .flatMap(known -> lock(call, instanceId, new InstanceReading.Ready(known, ""), request))
                : Optional.empty();
        for (int read = 0; result.isEmpty() && read < READS; read++) {
            result = readAndLock(call, instanceId, request);
        }
        return result.orElseGet(
                () -> FetchResult.of(new WorkOutcome.Contended(clock.millis() + REMEMBER_CONTENDED_MILLIS)));
    }

    /** Whether it can be locked by its messages alone. */
    boolean isRemembered(TurnCandidate candidate) {
        return reader.isRemembered(candidate.instanceId());
    }

    /** Nothing when the instance moved meanwhile. */
    private Optional<FetchResult> readAndLock(Call call, String instanceId, FetchRequest request) {
        InstanceReading reading = reader.judge(call, instanceId, clock.millis());
        if (reading instanceof InstanceReading.Ready ready) {
            return lock(call, instanceId, ready, request);
        }
        if (reading instanceof InstanceReading.Locked locked) {
            long soon = clock.millis() + REMEMBER_LOCKED_MILLIS;
            return Optional.of(FetchResult.of(new WorkOutcome.Contended(Math.min(locked.untilMillis(), soon))));
        }
        if (reading instanceof InstanceReading.Waiting waiting) {
            return Optional.of(FetchResult.of(new WorkOutcome.Unstarted(waiting.untilMillis())));
        }
        return reading instanceof InstanceReading.Empty empty
                ? Optional.of(FetchResult.nothingThere(empty.sessionToken()))
                : Optional.empty();
    }

    /** Nothing when another process was faster. */
    private Optional<FetchResult> lock(
            Call call, String instanceId, InstanceReading.Ready reading, FetchRequest request) {
        KnownInstance known = reading.known();
        Stored<InstanceDocument> head = known.head();
        if (!request.suits(head == null ? null : head.document(), known.messages())) {
            WorkNeeds needs = TurnFilter.needs(head == null ? null : head.document(), known.messages());
            String etag = head == null ? "" : head.etag();
            var unsuitable = new WorkOutcome.Unsuitable(needs, etag, 0, reading.sessionToken());
            return Optional.of(FetchResult.unsuitable(unsuitable, Messages.newestStart(known.messages())));
        }
        DocumentIds.checkInstanceId(FetchRequest.OPERATION, instanceId);
        return opener.open(call, instanceId, known, request.lockTimeout(), clock.millis())
                .map(opened -> handOut.handOut(call.within(FetchRequest.PATIENCE), opened, request.lockTimeout()));
    }
}
