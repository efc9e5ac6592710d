package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.outbox.InboxCommand;
import java.util.function.Supplier;

/** Where commands are queued, as the intake needs it: {@link CommandInbox} behind an interface of ours. */
interface Inbox {
    CommandOutcome accept(InboxCommand command, long floorMillis);

    CommandOutcome refuse(InboxCommand command, String reason);

    /** The same, where somebody hears of every answer, whatever it is. */
    default Inbox heardBy(Runnable listener) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(InboxCommand command, long floorMillis) {
                return heard(() -> Inbox.this.accept(command, floorMillis));
            }

            @Override
            public CommandOutcome refuse(InboxCommand command, String reason) {
                return heard(() -> Inbox.this.refuse(command, reason));
            }

            private CommandOutcome heard(Supplier<CommandOutcome> request) {
                try {
                    return request.get();
                } finally {
                    listener.run();
                }
            }
        };
    }

    static Inbox of(CommandInbox inbox) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(InboxCommand command, long floorMillis) {
                return inbox.accept(command, floorMillis);
            }

            @Override
            public CommandOutcome refuse(InboxCommand command, String reason) {
                return inbox.refuse(command, reason);
            }
        };
    }
}
