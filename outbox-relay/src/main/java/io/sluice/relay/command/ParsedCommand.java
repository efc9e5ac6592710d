package io.sluice.relay.command;

import io.sluice.provider.work.WorkItem;

/** What a record of the commands topic turned out to be. */
sealed interface ParsedCommand {
    /** From its header, else made of topic, partition and offset. */
    String commandId();

    /** A command that can be queued. */
    record Valid(String commandId, WorkItem item) implements ParsedCommand {}

    /** No command: it will never be one, whoever looks at it. */
    record Bad(String commandId, String reason) implements ParsedCommand {}
}
