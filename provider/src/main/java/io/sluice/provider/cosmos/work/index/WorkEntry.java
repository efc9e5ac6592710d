package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkNeeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the index knows of one instance or activity. */
final class WorkEntry {
    /** Oldest first, what other processes are nearer to last. */
    static final Comparator<WorkEntry> BY_AGE = Comparator.<WorkEntry>comparingInt(entry -> entry.rank)
            .thenComparingLong(entry -> entry.enqueuedAt)
            .thenComparing(entry -> entry.firstId)
            .thenComparing(entry -> entry.key);

    /** Nothing is to be done about it. */
    static final long NO_HELP = Long.MAX_VALUE;
    /** Its turn comes when those before it had theirs. */
    static final long HELP_POSTPONED = Long.MIN_VALUE;

    /** A process that is told of more messages looks at the instance anyway. */
    private static final int MOST_NAMED = 16;

    private final String key;
    private final List<HeardWork> waiting = new ArrayList<>();
    private final List<HeardWork> underWay = new ArrayList<>();
    private @Nullable WorkState state;
    private WorkNeeds needs = WorkNeeds.UNKNOWN;
    private long enqueuedAt = Long.MAX_VALUE;
    private String firstId = "";
    private int rank;
    private int stamp;
    private long heldUntilMillis;
    private long helpAtMillis = NO_HELP;
    private long takenMillis;
    private int refusals;
    private long refusedMillis;
    private boolean isCountedAsFound;

