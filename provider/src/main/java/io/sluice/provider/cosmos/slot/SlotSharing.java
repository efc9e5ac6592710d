package io.sluice.provider.cosmos.slot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares the dispatch slots among the processes that look for the same kind of work. Each has a field in one document,
 * which says until when it shares; from the names that are alive everybody works out the same parts. There are no
 * holders and nothing to hand over: two processes may prefer one slot, or none may, for as long as they know of
 * different members.
 *
 * <p>A process joins when it has lost some races, for then there are others; it renews as long as it finds work and is
 * not alone. So a process by itself, and a fleet without work, send nothing. It renews when it looks for work: a
 * process that does not look has no share. The renewal runs in the background; no query waits for it. Thread-safe.
 */
public final class SlotSharing {
    private static final Logger LOG = LoggerFactory.getLogger(SlotSharing.class);
    private static final String OPERATION = "shareSlots";
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MOST_REMOVED = 10;

    private final ContainerRequests requests;
    private final SlotSettings settings;
    private final InstantSource clock;
    private final String me;
    private final ConcurrentMap<String, Share> shares = new ConcurrentHashMap<>();
    private final Executor background;
    private final Semaphore beating = new Semaphore(1);
    private volatile View view = View.NONE;
    private volatile long nextBeatMillis;
    private long restMillis;

    /**
     * Shares for a process; no request is made.
     *
     * @param background runs the renewals, one at a time
     * @param me its name, another for each life of a process; names that sort by time keep parts in place when a
     *     process joins
     */
    public SlotSharing(
            ContainerRequests requests, SlotSettings settings, InstantSource clock, Executor background, String me) {
        this.requests = requests;
        this.settings = settings;
        this.clock = clock;
        this.background = background;
        this.me = me;
    }

    /** What was known of the members, and when. */
    private record View(SlotMembers members, long atMillis) {
        static final View NONE = new View(SlotMembers.NONE, Long.MIN_VALUE / 2);
    }

    /**
     * The share in one kind of work.
     *
     * @param queue which queue
     * @param wanted what of it is looked for; only those who look for the same share
     */
    public SlotShare of(String queue, String wanted) {
        CRC32 digest = new CRC32();
        digest.update(wanted.getBytes(StandardCharsets.UTF_8));
        return shares.computeIfAbsent(queue + "_" + Long.toHexString(digest.getValue()), Share::new);
    }

    private final class Share implements SlotShare {
        private final String group;
        private boolean isJoined;
        private long joinedMillis;
        private long workMillis;
        private long windowMillis;
        private int races;

        Share(String group) {
            this.group = group;
        }

        @Override
        public SlotRange range(Call call) {
            long now = clock.millis();
            if (!isSharing(now)) {
                return SlotRange.ALL;
            }
            if (now >= nextBeatMillis && beating.tryAcquire()) {
                beginBeat(now);
            }
            View seen = view;
            return now - seen.atMillis() < settings.trustedMillis()
                    ? seen.members().range(group, me, now)
                    : SlotRange.ALL;
        }

        /** Joins, or leaves, if it is time to. */
        private synchronized boolean isSharing(long now) {
            if (!isJoined && (settings.racesToJoin() == 0 || races >= settings.racesToJoin())) {
                isJoined = true;
                joinedMillis = now;
                workMillis = now;
                nextBeatMillis = now;
                LOG.atDebug().addKeyValue("group", group).log("this process shares slots with other processes");
            }
            long stay = settings.lease().toMillis();
            boolean isAlone = now - joinedMillis >= stay
                    && view.members().live(group, now).size() <= 1;
            if (isJoined && settings.racesToJoin() > 0 && (isAlone || now - workMillis >= stay)) {
                isJoined = false;
                races = 0;
            }
            return isJoined;
        }

        @Override
        public synchronized void raceLost() {
            long now = clock.millis();
            if (now - windowMillis >= settings.window().toMillis()) {
                windowMillis = now;
                races = 0;
            }
            races++;
        }

        @Override
        public synchronized void workFound() {
            workMillis = clock.millis();
        }
    }

    private void beginBeat(long now) {
        try {
            background.execute(() -> beat(now));
        } catch (RejectedExecutionException e) {
            beating.release();
            throw e;
        }
    }

