package io.sluice.provider.cosmos.search;

import io.sluice.provider.outbox.Intent;
import java.util.Collection;

/** Guesses how much memory something takes, for bounds that count it. Pure. */
public final class HeapBytes {
    private static final int OBJECT = 256;
    private static final int CHARACTER = 2;

    private HeapBytes() {}

    /** What so many documents or events take whose long texts have so many characters together. */
    public static long of(long objects, long characters) {
        return OBJECT * objects + CHARACTER * characters;
    }

    /** What these intents take. */
    public static long ofIntents(Collection<Intent> intents) {
        return of(
                intents.size(),
                intents.stream().mapToLong(intent -> intent.payload().length()).sum());
    }
}
