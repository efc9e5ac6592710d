package io.sluice.provider.world.game;

import io.sluice.provider.ProviderException;
import io.sluice.provider.world.game.Compared.Node;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Fetches of both stores. Which of several things that are ready comes first, the provider chooses, for it asks the
 * store page by page and sets aside what it could not take; the model then fetches the same, and fails if it may not.
 *
 * <p>Nothing may be given only where the model has nothing, with one allowance: what a process found taken, or took
 * itself, it does not look at again for a while, though another process may have freed it since. So where the model has
 * something, time passes to the end of that while, and the provider must give something then. Where work is announced
 * there is a second one: of what was announced before the first fetch with a filter, that fetch finds what is visible,
 * and a look after the longest horizon the rest. A provider that only ever answered late would be seen by
 * {@link #late}.
 */
final class Fetches {
    /** For what it found taken; what it took itself, until its lock would lapse. */
    private static final long REMEMBERED_MILLIS = 5_000;
    /** Longer than the longest horizon of an announcement. */
    private static final long SECOND_LOOK_MILLIS = 125_000;

    private final Compared both;
    private int found;
    private int late;

    Fetches(Compared both) {
        this.both = both;
    }

    /** How many fetches gave something. */
    int found() {
        return found;
    }

    /** How many of these gave it only when time had passed. */
    int late() {
        return late;
    }

    /**
     * A fetch.
     *
     * @param ask the provider
     * @param ready what the model would give
     * @param settle is told after every answer of the provider
     * @return what the provider gave
     */
    <T> Optional<T> fetch(
            String what, Node process, Supplier<Optional<T>> ask, Supplier<List<?>> ready, Consumer<String> settle) {
        var first = ask(what, ask);
        settle.accept(what);
        if (first.isPresent() || ready.get().isEmpty()) {
            both.note(what + " → " + (first.isPresent() ? "found" : "nothing"));
            found += first.isPresent() ? 1 : 0;
            return first;
        }
        long until = ready.get().stream()
                .mapToLong(each -> Math.max(
                        both.now() + REMEMBERED_MILLIS, process.heldUntil().getOrDefault(each, 0L)))
                .min()
                .orElseThrow();
        var second = askLater(what, until - both.now() + 1, ask, settle);
        if (second.isEmpty() && !ready.get().isEmpty() && both.isAnnounced()) {
            second = askLater(what, SECOND_LOOK_MILLIS, ask, settle);
        }
        if (second.isEmpty() && !ready.get().isEmpty()) {
            throw new Difference(what, "nothing", "one of " + ready.get());
        }
        found += second.isPresent() ? 1 : 0;
        late += second.isPresent() ? 1 : 0;
        return second;
    }

    private <T> Optional<T> askLater(String what, long millis, Supplier<Optional<T>> ask, Consumer<String> settle) {
        both.note(what + " → nothing yet, " + millis + " ms pass");
        both.pass(Duration.ofMillis(millis));
        var second = ask(what, ask);
        settle.accept(what);
        return second;
    }

    private static <T> Optional<T> ask(String what, Supplier<Optional<T>> ask) {
        try {
            return ask.get();
        } catch (ProviderException e) {
            throw new Difference(what, e, "no failure");
        }
    }
}
