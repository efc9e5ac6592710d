package io.sluice.relay.history;

import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;

/** The steps by which a key range passes from one replica to another. One serves all ranges; thread-safe. */
final class RangeTakeover {
    private final Producers producers;
    private final PositionLog positions;
    private final RangeOwnership ownership;

    /** Makes a producer with the transactional id of a range; {@code initTransactions} fences the previous owner. */
    @FunctionalInterface
    interface Producers {
        Producer<byte[], byte[]> open(RangeId range);
    }

    RangeTakeover(Producers producers, PositionLog positions, RangeOwnership ownership) {
        this.producers = producers;
        this.positions = positions;
        this.ownership = ownership;
    }

    Producer<byte[], byte[]> openProducer(RangeId range) {
        return producers.open(range);
    }

    /**
     * Reads the position at which the previous owner ended; to be called after {@code initTransactions}.
     *
     * @throws PositionRefusedException when there is none, or one of another layout or container
     */
    Position readPosition(RangeId range) throws TimeoutException, PositionRefusedException, InterruptedException {
        var position = positions
                .read(range)
                .orElseThrow(() -> new PositionRefusedException("range " + range.name()
                        + " has no position though positions were written at the first start; events may be published "
                        + "already: start once with --from-beginning if repeating them is right"));
        position.requireRange(range);
        return position;
    }

    /**
     * Makes sure that a range that is about to begin has no position.
     *
     * @throws PositionRefusedException if it has
     */
    void requireNew(RangeId range) throws TimeoutException, PositionRefusedException, InterruptedException {
        if (positions.read(range).isPresent()) {
            throw new PositionRefusedException("the service has split a range, and its part " + range.name()
                    + " has a position already: the positions topic lost its latest records, or a transaction in it was"
                    + " aborted by hand. Its events may be published already; start with --from or --from-beginning"
                    + " under another prefix, see the runbook, SluiceRelayNotReady");
        }
    }

    /** The topic that has the events before the positions. */
    HistoryTopic historyTopic() {
        return positions.historyTopic();
    }

    RangeOwnership.Owner askOwner(RangeId range) throws InterruptedException {
        return ownership.askOwner(range);
    }
}
