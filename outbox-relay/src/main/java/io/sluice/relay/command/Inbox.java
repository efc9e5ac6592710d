package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.outbox.InboxCommand;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The part of {@link CommandInbox} that the intake needs; tests replace it. */
public interface Inbox {
    /** Queues a command, later than a time (milliseconds). */
    CommandOutcome accept(InboxCommand command, long floorMillis);

    /** Writes the receipt that refuses a command. */
    CommandOutcome refuse(InboxCommand command, String reason);

    /**
     * The part of the store that holds an instance, and may fail as a whole while others do not; by default each
     * instance is one of its own. Without a request.
     */
    default Object partOf(String instance) {
        return instance;
    }

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

            @Override
            public Object partOf(String instance) {
                return Inbox.this.partOf(instance);
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

    /**
     * The inbox of a store.
     *
     * @param queued gets each instance for which a command was queued just now; must return at once
     * @param partOf the part of the store that holds an instance; must return at once
     */
    static Inbox of(CommandInbox inbox, Consumer<String> queued, Function<String, Object> partOf) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(InboxCommand command, long floorMillis) {
                var outcome = inbox.accept(command, floorMillis);
                if (outcome instanceof CommandOutcome.Accepted accepted && accepted.now()) {
                    queued.accept(command.item().routedInstance());
                }
                return outcome;
            }

            @Override
            public CommandOutcome refuse(InboxCommand command, String reason) {
                return inbox.refuse(command, reason);
            }

            @Override
            public Object partOf(String instance) {
                return partOf.apply(instance);
            }
        };
    }
}
