package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.CommandOutcome;

/** Where commands are queued, as the intake needs it: {@link CommandInbox} behind an interface of ours. */
interface Inbox {
    CommandOutcome accept(ParsedCommand.Valid command, long floorMillis);

    CommandOutcome refuse(String commandId, String instanceId, String reason);

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
