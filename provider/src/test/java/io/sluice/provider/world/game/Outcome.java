package io.sluice.provider.world.game;

import io.sluice.provider.ProviderException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a call came to.
 *
 * @param failure of which kind it was, where it failed; texts are each store's own
 */
record Outcome(@Nullable Object value, @Nullable String failure) {
    private static final String DUPLICATE = "duplicate";
    private static final List<String> KINDS = List.of(
            "invalid lock token", DUPLICATE, "sub-orchestration", "orphan", "running", "not found", "can't be decoded");

    static Outcome of(Supplier<?> call) {
        try {
            return new Outcome(call.get(), null);
        } catch (ProviderException e) {
            return new Outcome(null, (e.retryable() ? "retryable: " : "permanent: ") + kind(e));
        }
    }

    private static String kind(ProviderException failure) {
        var text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return KINDS.stream().filter(text::contains).findFirst().orElse(text);
    }

    boolean isFailure() {
        return failure != null;
    }

    /** Whether an event was there already; the lock is then still held. */
    boolean isDuplicate() {
        return failure != null && failure.endsWith(DUPLICATE);
    }

    @Override
    public String toString() {
        return failure == null ? String.valueOf(value) : failure;
    }
}
