package io.sluice.relay.rejected;

import java.util.List;

/**
 * Commands that were refused, as far as a look saw them.
 *
 * @param commands the newest first
 * @param notLookedAt records of the dead letter topic before the latest 10 000 of their partitions: there may be more
 *     rejected commands among them
 */
public record RejectedList(List<RejectedCommand> commands, long notLookedAt) {
    public RejectedList {
        commands = List.copyOf(commands);
    }

    /** Says that not all was looked at; empty when it was. */
    public String caveat() {
        return notLookedAt == 0
                ? ""
                : notLookedAt
                        + " older records of the dead letter topic were not looked at: of each partition only the latest "
                        + DeadLetterTopicReader.LOOKED_AT + " are";
    }
}
