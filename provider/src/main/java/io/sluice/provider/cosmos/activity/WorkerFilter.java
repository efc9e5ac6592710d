package io.sluice.provider.cosmos.activity;

import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.document.QueueDocument;
import org.jspecify.annotations.Nullable;

/**
 * Which activities a worker takes.
 *
 * @param owner in whose name it takes activities of sessions; null for a worker that takes none of them
 */
record WorkerFilter(TagFilter tags, @Nullable String owner) implements WorkFilter {
    /** The owner of a session, where it is not known who owns it. */
    private static final String ANY_OWNER = "";

    @Override
    public boolean accepts(WorkNeeds needs) {
        String wanted = needs.owner();
        boolean mayOwn = wanted == null || (owner != null && (wanted.equals(ANY_OWNER) || wanted.equals(owner)));
        return mayOwn && tags.matches(needs.tag());
    }

    /** What an activity needs, as far as its document says. */
    static WorkNeeds needs(QueueDocument activity) {
        return needs(activity.tag(), activity.sessionId());
    }

    /** What an activity needs, as far as its announcement says. */
    static WorkNeeds needs(AnnouncedDocument activity) {
        return needs(activity.tag(), activity.sessionId());
    }

    private static WorkNeeds needs(@Nullable String tag, @Nullable String sessionId) {
        return WorkNeeds.ofActivity(tag, sessionId == null ? null : ANY_OWNER);
    }
}
