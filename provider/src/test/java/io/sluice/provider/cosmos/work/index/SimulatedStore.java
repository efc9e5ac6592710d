package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Instances with messages, of which replicas show what was written some time ago. */
final class SimulatedStore {
    private static final long NEVER = Long.MAX_VALUE;

    private final VirtualTime time;
    private final Map<String, Instance> instances = new LinkedHashMap<>();
    private int written;

    SimulatedStore(VirtualTime time) {
        this.time = time;
    }

    /** A message, and from when on it was there and gone. */
    static final class Message {
        final String instanceId;
        final AnnouncedDocument document;
        final long writtenMillis;
        final boolean isStart;
        long consumedMillis = NEVER;

        Message(String instanceId, AnnouncedDocument document, long writtenMillis, boolean isStart) {
            this.instanceId = instanceId;
            this.document = document;
            this.writtenMillis = writtenMillis;
            this.isStart = isStart;
        }

        boolean isConsumed() {
            return consumedMillis != NEVER;
        }
    }

    /** An instance; its version changes with each lock and each turn. */
    static final class Instance {
        final String id;
        final List<Message> messages = new ArrayList<>();
        final TreeMap<Long, String> names = new TreeMap<>();
        String name;
        boolean hasStarted;
        int version;
        long versionMillis;
        long lockedUntil;

        @Nullable
        Object holder;

        Instance(String id, String name) {
            this.id = id;
            rename(name, Long.MIN_VALUE);
        }

        final void rename(String newName, long nowMillis) {
            name = newName;
            names.put(nowMillis, newName);
        }

        /** What a replica shows that is as the store was then. */
        String nameAt(long millis) {
            return names.floorEntry(millis).getValue();
        }

        boolean hadNameOutside(Set<String> others) {
            return !others.containsAll(names.values());
        }
    }

    Instance instance(String id, String name) {
        return instances.computeIfAbsent(id, missing -> new Instance(missing, name));
    }

    Message write(Instance instance, boolean isStart, long dueAt) {
        long now = time.now();
        String id = "m%06d".formatted(written++);
        var document = new AnnouncedDocument(
                id, isStart ? "StartOrchestration" : "", 10, dueAt, now, null, 0, "e", null, null, null, null, null);
        Message message = new Message(instance.id, document, now, isStart);
        instance.messages.add(message);
        instance.hasStarted |= isStart;
        return message;
    }

    /** What a replica that lags so far shows as ready, oldest first. */
    List<Message> visible(Instance instance, long lagMillis) {
        long then = time.now() - lagMillis;
        return instance.messages.stream()
                .filter(message -> message.writtenMillis <= then
                        && message.consumedMillis > then
                        && message.document.dueAt() <= time.now())
                .toList();
    }

    /** The oldest that are ready and not locked, as a replica shows them. */
    List<Message> search(long lagMillis, int limit, Set<String> hidden) {
        return instances.values().stream()
                .filter(instance -> !hidden.contains(instance.id) && instance.lockedUntil <= time.now())
                .flatMap(instance -> visible(instance, lagMillis).stream())
                .sorted(Comparator.comparingLong(message -> message.document.enqueuedAt()))
                .limit(limit)
                .toList();
    }

    /** Locks it, unless somebody else has, or it has moved since the replica's moment. */
    boolean tryLock(Instance instance, Object holder, long lagMillis, long untilMillis) {
        if (instance.lockedUntil > time.now() || instance.versionMillis > time.now() - lagMillis) {
            return false;
        }
        instance.holder = holder;
        instance.lockedUntil = untilMillis;
        moved(instance);
        return true;
    }

    /** Commits the turn, if the holder still has the lock. */
    boolean tryAck(Instance instance, Object holder, List<Message> consumed, String newName) {
        if (instance.holder != holder || instance.lockedUntil <= time.now()) {
            return false;
        }
        for (Message message : consumed) {
            if (message.isConsumed()) {
                throw new AssertionError("a message was consumed twice: " + message.document.id());
            }
            message.consumedMillis = time.now();
        }
        if (!newName.equals(instance.name)) {
            instance.rename(newName, time.now());
        }
        instance.holder = null;
        instance.lockedUntil = 0;
        moved(instance);
        return true;
    }

    private void moved(Instance instance) {
        instance.version++;
        instance.versionMillis = time.now();
    }

    Optional<Instance> find(String id) {
        return Optional.ofNullable(instances.get(id));
    }

    List<Message> unconsumed() {
        return instances.values().stream()
                .filter(instance -> instance.hasStarted)
                .flatMap(instance -> instance.messages.stream())
                .filter(message -> !message.isConsumed())
                .toList();
    }
}
