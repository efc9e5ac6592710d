package io.sluice.provider.model;

import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.KvEntry;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a store holds. Not thread-safe. */
final class Model {
    final Map<String, Instance> instances = new TreeMap<>();
    final Map<String, Lock> locks = new HashMap<>();
    final List<Message> messages = new ArrayList<>();
    final List<Activity> activities = new ArrayList<>();
    final Map<SessionKey, Session> sessions = new HashMap<>();
    /** Started, and not acked yet. */
    final Map<String, Pending> started = new HashMap<>();
    /** What was started under names of callers. */
    final Map<Request, Asked> requests = new HashMap<>();

    private long tokens;

    String nextToken() {
        return "token-" + ++tokens;
    }

    /** An instance that had a turn. */
    static final class Instance {
        final long createdAt;
        final TreeMap<Long, Execution> executions = new TreeMap<>();
        final Map<String, KvEntry> values = new TreeMap<>();
        /** What the current execution did; empty for a key that it cleared. */
        final Map<String, Optional<KvEntry>> changes = new TreeMap<>();

        String name = "";
        String version = "";

        @Nullable
        String parent;

        long current = 1;

        @Nullable
        String customStatus;

        @Nullable
        InstanceExt ext;

        long customStatusVersion;
        long updatedAt;

        Instance(long createdAt) {
            this.createdAt = createdAt;
        }

        /** As the current execution sees them. */
        Map<String, String> merged() {
            Map<String, String> merged = new TreeMap<>();
            values.forEach((key, entry) -> merged.put(key, entry.value()));
            changes.forEach((key, entry) -> {
                if (entry.isPresent()) {
                    merged.put(key, entry.get().value());
                } else {
                    merged.remove(key);
                }
            });
            return merged;
        }

        Execution execution() {
            return executions.computeIfAbsent(current, id -> new Execution(createdAt));
        }
    }

    /** An execution of an instance. */
    static final class Execution {
        final long startedAt;
        final TreeMap<Long, HistoryEvent> events = new TreeMap<>();
        String status = "Running";

        @Nullable
        String output;

        @Nullable
        Long completedAt;

        @Nullable
        SemanticVersion pinned;

        boolean corrupt;

        Execution(long startedAt) {
            this.startedAt = startedAt;
        }
    }

    /** An instance between its start and its first ack. */
    record Pending(
            long createdAt,
            String name,
            String version,
            @Nullable InstanceExt ext) {}

    /** A caller's name for a start of an instance. */
    record Request(String instance, String requestId) {}

    /** What was asked under a name, and what came of it. */
    record Asked(InstanceStart asked, InstanceStarts.Started outcome) {}

    /** The lock of an instance. */
    static final class Lock {
        final String token;
        /** When what bears it began to be. */
        final long since;

        final long taken;
        long until;

        Lock(String token, long since, long taken, long until) {
            this.token = token;
            this.since = since;
            this.taken = taken;
            this.until = until;
        }
    }

    /** What lies in a queue. */
    abstract static class Queued {
        long visibleAt;
        int attempts;

        @Nullable
        String token;

        void giveBack(long now, @Nullable Duration delay, boolean ignoreAttempt) {
            token = null;
            if (delay != null) {
                visibleAt = now + delay.toMillis();
            }
            if (ignoreAttempt) {
                attempts = Math.max(0, attempts - 1);
            }
        }
    }

    /** A message to an instance. */
    static final class Message extends Queued {
        final WorkItem item;

        Message(WorkItem item, long visibleAt) {
            this.item = item;
            this.visibleAt = visibleAt;
        }
    }

    /** An activity for a worker. */
    static final class Activity extends Queued {
        final WorkItem.ActivityExecute item;
        long lockedUntil;

        Activity(WorkItem.ActivityExecute item, long visibleAt) {
            this.item = item;
            this.visibleAt = visibleAt;
        }
    }

    /** Sessions belong to an instance. */
    record SessionKey(String instance, String session) {}

    /** Who has a session. */
    static final class Session {
        String owner;
        long lockedUntil;
        long lastActivity;

        Session(String owner) {
            this.owner = owner;
        }
    }

    /** A message that begins an instance or an execution, with what it says about it; null for others. */
    record Beginning(String name, @Nullable String version) {
        static @Nullable Beginning in(List<Message> batch) {
            for (var message : batch) {
                if (message.item instanceof WorkItem.StartOrchestration start) {
                    return new Beginning(start.orchestration(), start.version());
                }
                if (message.item instanceof WorkItem.ContinueAsNew next) {
                    return new Beginning(next.orchestration(), next.version());
                }
            }
            return null;
        }
    }
}
