package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;
import java.util.function.Supplier;

/** Where commands are queued, as the intake needs it: {@link CommandInbox} behind an interface of ours. */
interface Inbox {
    CommandOutcome accept(ParsedCommand.Valid command, long floorMillis);

    CommandOutcome refuse(String commandId, String instanceId, String reason);

    /** The same, where somebody hears of every answer, whatever it is. */
    default Inbox heardBy(Runnable listener) {
        return new Inbox() {
            @Override
            public CommandOutcome accept(ParsedCommand.Valid command, long floorMillis) {
                return heard(() -> Inbox.this.accept(command, floorMillis));
            }

            @Override
            public CommandOutcome refuse(String commandId, String instanceId, String reason) {
                return heard(() -> Inbox.this.refuse(commandId, instanceId, reason));
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
            public CommandOutcome accept(ParsedCommand.Valid command, long floorMillis) {
                return inbox.accept(
                        command.commandId(),
                        command.item(),
                        floorMillis,
                        command.headers().trace());
            }

            @Override
            public CommandOutcome refuse(String commandId, String instanceId, String reason) {
                return inbox.refuse(commandId, instanceId, reason);
            }
        };
    }
}