    WorkEntry(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** Null before it has one. */
    @Nullable
    WorkState state() {
        return state;
    }

    /** Changes with the state, so that a timer for an earlier one can be told. */
    int stamp() {
        return stamp;
    }

    void become(WorkState next) {
        WorkState before = state;
        if (before != null && !before.mayBecome(next)) {
            throw new IllegalStateException("an entry must not become " + next + ", was " + before);
        }
        state = next;
        stamp++;
        helpAtMillis = NO_HELP;
    }

    /** The index forgets it: no timer is for it any more. */
    void end() {
        stamp++;
    }

    boolean isReady() {
        return state instanceof WorkState.Ready;
    }

    boolean isHeld() {
        return state instanceof WorkState.Held;
    }

    /** Until when this process has a turn of it locked; 0 where it has none. */
    long heldUntilMillis() {
        return heldUntilMillis;
    }

    void setHeldUntil(long millis) {
        heldUntilMillis = millis;
    }

    /** Whether this is earlier than others are to be asked for help anyway. */
    boolean isEarlierHelp(long atMillis) {
        return atMillis < helpAtMillis;
    }

    void setHelpAt(long millis) {
        helpAtMillis = millis;
    }

    boolean isHelpDue(long nowMillis) {
        return helpAtMillis != HELP_POSTPONED && helpAtMillis <= nowMillis;
    }

    /** When the try began that is under way: what it has read is no younger. */
    long takenMillis() {
        return takenMillis;
    }

    /** The store refused a try. Returns how often it did so one after another. */
    int refused(long nowMillis) {
        refusedMillis = nowMillis;
        return ++refusals;
    }

    /** The store did not refuse it. */
    void served() {
        refusals = 0;
    }

    boolean isTaken() {
        return state instanceof WorkState.Taken;
    }

    WorkNeeds needs() {
        return needs;
    }

    /** Only while it is not ready. */
    void setNeeds(WorkNeeds newNeeds) {
        needs = newNeeds;
    }

    /** What was heard and no fetch tries now. */
    List<HeardWork> waiting() {
        return waiting;
    }

    /** What the fetch that has it tries. */
    List<HeardWork> underWay() {
        return underWay;
    }

    /** What was announced of it and is due, in one; of many documents, that there are some. There is something. */
    KnownWork announced(long nowMillis) {
        List<KnownWork> due = waiting.stream()
                .filter(heard -> heard.isAnnouncedBy(nowMillis))
                .map(HeardWork::work)
                .toList();
        List<AnnouncedDocument> documents = due.stream()
                .flatMap(work -> work.documents().stream())
                .distinct()
                .toList();
        boolean areNamed = documents.size() <= MOST_NAMED
                && due.stream().noneMatch(work -> work.documents().isEmpty());
        boolean hasStart = due.stream().anyMatch(KnownWork::hasStart);
        String instanceId = due.get(0).instanceId();
        return new KnownWork(key, instanceId, areNamed ? documents : List.of(), needs, 0, 0, null, hasStart);
    }

    /** Whether it was announced. */
    boolean isAnnounced() {
        return waiting.stream().anyMatch(HeardWork::isAnnounced)
                || underWay.stream().anyMatch(HeardWork::isAnnounced);
    }

    /** Whether what waits has all the documents that this names. */
    boolean tellsOf(KnownWork work) {
        return !work.documents().isEmpty()
                && work.documents().stream()
                        .allMatch(document -> waiting.stream()
                                .flatMap(heard -> heard.work().documents().stream())
                                .anyMatch(known -> known.id().equals(document.id())));
    }

    /** What it needs, by what was heard of it and no look. */
    WorkNeeds announcedNeeds() {
        return waiting.stream()
                .map(heard -> heard.work().needs())
                .filter(WorkNeeds::isKnown)
                .findFirst()
                .orElse(WorkNeeds.UNKNOWN);
    }

    /** Whether something of what waits may go to another process. */
    boolean isReturnable() {
        return waiting.stream().anyMatch(HeardWork::isReturnable);
    }

    /** Whether something that is due was said to have its needs. */
    boolean isTold(long nowMillis) {
        return waiting.stream()
                .anyMatch(heard -> heard.work().dueAt() <= nowMillis
                        && heard.work().needs().equals(needs));
    }

    /** Whether a search found it, and it was not counted as such. */
    boolean countFound() {
        boolean isNew = !isCountedAsFound && waiting.stream().anyMatch(HeardWork::isFound);
        isCountedAsFound |= isNew;
        return isNew;
    }

    /** Whether it was counted so; it is no more. */
    boolean uncountFound() {
        boolean wasCounted = isCountedAsFound;
        isCountedAsFound = false;
        return wasCounted;
    }

    /** When the first of what waits is due; nothing may be waiting. */
    long nextDue() {
        long due = Long.MAX_VALUE;
        for (HeardWork heard : waiting) {
            due = Math.min(due, heard.work().dueAt());
        }
        return due;
    }

    /** Finds its place in the order, by the oldest that is due. Only while it is not ready. */
    void order(long nowMillis) {
        enqueuedAt = Long.MAX_VALUE;
        firstId = "";
        rank = Integer.MAX_VALUE;
        for (HeardWork heard : waiting) {
            if (heard.work().dueAt() <= nowMillis) {
                rank = Math.min(rank, heard.rank());
                placeBefore(heard);
            }
        }
        if (refusals > 0) {
            // As many as a throttled partition holds would else be tried for ever before all that is younger.
            enqueuedAt = Math.max(enqueuedAt, refusedMillis);
        }
    }

    /** Whether this is older than what was due, so that the entry's place is another. */
    boolean isOlder(HeardWork heard) {
        if (heard.rank() < rank) {
            return true;
        }
        if (heard.work().documents().isEmpty()) {
            return heard.heardMillis() < enqueuedAt;
        }
        return heard.work().documents().stream()
                .anyMatch(document -> document.enqueuedAt() < enqueuedAt
                        || (document.enqueuedAt() == enqueuedAt && document.id().compareTo(firstId) < 0));
    }

    private void placeBefore(HeardWork heard) {
        if (heard.work().documents().isEmpty()) {
            place(heard.heardMillis(), "");
        }
        for (AnnouncedDocument document : heard.work().documents()) {
            place(document.enqueuedAt(), document.id());
        }
    }

    private void place(long at, String id) {
        if (at < enqueuedAt || (at == enqueuedAt && id.compareTo(firstId) < 0)) {
            enqueuedAt = at;
            firstId = id;
        }
    }

    /** A fetch tries what is due. */
    void take(long fetch, long nowMillis) {
        become(new WorkState.Taken(fetch));
        takenMillis = nowMillis;
        waiting.removeIf(heard -> heard.work().dueAt() <= nowMillis && underWay.add(heard));
    }

    /** What was tried waits again. */
    void putBack() {
        waiting.addAll(0, underWay);
        underWay.clear();
    }
}
