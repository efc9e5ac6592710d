package io.sluice.relay.dispatch;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a range has not announced, since Kafka did not take it. From the first page that is dropped nothing counts as
 * complete, until a look at all that is overdue was taken ({@link Horizon}). Until Kafka has taken a trial, pages are
 * not even sent: each would wait as long as the first one did. Thread-safe.
 */
final class DroppedWork {
    private final Horizon horizon;
    private List<ProducerRecord<byte[], byte[]>> trial = List.of();
    private @Nullable String reason;

    /** Nothing was dropped yet. */
    DroppedWork(Horizon horizon) {
        this.horizon = horizon;
    }

    /** Whether Kafka took no announcements a moment ago. */
    synchronized boolean isRefused() {
        return !trial.isEmpty();
    }

    /**
     * Drops the announcements of a page.
     *
     * @param newTrial records by which to try whether Kafka takes them again
     * @param readAt when the page was read
     * @return whether they are the first ones since Kafka took some
     */
    synchronized boolean drop(List<ProducerRecord<byte[], byte[]>> newTrial, long readAt, String newReason) {
        boolean isFirst = trial.isEmpty();
        horizon.drop(readAt);
        trial = List.copyOf(newTrial);
        reason = newReason;
        return isFirst;
    }

    /** The same, after the first ones. */
    synchronized void dropFurther(long readAt) {
        horizon.drop(readAt);
    }

    /** What to send to find out whether Kafka takes announcements again; empty if it does. */
    synchronized List<ProducerRecord<byte[], byte[]>> trial() {
        return trial;
    }

    /** Kafka has taken the trial: pages are announced again. */
    synchronized void taken() {
        trial = List.of();
    }

    /** Why Kafka did not take announcements, until all was announced again. */
    synchronized Optional<String> problem() {
        return horizon.isWhole() ? Optional.empty() : Optional.ofNullable(reason);
    }
}
