package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.work.WorkItem;

/** Where commands are queued, as the intake needs it: {@link CommandInbox} behind an interface of ours. */
interface Inbox {
    CommandOutcome accept(String commandId, WorkItem item, long floorMillis);

    CommandOutcome refuse(String commandId, String instanceId, String reason);

    static Inbox of(CommandInbox inbox) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(String commandId, WorkItem item, long floorMillis) {
                return inbox.accept(commandId, item, floorMillis);
            }

            @Override
            public CommandOutcome refuse(String commandId, String instanceId, String reason) {
                return inbox.refuse(commandId, instanceId, reason);
            }
        };
    }
}
