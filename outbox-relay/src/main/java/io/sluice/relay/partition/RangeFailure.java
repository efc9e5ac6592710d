package io.sluice.relay.partition;

import com.azure.cosmos.CosmosException;
import io.sluice.program.FailureReason;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.feed.LateAnswerException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the publisher of a range from its work, and for how long: whether the store or Kafka does not answer, and
 * the latest failure. Written by the publisher's thread, read by any.
 */
public final class RangeFailure {
    /** A takeover asks for less than that long where all answer. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);

    private final LongSupplier nanos;
    private Peer asked = Peer.KAFKA;
    private long askedNanos;
    private long workedNanos;
    private @Nullable Failure latest;

    /** Whom a publisher needs. */
    public enum Peer {
        STORE("the store"),
        KAFKA("Kafka");

        private final String label;

        Peer(String label) {
            this.label = label;
        }
    }

    /**
     * A failure, in words.
     *
     * @param subject who has failed and how, before {@code for … s}
     */
    private record Failure(String subject, String reason) {
        static Failure of(Throwable failure, Peer asked) {
            var reason = FailureReason.of(failure);
            if (isSilence(failure)) {
                return new Failure("the store has not answered", reason);
            }
            var peer = causes(failure).anyMatch(CosmosException.class::isInstance)
                    ? Peer.STORE
                    : causes(failure).anyMatch(KafkaException.class::isInstance) ? Peer.KAFKA : asked;
            return new Failure(peer == Peer.STORE ? "the store has refused" : "Kafka has failed", reason);
        }

        private static boolean isSilence(Throwable failure) {
            return causes(failure)
                    .anyMatch(cause -> cause instanceof LateAnswerException
                            || (cause instanceof CosmosException answer && CosmosStore.isSilence(answer)));
        }

        private static Stream<Throwable> causes(Throwable failure) {
            return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
        }
    }

    /** Nothing has failed yet. */
    public RangeFailure() {
        this(System::nanoTime);
    }

    RangeFailure(LongSupplier nanos) {
        this.nanos = nanos;
        this.workedNanos = nanos.getAsLong();
        this.askedNanos = workedNanos;
    }

    /** The publisher waits for an answer from now on. */
    public synchronized void asks(Peer peer) {
        asked = peer;
        askedNanos = nanos.getAsLong();
    }

    /** A page was read and published, or none is wanted: all is well. */
    public synchronized void worked() {
        workedNanos = nanos.getAsLong();
        latest = null;
    }

    /** It begins again. */
    public synchronized void failed(Throwable failure) {
        latest = Failure.of(failure, asked);
    }

    /**
     * What keeps it from its work.
     *
     * @param isTakingOver whether an answer that it waits for long keeps it, too
     * @return empty while nothing does
     */
    public synchronized Optional<String> text(boolean isTakingOver) {
        var failure = latest;
        if (failure != null) {
            return Optional.of(
                    failure.subject() + " for " + since(workedNanos).toSeconds() + " s: " + failure.reason());
        }
        var waited = since(askedNanos);
        return isTakingOver && waited.compareTo(LONG_WAIT) > 0
                ? Optional.of("waits for " + asked.label + ", which has not answered for " + waited.toSeconds() + " s")
                : Optional.empty();
    }

    private Duration since(long then) {
        return Duration.ofNanos(nanos.getAsLong() - then);
    }
}
