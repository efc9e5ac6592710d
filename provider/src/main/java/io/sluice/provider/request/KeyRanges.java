package io.sluice.provider.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.FeedRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The key ranges of a container's physical partitions, as they were when last read. A range stays good to ask after its
 * partition was split or merged: the SDK then sends more requests than needed, until the ranges are read again.
 * Thread-safe.
 */
final class KeyRanges {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRanges.class);
    private static final long GOOD_NANOS = Duration.ofMinutes(10).toNanos();

    private final CosmosAsyncContainer container;
    private volatile @Nullable Known known;

    private record Known(List<String> ranges, long readNanos) {
        boolean isGood() {
            return System.nanoTime() - readNanos < GOOD_NANOS;
        }
    }

    KeyRanges(CosmosAsyncContainer container) {
        this.container = container;
    }

    /** The ranges if they are known and were read not long ago, else null. */
    @Nullable
    List<String> known() {
        Known now = known;
        return now != null && now.isGood() ? now.ranges() : null;
    }

    /** Asks for the ranges; the old ones when that fails. */
    Mono<List<String>> current() {
        Known before = known;
        return before == null
                ? read()
                : read().doOnError(e ->
                                LOG.atDebug().setCause(e).log("the container's key ranges could not be read again"))
                        .onErrorReturn(before.ranges());
    }

    private Mono<List<String>> read() {
        return container
                .getFeedRanges()
                .map(ranges -> ranges.stream().map(FeedRange::toString).sorted().toList())
                .doOnNext(ranges -> known = new Known(ranges, System.nanoTime()));
    }
}
