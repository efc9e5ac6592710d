package io.sluice.relay.rejected;

import java.util.List;

/**
 * Rejected commands in the part of the dead letter topic that is read.
 *
 * @param commands the newest first
 * @param notRead records of the dead letter topic before the latest 10 000 of their partitions: there may be more
 *     rejected commands among them
 */
public record RejectedList(List<RejectedCommand> commands, long notRead) {
    public RejectedList {
        commands = List.copyOf(commands);
    }

    /** A warning that older records were not read; empty if all were. */
    public String caveat() {
        return notRead == 0
                ? ""
                : notRead
                        + " older records of the dead letter topic were not read: of each partition only the latest "
                        + DeadLetterTopicReader.MAX_READ + " are";
    }
}
