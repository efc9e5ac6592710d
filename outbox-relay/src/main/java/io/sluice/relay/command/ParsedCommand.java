package io.sluice.relay.command;

import io.sluice.provider.work.WorkItem;
import org.jspecify.annotations.Nullable;

/** What a record of the commands topic turned out to be. */
sealed interface ParsedCommand {
    /** From its header, else made of its record's place. */
    String commandId();

    /** Where to tell how it ended; null for nowhere. */
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

    /** No command: it will never be one, whoever looks at it. */
    record Bad(String commandId, String reason, @Nullable String replyTopic) implements ParsedCommand {}
}
