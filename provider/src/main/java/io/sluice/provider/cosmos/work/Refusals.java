package io.sluice.provider.cosmos.work;

import io.sluice.provider.ProviderException;
import org.jspecify.annotations.Nullable;

/**
 * What the store refused one fetch, which goes on to other candidates: only where it finds none does its caller hear of
 * it. Used by one thread.
 */
public final class Refusals {
    private @Nullable ProviderException last;

    /**
     * The store refused a candidate.
     *
     * @throws ProviderException this one, when the thread was interrupted: the fetch is to end
     */
    public void add(ProviderException refusal) {
        if (Thread.currentThread().isInterrupted()) {
            throw refusal;
        }
        last = refusal;
    }

    /**
     * Ends a fetch that found nothing else.
     *
     * @throws ProviderException the last refusal, if there was one
     */
    public void throwLast() {
        if (last != null) {
            throw last;
        }
    }
}
