package io.sluice.relay.lifecycle;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Hears what the publisher of a range does, on its thread; must be quick, and never throw. */
public interface Publication {
    /** Hears nothing. */
    Publication UNSEEN = new Publication() {
        @Override
        public void committed(Committed transaction) {}

        @Override
        public void aborted(int range, long nanos) {}

        @Override
        public void withheld() {}
    };

    /**
     * A transaction that was committed.
     *
     * @param range whose events
     * @param events in their order
     * @param writtenSeconds the store's time of each event's document ({@code _ts}, whole seconds), in the same order
     * @param nanos from the beginning of the transaction to the end of its commit
     */
    record Committed(int range, List<ProducerRecord<byte[], byte[]>> events, List<Long> writtenSeconds, long nanos) {}

    /** A page with events is committed to Kafka. */
    void committed(Committed transaction);

    /** A transaction was begun and not committed for certain; nanoseconds since it was begun. */
    void aborted(int range, long nanos);

    /** An event was left out, as its document lies in the partition of another instance; told again when its page is read again. */
    void withheld();
}
