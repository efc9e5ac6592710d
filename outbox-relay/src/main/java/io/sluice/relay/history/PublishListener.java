package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Gets what the publisher of a range has done, on its thread; must return quickly and never throw. */
public interface PublishListener {
    /** Does nothing. */
    PublishListener UNSEEN = new PublishListener() {
        @Override
        public void committed(Committed transaction) {}

        @Override
        public void aborted(KeyRange range, long nanos) {}
    };

    /**
     * A transaction that was committed.
     *
     * @param range the key range of the events
     * @param events in their order
     * @param writtenSeconds the store's time of each event's document ({@code _ts}, whole seconds), in the same order
     * @param nanos from the beginning of the transaction to the end of its commit
     */
    record Committed(
            KeyRange range, List<ProducerRecord<byte[], byte[]>> events, List<Long> writtenSeconds, long nanos) {}

    /** A page with events was committed to Kafka. */
    void committed(Committed transaction);

    /** A transaction failed, or its commit has an unknown result; nanoseconds since its begin. */
    void aborted(KeyRange range, long nanos);
}
