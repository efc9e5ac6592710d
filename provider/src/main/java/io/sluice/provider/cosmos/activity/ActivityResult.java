package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came of a candidate.
 *
 * @param locked null but for an activity that was locked
 */
record ActivityResult(@Nullable LockedWorkItem locked, WorkOutcome outcome) {
    static ActivityResult of(WorkOutcome outcome) {
        return new ActivityResult(null, outcome);
    }

    /** This version of it is gone. */
    static ActivityResult gone(Stored<QueueDocument> item) {
        return of(new WorkOutcome.Gone(version(item)));
    }

    /**
     * It was locked.
     *
     * @param before versions of it that are no more, as far as they are known
     * @param shownUntilMillis until when a replica that lags may still show it unlocked
     */
    static ActivityResult locked(LockedWorkItem locked, List<Stored<QueueDocument>> before, long shownUntilMillis) {
        Set<DocumentKey> versions = before.stream()
                .filter(item -> !item.etag().equals(AnnouncedDocument.ANY_VERSION))
                .map(ActivityResult::version)
                .collect(Collectors.toSet());
        return new ActivityResult(locked, new WorkOutcome.Done(versions, false, shownUntilMillis));
    }

    private static DocumentKey version(Stored<QueueDocument> item) {
        return DocumentKey.ofActivity(item.document().id(), item.etag());
    }

    /** Its session is another owner's, who may take it; until then nobody else may. */
    static ActivityResult leftTo(QueueDocument item, String owner, long untilMillis) {
        var needs = WorkNeeds.ofActivity(item.tag(), owner);
        return of(new WorkOutcome.Unsuitable(needs, "", untilMillis));
    }
}
