package io.sluice.relay.loop;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The faults of several checks, so that one message names all of them. Not thread-safe. */
public final class StartFaults {
    private final List<RuntimeException> found = new ArrayList<>();

    /** The result of a step; null if it found a fault. */
    public <T> @Nullable T attempt(Supplier<T> step) {
        try {
            return step.get();
        } catch (PrerequisiteException | ProviderException e) {
            found.add(e);
            return null;
        }
    }

    /** Makes a check that has no result. */
    public void check(Runnable step) {
        attempt(() -> {
            step.run();
            return true;
        });
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return found.isEmpty();
    }

    /**
     * Ends the start if a fault was found.
     *
     * @throws PrerequisiteException naming every fault; each is its cause or suppressed by it
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw asOne();
        }
    }

    /** One exception for all, of which there is one at least. */
    public PrerequisiteException asOne() {
        var all =
                found.stream().map(fault -> String.valueOf(fault.getMessage())).collect(Collectors.joining("; "));
        var one = new PrerequisiteException(all, found.get(0));
        found.stream().skip(1).forEach(one::addSuppressed);
        return one;
    }
}
