package io.sluice.relay.ledger.load;

import io.sluice.client.Command;
import io.sluice.provider.Provider;
import io.sluice.provider.work.WorkItem;

/** Commands given to the store, so that they come whatever becomes of relays and Kafka. Thread-safe. */
public record StoreOrders(Provider provider) implements Orders.Taker {
    @Override
    public void take(Command command, String id) {
        provider.enqueueForOrchestrator(item(command), null);
    }

    private static WorkItem item(Command command) {
        if (command instanceof Command.Start start) {
            return new WorkItem.StartOrchestration(
                    start.instance(), Story.NAME, "{}", Story.ORCHESTRATION_VERSION, null, null, null, 1);
        } else if (command instanceof Command.RaiseEvent raise) {
            return new WorkItem.ExternalRaised(raise.instance(), raise.name(), raise.data());
        } else if (command instanceof Command.Cancel cancel) {
            return new WorkItem.CancelInstance(cancel.instance(), cancel.reason());
        }
        throw new IllegalArgumentException("no order has such a command: " + command);
    }
}
