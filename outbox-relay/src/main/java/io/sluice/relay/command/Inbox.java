package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.outbox.InboxCommand;
import java.util.function.Supplier;

/** The part of {@link CommandInbox} that the intake needs; tests replace it. */
interface Inbox {
    CommandOutcome accept(InboxCommand command, long floorMillis);

    CommandOutcome refuse(InboxCommand command, String reason);

    /** This inbox, with a callback after every answer or failure. */
    default Inbox withCallback(Runnable callback) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(InboxCommand command, long floorMillis) {
                return callThen(() -> Inbox.this.accept(command, floorMillis));
            }

            @Override
            public CommandOutcome refuse(InboxCommand command, String reason) {
                return callThen(() -> Inbox.this.refuse(command, reason));
            }

            private CommandOutcome callThen(Supplier<CommandOutcome> request) {
                try {
                    return request.get();
                } finally {
                    callback.run();
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
