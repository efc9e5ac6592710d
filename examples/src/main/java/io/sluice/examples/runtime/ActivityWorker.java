package io.sluice.examples.runtime;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Fetches activities and has them run. An activity of a session beyond the limit is given back uncounted. */
final class ActivityWorker {
    private static final Duration OVER_LIMIT = Duration.ofMillis(100);

    private final Provider provider;
    private final RuntimeConfig config;
    private final ActivityRunner runner;
    private final @Nullable SessionFetchConfig owner;
    private final SessionSlots slots;

    ActivityWorker(
            Provider provider,
            RuntimeConfig config,
            ActivityRunner runner,
            @Nullable SessionFetchConfig owner,
            SessionSlots slots) {
        this.provider = provider;
        this.config = config;
        this.runner = runner;
        this.owner = owner;
        this.slots = slots;
    }

    /** Works one activity, if there is one within the poll timeout. */
    void step() {
        RuntimeConfig.Timing timing = config.timing();
        provider.fetchWorkItem(timing.activityLock(), timing.pollTimeout(), owner, config.tags())
                .ifPresent(this::work);
    }

    private void work(LockedWorkItem locked) {
        if (!(locked.item() instanceof WorkItem.ActivityExecute activity)) {
            throw new IllegalStateException("not an activity: " + locked.item().variant());
        }
        String session = activity.sessionId();
        if (session == null) {
            runner.run(locked, activity);
        } else if (slots.tryEnter(session)) {
            try {
                runner.run(locked, activity);
            } finally {
                slots.leave(session);
            }
        } else {
            provider.abandonWorkItem(locked.lockToken(), OVER_LIMIT, true);
        }
    }
}
