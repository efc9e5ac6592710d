package io.sluice.provider.model;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.model.Model.Activity;
import io.sluice.provider.model.Model.Session;
import io.sluice.provider.model.Model.SessionKey;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The queue of activities and the sessions of a {@link Model}, as the contract's prose has them. Not thread-safe. */
final class ReferenceActivities {
    private final Model model;
    private final InstantSource clock;

    ReferenceActivities(Model model, InstantSource clock) {
        this.model = model;
        this.clock = clock;
    }

    /** The activities of which any fetch may give one now, the oldest first. */
    List<WorkItem.ActivityExecute> ready(@Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return model.activities.stream()
                .filter(activity -> isFree(activity, tagFilter) && isEligible(activity, session))
                .map(activity -> activity.item)
                .toList();
    }

    /** What is queued of an instance's activities, held or not. */
    List<WorkItem.ActivityExecute> of(String id) {
        return model.activities.stream()
                .map(activity -> activity.item)
                .filter(item -> item.instance().equals(id))
                .toList();
    }

    private boolean isFree(Activity activity, TagFilter tagFilter) {
        long now = clock.millis();
        return activity.visibleAt <= now && activity.lockedUntil <= now && tagFilter.matches(activity.item.tag());
    }

    /** A fetch of one of the chosen activities. */
    Optional<LockedWorkItem> fetch(
            Duration lockTimeout,
            @Nullable SessionFetchConfig session,
            TagFilter tagFilter,
            Predicate<WorkItem.ActivityExecute> chosen) {
        long now = clock.millis();
        for (var activity : model.activities) {
            if (chosen.test(activity.item) && isFree(activity, tagFilter) && isEligible(activity, session)) {
                activity.token = model.nextToken();
                activity.lockedUntil = now + lockTimeout.toMillis();
                activity.attempts++;
                var name = activity.item.sessionId();
                if (name != null && session != null) {
                    var claimed = model.sessions.computeIfAbsent(
                            new SessionKey(activity.item.instance(), name), key -> new Session(session.ownerId()));
                    claimed.owner = session.ownerId();
                    claimed.lockedUntil = now + session.lockTimeout().toMillis();
                    claimed.lastActivity = now;
                }
                return Optional.of(new LockedWorkItem(activity.item, activity.token, activity.attempts));
            }
        }
        return Optional.empty();
    }

    private boolean isEligible(Activity activity, @Nullable SessionFetchConfig config) {
        var name = activity.item.sessionId();
        if (name == null) {
            return true;
        }
        var session = model.sessions.get(new SessionKey(activity.item.instance(), name));
        return config != null
                && (session == null || session.lockedUntil <= clock.millis() || session.owner.equals(config.ownerId()));
    }

    private Activity bearing(String operation, String token, boolean valid) {
        return model.activities.stream()
                .filter(activity -> token.equals(activity.token) && (!valid || activity.lockedUntil > clock.millis()))
                .findFirst()
                .orElseThrow(() -> ReferenceStore.refused(operation, "Invalid lock token"));
    }

    private void touch(Activity activity) {
        var name = activity.item.sessionId();
        var session = name == null ? null : model.sessions.get(new SessionKey(activity.item.instance(), name));
        if (session != null && session.lockedUntil > clock.millis()) {
            session.lastActivity = clock.millis();
        }
    }

    void ack(String token) {
        var activity = bearing("ackWorkItem", token, true);
        model.activities.remove(activity);
        touch(activity);
    }

    void renew(String token, Duration extendFor) {
        var activity = bearing("renewWorkItemLock", token, true);
        activity.lockedUntil = Math.max(activity.lockedUntil, clock.millis() + extendFor.toMillis());
        touch(activity);
    }

    void abandon(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        var activity = bearing("abandonWorkItem", token, false);
        activity.lockedUntil = 0;
        activity.giveBack(clock.millis(), delay, ignoreAttempt);
    }

    int renewSessions(List<String> owners, Duration extendFor, Duration idleTimeout) {
        long now = clock.millis();
        int renewed = 0;
        for (var session : model.sessions.values()) {
            if (owners.contains(session.owner)
                    && session.lockedUntil > now
                    && session.lastActivity > now - idleTimeout.toMillis()) {
                session.lockedUntil = Math.max(session.lockedUntil, now + extendFor.toMillis());
                renewed++;
            }
        }
        return renewed;
    }

    int cleanUpSessions() {
        int before = model.sessions.size();
        model.sessions
                .entrySet()
                .removeIf(session -> session.getValue().lockedUntil < clock.millis()
                        && model.activities.stream()
                                .noneMatch(activity -> activity.item
                                                .instance()
                                                .equals(session.getKey().instance())
                                        && session.getKey().session().equals(activity.item.sessionId())));
        return before - model.sessions.size();
    }
}
