package io.sluice.provider.world.judge;

import io.sluice.provider.world.program.Replay;
import java.util.HashSet;
import java.util.Set;

/** What clients asked for, so that it is known which removals are meant. Thread-safe. */
public final class Wishes {
    private final Set<String> started = new HashSet<>();
    private final Set<String> deletions = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private final Set<String> prunings = new HashSet<>();

    /** The root of an instance's tree. */
    public static String rootOf(String instance) {
        int child = instance.indexOf(Replay.CHILD);
        return child < 0 ? instance : instance.substring(0, child);
    }

    /** Its start was accepted. */
    public synchronized void started(String root) {
        started.add(root);
    }

    synchronized Set<String> started() {
        return Set.copyOf(started);
    }

    /** Its tree is to be deleted. */
    public synchronized void delete(String root) {
        deletions.add(root);
    }

    /** Its tree was deleted, as the client was told. */
    public synchronized void deleted(String root) {
        deleted.add(root);
    }

    /** A start that came late begins it anew. */
    public synchronized void begun(String root) {
        deleted.remove(root);
    }

    public synchronized boolean mayBeDeleted(String instance) {
        return deletions.contains(rootOf(instance));
    }

    public synchronized boolean isDeleted(String instance) {
        return deleted.contains(rootOf(instance));
    }

    /** Its former executions are to be removed. */
    public synchronized void prune(String root) {
        prunings.add(root);
    }

    public synchronized boolean mayBePruned(String instance) {
        return prunings.contains(instance);
    }
}
