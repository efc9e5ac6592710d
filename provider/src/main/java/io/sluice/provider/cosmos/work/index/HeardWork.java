package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.search.SessionToken;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import org.jspecify.annotations.Nullable;

/** One thing that was heard of an entry, until it is answered. */
final class HeardWork {
    /** Where it was heard. */
    enum Source {
        ANNOUNCED,
        /** A search found it; the next may find it again. */
        FOUND,
        /** This process wrote it, or keeps it in mind. */
        OWN
    }

    private final Source source;
    private final @Nullable Answer answer;
    private final WorkMoment heard;
    private final long order;
    private KnownWork work;
    private int rank;
    private boolean isToBeRead;
    private int looks;

    HeardWork(Source source, KnownWork work, @Nullable Answer answer, WorkMoment heard, long order) {
        this.source = source;
        this.work = work;
        this.answer = answer;
        this.heard = heard;
        this.order = order;
    }

    /** The answer to one announcement, which may have told of several things: one answer for all. */
    static final class Answer {
        private final WorkFeed.Receipt receipt;
        private final WorkFilter toldTo;
        private final WorkIndex.Delivery delivery;
        private int open;
        private boolean isGiven;

        /**
         * @param toldTo the filter of the processes that share the announcement
         * @param open how many things were told of
         */
        Answer(WorkFeed.Receipt receipt, WorkFilter toldTo, WorkIndex.Delivery delivery, int open) {
            this.receipt = receipt;
            this.toldTo = toldTo;
            this.delivery = delivery;
            this.open = open;
        }

        WorkFeed.Receipt receipt() {
            return receipt;
        }

        /** One of the things is handled. Returns whether the announcement is, by that. */
        boolean handleOne() {
            open--;
            return open == 0 && give();
        }

        /** Returns whether nobody answered before. */
        boolean give() {
            boolean isFirst = !isGiven;
            isGiven = true;
            return isFirst;
        }

        boolean isCurrent() {
            return !isGiven && receipt.isCurrent();
        }
    }

    Source source() {
        return source;
    }

    KnownWork work() {
        return work;
    }

    @Nullable
    Answer answer() {
        return answer;
    }

    long heardMillis() {
        return heard.millis();
    }

    /** By the monotonic clock. */
    long heardSteadyMillis() {
        return heard.steadyMillis();
    }

    /** Its place among all events of the index; what a search found has the place at which the search was sent. */
    long order() {
        return order;
    }

    /** Of what is tried after all else, in this order; 0 for what comes by its age. */
    int rank() {
        return rank;
    }

    void setRank(int newRank) {
        rank = newRank;
    }

    /** Whether a search found it. */
    boolean isFound() {
        return source == Source.FOUND;
    }

    /** Whether this process wrote it, and had by then. */
    boolean isOwnBefore(long place) {
        return source == Source.OWN && order < place;
    }

    /** The same, kept in mind by this process alone. */
    HeardWork asOwn(KnownWork newWork) {
        return new HeardWork(Source.OWN, newWork, null, heard, order);
    }

    boolean isAnnounced() {
        return answer != null;
    }

    /** Whether it was announced and is due. */
    boolean isAnnouncedBy(long nowMillis) {
        return isAnnounced() && work.dueAt() <= nowMillis;
    }

    /** Whether another process gets it when it is released. */
    boolean isReturnable() {
        return answer != null && answer.delivery != WorkIndex.Delivery.KEPT;
    }

    /** Whether another process has it as well, and asks for help. */
    boolean isHelp() {
        return answer != null && answer.delivery == WorkIndex.Delivery.HELP;
    }

    /** Whether it was announced for a filter that does not take it: processes with other filters were told as well. */
    boolean isForOtherFilters(WorkNeeds needs) {
        return answer != null && !needs.maySuit(answer.toldTo);
    }

    /** Whether it still is this process's to handle. */
    boolean isCurrent() {
        return answer == null || answer.isCurrent();
    }

    /**
     * Whether a read by a replica that was so far shows it, unless it was consumed. So does each of what this process
     * wrote, or has found.
     */
    boolean isShownAt(String sessionToken) {
        String written = work.token();
        return isFound()
                || (written != null && (written.isEmpty() || reach(sessionToken) == SessionToken.Reach.INCLUDES));
    }

    /** Whether a read by a replica that was so far can't show it. */
    boolean isHiddenAt(String sessionToken) {
        return !isFound() && reach(sessionToken) == SessionToken.Reach.BEHIND;
    }

    private SessionToken.Reach reach(String sessionToken) {
        String written = work.token();
        return written == null ? SessionToken.Reach.UNKNOWN : SessionToken.reach(sessionToken, written);
    }

    /** Whether the partition has to be read, though documents were named: an earlier try failed. */
    boolean isToBeRead() {
        return isToBeRead || work.documents().isEmpty();
    }

    int looks() {
        return looks;
    }

    /** A read that may lag did not show it. */
    void notSeen(long againAtMillis) {
        looks++;
        tryAgainAt(againAtMillis);
    }

    /** A look has found these needs: others that were announced count no more. */
    void correctNeeds(WorkNeeds found) {
        if (!work.needs().equals(found)) {
            work = work.withNeeds(WorkNeeds.UNKNOWN);
        }
    }

    /** It is tried once more, by a look, then. */
    private void tryAgainAt(long millis) {
        tryAgain();
        work = work.dueAgainAt(millis);
    }

    /** It is tried once more, by a look. */
    void tryAgain() {
        isToBeRead = true;
    }
}
