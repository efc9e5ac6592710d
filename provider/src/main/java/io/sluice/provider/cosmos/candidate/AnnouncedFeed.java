package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is announced to a feed, and what this process knows of its own work before it is announced. Everything here does
 * nothing where no work is announced. Thread-safe.
 */
public final class AnnouncedFeed<C extends Candidate> {
    private final Guard guard;
    private final CandidateSearch<C> search;
    private final Offers<C> offers;
    private final OwnWork<C> own;
    private final Announcements<C> announcements;

    AnnouncedFeed(
            Guard guard, CandidateSearch<C> search, Offers<C> offers, OwnWork<C> own, Announcements<C> announcements) {
        this.guard = guard;
        this.search = search;
        this.offers = offers;
        this.own = own;
        this.announcements = announcements;
    }

    /** Takes announcements from now on. */
    void listenTo(WorkFeed feed, WorkSource<C> source) {
        search.announcedWhile(announcements::areHealthy, source.partitions());
        WorkFeed.Subscription subscription =
                feed.subscribe(source.queue(), source.filter(), new Listener(source.wanted()));
        guard.change(() -> announcements.subscribed(subscription, feed));
    }

    private final class Listener implements WorkFeed.Listener {
        private final Predicate<AnnouncedDocument> wanted;

        Listener(Predicate<AnnouncedDocument> wanted) {
            this.wanted = wanted;
        }

        /** Activities that these workers can't run are handled here: workers who can hear of them as well. */
        @Override
        public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
            List<AnnouncedDocument> documents =
                    announcement.documents().stream().filter(wanted).toList();
            Announcement ofWanted = documents.size() == announcement.documents().size()
                    ? announcement
                    : Announcement.of(announcement.instanceId(), announcement.horizon(), documents);
            guard.change(() -> announcements.add(ofWanted, receipt));
        }

        @Override
        public void lost() {
            guard.change(() -> {
                search.hurryAt(announcements.doubt());
                search.hurryAnyway();
            });
        }

        @Override
        public void healthChanged() {
            guard.change(search::hurryAnyway);
        }
    }

    /** Whether work that is there, or becomes visible, is announced. */
    public boolean isAnnounced() {
        return guard.change(search::isAnnounced);
    }

    /**
     * Hands a candidate to a dispatcher that waits, if its work is announced to this process: what is announced of it
     * comes later. It is not handed over when no dispatcher waits, and the announcement is waited for.
     *
     * @return false when work is not announced
     */
    public boolean handOver(C candidate) {
        return guard.change(() -> {
            if (announcements.areOwn(candidate.key())) {
                offers.offerAnyway(candidate);
            }
            return search.isAnnounced();
        });
    }

    /**
     * Keeps an activity that this process queued for its next free worker, if work is announced: a worker then has not
     * to wait for the announcement.
     *
     * @return false when work is not announced
     */
    public boolean keep(C candidate) {
        return guard.change(() -> {
            boolean isAnnounced = search.isAnnounced();
            if (isAnnounced) {
                own.keep(candidate);
            }
            return isAnnounced;
        });
    }

    /** This version of an activity was locked: an announcement of it says nothing new. */
    public void outdated(Stored<QueueDocument> activity) {
        guard.change(() -> announcements.outdated(activity));
    }

    /**
     * Looks at this candidate then (milliseconds), if its work is announced, and to this process: the announcement
     * comes later than what this process itself knows.
     *
     * @param message that it is for; null where that is not known
     * @return false when work is not announced
     */
    public boolean lookAt(String key, @Nullable QueueDocument message, long millis) {
        return guard.change(() -> {
            if (announcements.areOwn(key)) {
                announcements.lookAt(key, message, millis);
            }
            return search.isAnnounced();
        });
    }

    /** A turn of this instance has queued so many activities. */
    public void expectCompletions(String instanceId, int activities) {
        guard.change(() -> announcements.completions().expect(instanceId, activities));
    }

    /** This process has completed one of them. */
    public void completed(String instanceId) {
        guard.change(() -> announcements.completions().completed(instanceId));
    }

    /** The work of a candidate that was locked is done: these messages of it are not there any more. */
    public void settle(String key, Collection<QueueDocument> messages) {
        guard.change(() -> announcements.settle(key, messages));
    }

    /** A candidate that was locked has to be tried again, at once. */
    public void retry(String key) {
        guard.change(() -> announcements.retryAtOnce(key));
    }
}
