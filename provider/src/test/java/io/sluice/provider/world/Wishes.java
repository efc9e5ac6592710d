package io.sluice.provider.world;

import java.util.HashSet;
import java.util.Set;

/** What clients asked for, so that it is known which removals are meant. Thread-safe. */
final class Wishes {
    private final Set<String> started = new HashSet<>();
    private final Set<String> deletions = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private final Set<String> prunings = new HashSet<>();

    /** The root of an instance's tree. */
    static String rootOf(String instance) {
        int child = instance.indexOf(Replay.CHILD);
        return child < 0 ? instance : instance.substring(0, child);
    }

    /** Its start was accepted. */
    synchronized void started(String root) {
        started.add(root);
    }

    synchronized boolean isStarted(String root) {
        return started.contains(root);
    }

    /** Its tree is to be deleted. */
    synchronized void delete(String root) {
        deletions.add(root);
    }

    /** Its tree was deleted, as the client was told. */
    synchronized void deleted(String root) {
        deleted.add(root);
    }

    /** A start that came late begins it anew. */
    synchronized void begun(String root) {
        deleted.remove(root);
    }

    synchronized boolean mayBeDeleted(String instance) {
        return deletions.contains(rootOf(instance));
    }

    synchronized boolean isDeleted(String instance) {
        return deleted.contains(rootOf(instance));
    }

    /** Its former executions are to be removed. */
    synchronized void prune(String root) {
        prunings.add(root);
    }

    synchronized boolean mayBePruned(String instance) {
        return prunings.contains(instance);
    }
}