    /** Renews the lease and reads the other members; until then dispatchers use the members known before. */
    private void beat(long now) {
        try {
            Optional<ObjectNode> document = renewed(now);
            SlotMembers members = document.map(SlotMembers::of).orElse(SlotMembers.NONE);
            boolean isChanged = shares.keySet().stream()
                    .anyMatch(group ->
                            !members.live(group, now).equals(view.members().live(group, now)));
            restMillis = isChanged
                    ? settings.shortestRestMillis()
                    : Math.min(settings.heartbeat().toMillis(), Math.max(1, restMillis) * 2);
            view = new View(members, now);
            document.ifPresent(stored -> removeGone(members, DocumentJson.etag(stored), now));
        } catch (ProviderException e) {
            restMillis = settings.heartbeat().toMillis();
            LOG.atDebug()
                    .addKeyValue("member", me)
                    .setCause(e)
                    .log("the processes that share slots could not be read; the last known list stays in use");
        } finally {
            nextBeatMillis = now + restMillis;
            beating.release();
        }
    }

    /**
     * Takes this process out, so that the others share its slots after their next heartbeat, not when its lease has run
     * out. If that fails, it does.
     */
    public void leave() {
        awaitLastBeat();
        if (!view.members().untilMillis().containsKey(me)) {
            return;
        }
        FieldPatch departure = FieldPatch.none().andRemove(SlotMembers.field(me));
        var patch = new BatchWrite.PatchFields(SlotMembers.ID, departure, null);
        try {
            WriteOutcome outcome = requests.batch(call(), SlotMembers.PARTITION, List.of(patch));
            LOG.atDebug()
                    .addKeyValue("member", me)
                    .addKeyValue("removed", outcome.isCommitted())
                    .log("this process leaves the processes that share slots");
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("member", me)
                    .setCause(e)
                    .log("the lease on slots could not be released and expires by itself");
        }
    }

    /** A renewal after the departure would bring this process back: none begins any more, one under way may end. */
    private void awaitLastBeat() {
        try {
            if (!beating.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atDebug()
                        .addKeyValue("member", me)
                        .log("this process leaves while a renewal of its slots is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<ObjectNode> renewed(long now) {
        Call call = call();
        ObjectNode groups = groups(now);
        var renewal = new BatchWrite.PatchFields(SlotMembers.ID, FieldPatch.set(SlotMembers.field(me), groups), null);
        WriteOutcome outcome = requests.batch(call, SlotMembers.PARTITION, List.of(renewal));
        if (outcome.isNotFound()) {
            var first = new BatchWrite.Create(SlotMembers.document(me, groups));
            outcome = requests.batch(call, SlotMembers.PARTITION, List.of(first));
            if (outcome.isConflict()) {
                outcome = requests.batch(call, SlotMembers.PARTITION, List.of(renewal));
            }
        }
        if (!outcome.isCommitted()) {
            throw Failures.of(call, outcome);
        }
        return requests.read(call, SlotMembers.PARTITION, SlotMembers.ID);
    }

    private ObjectNode groups(long now) {
        ObjectNode groups = DocumentJson.object();
        Map<String, Boolean> sharing = new HashMap<>();
        shares.forEach((group, share) -> sharing.put(group, share.isSharing(now)));
        long until = now + settings.lease().toMillis();
        sharing.forEach((group, isSharing) -> {
            if (isSharing) {
                groups.put(group, until);
            }
        });
        return groups;
    }

    /**
     * On condition of the version that was read, since removing a missing field is refused; a process that was faster
     * has removed it.
     */
    private void removeGone(SlotMembers members, String etag, long now) {
        List<String> gone = members.gone(now - settings.lease().toMillis(), MOST_REMOVED);
        if (!gone.isEmpty()) {
            var removal = new BatchWrite.PatchFields(SlotMembers.ID, removing(gone), etag);
            WriteOutcome outcome = requests.batch(call(), SlotMembers.PARTITION, List.of(removal));
            LOG.atDebug()
                    .addKeyValue("members", gone.size())
                    .addKeyValue("removed", outcome.isCommitted())
                    .log("tried to remove processes that no longer renew their slots");
        }
    }

    private static FieldPatch removing(List<String> members) {
        FieldPatch patch = FieldPatch.none();
        members.forEach(member -> patch.andRemove(SlotMembers.field(member)));
        return patch;
    }

    private Call call() {
        return new Call(OPERATION, "slots for '" + me + "'", Deadline.in(PATIENCE));
    }
}
