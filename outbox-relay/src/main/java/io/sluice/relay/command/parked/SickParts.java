package io.sluice.relay.command.parked;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The parts of the store that do not answer: a part of which two instances or more were tried in vain since its latest
 * answer. One instance alone may be throttled for itself. Belongs to one thread.
 */
public final class SickParts {
    private static final int INSTANCES = 2;

    private final Function<String, Object> partOf;
    private final Map<Object, Set<String>> triedInVain = new HashMap<>();

    /** @param partOf the part of the store that holds an instance and may fail as a whole */
    public SickParts(Function<String, Object> partOf) {
        this.partOf = partOf;
    }

    /** The part of an instance. */
    public Object partOf(String instance) {
        return partOf.apply(instance);
    }

    /** The store did not take a command of an instance. */
    public void failed(String instance) {
        triedInVain.computeIfAbsent(partOf(instance), first -> new HashSet<>()).add(instance);
    }

    /**
     * The store answered for an instance.
     *
     * @return whether its part was sick
     */
    public boolean answered(String instance) {
        if (triedInVain.isEmpty()) {
            return false;
        }
        var instances = triedInVain.remove(partOf(instance));
        return instances != null && instances.size() >= INSTANCES;
    }

    /** Whether another instance of the same part was tried in vain since the latest answer. */
    public boolean isSuspect(String instance) {
        return triedInVain.getOrDefault(partOf(instance), Set.of()).stream().anyMatch(other -> !other.equals(instance));
    }

    /** Whether the part of an instance does not answer, so that there is no use in trying another of it. */
    public boolean isSick(String instance) {
        return !triedInVain.isEmpty()
                && triedInVain.getOrDefault(partOf(instance), Set.of()).size() >= INSTANCES;
    }
}
