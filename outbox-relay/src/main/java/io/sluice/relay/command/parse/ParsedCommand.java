package io.sluice.relay.command.parse;

import io.sluice.provider.work.WorkItem;
import org.jspecify.annotations.Nullable;

/** A record of the commands topic after parsing. */
public sealed interface ParsedCommand {
    /** From its header, else made from the place of its record. */
    String commandId();

    /** The topic for the reply; null for none. */
    @Nullable
    String replyTopic();

    /** A command that can be queued. */
    record Valid(CommandIdentity identity, WorkItem item, CommandHeaders headers) implements ParsedCommand {
        @Override
        public String commandId() {
            return identity.shown();
        }

        @Override
        public @Nullable String replyTopic() {
            return headers.replyTopic();
        }
    }

    /** A record that is no command, for every relay of this version. */
    record Bad(String commandId, String reason, @Nullable String replyTopic) implements ParsedCommand {}
}
