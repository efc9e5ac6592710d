package io.sluice.provider.request;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import io.sluice.provider.ProviderException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a process keeps to in all that it asks of one store: how many requests are under way at once, and the group that
 * scans belong to. Without being told, neither. Requests that wait are served in order. Thread-safe.
 */
public final class RequestLimits {
    /** Others before it are no refusal by the store, of which some calls have little patience. */
    private static final long LEAST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private volatile @Nullable AtOnce atOnce;
    private volatile @Nullable String scanGroup;

    private record AtOnce(int most, Semaphore free) {}

    /** A request that is under way until it is closed; to be closed once. */
    interface Admission {
        /** Of a request that nothing limits. */
        Admission FREE = () -> {};

        /** Makes room for the next. */
        void close();
    }

    /** From now on at most so many are under way at once. */
    public void limitAtOnce(int most) {
        atOnce = new AtOnce(most, new Semaphore(most, true));
    }

    /** Whether there is a limit to how many are under way at once. */
    public boolean areLimitedAtOnce() {
        return atOnce != null;
    }

    /** The throughput control group of the SDK that scans belong to from now on. */
    public void groupScans(String group) {
        scanGroup = group;
    }

    /** How many of these one caller may have under way at once. */
    int together(int requests) {
        AtOnce limit = atOnce;
        return limit == null ? requests : Math.min(requests, limit.most());
    }

    /**
     * Waits until so many requests may be sent.
     *
     * @param requests as {@link #together} allows
     * @throws ProviderException retryable, when they may not be before the call's deadline, or within two seconds if
     *     that is later; or when the thread is interrupted
     */
    Admission admit(Call call, int requests) {
        AtOnce limit = atOnce;
        if (limit == null) {
            return Admission.FREE;
        }
        int permits = Math.min(requests, limit.most());
        try {
            long nanos = Math.max(LEAST_WAIT_NANOS, call.deadline().remaining().toNanos());
            if (limit.free().tryAcquire(permits, nanos, TimeUnit.NANOSECONDS)) {
                return () -> limit.free().release(permits);
            }
        } catch (InterruptedException e) {
            throw Failures.interrupted(call, e);
        }
        throw Failures.tooManyAtOnce(call, limit.most());
    }

    /** Puts a scan into its group. */
    CosmosQueryRequestOptions grouped(Call call, CosmosQueryRequestOptions options) {
        String group = scanGroup;
        return call.isScan() && group != null ? options.setThroughputControlGroupName(group) : options;
    }
}
