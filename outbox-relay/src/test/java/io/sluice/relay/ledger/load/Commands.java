package io.sluice.relay.ledger.load;

import io.sluice.client.Command;
import io.sluice.client.CommandException;
import io.sluice.client.CommandOptions;
import io.sluice.client.Reply;
import io.sluice.client.SluiceClient;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands by way of Kafka; one that gets no reply is asked again under the same id. Thread-safe. */
public final class Commands implements Orders.Taker {
    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    private final SluiceClient client;
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    /**
     * How many there were.
     *
     * @param asked each counted once
     * @param repeated how often one was sent again because no reply came in time
     * @param refused replies that say no, which none should
     */
    public record Counts(int asked, int accepted, int repeated, List<String> refused) {
        /** Whether all were accepted. */
        public boolean isSound() {
            return accepted == asked && refused.isEmpty();
        }
    }

    /** Commands that go by this client. */
    public Commands(SluiceClient client) {
        this.client = client;
    }

    @Override
    public void take(Command command, String id) {
        asked.incrementAndGet();
        ask(command, id);
    }

    private void ask(Command command, String id) {
        var unused = client.ask(command, CommandOptions.ofId(id)).reply().whenComplete((reply, failure) -> {
            if (reply instanceof Reply.Accepted) {
                accepted.incrementAndGet();
            } else if (reply != null) {
                refused.add(String.valueOf(reply));
            } else if (failure instanceof CommandException.Closed) {
                LOG.atDebug().addKeyValue("command", id).log("the run is over");
            } else {
                repeated.incrementAndGet();
                ask(command, id);
            }
        });
    }

    /** Until now. */
    public Counts counts() {
        return new Counts(asked.get(), accepted.get(), repeated.get(), List.copyOf(refused));
    }
}
