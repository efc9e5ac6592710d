package io.sluice.relay.command;

import java.util.List;

/**
 * The topics that may get replies.
 *
 * @param names of topics; a {@code *} at the end stands for any rest
 */
record AllowedReplyTopics(List<String> names) {
    AllowedReplyTopics {
        names = List.copyOf(names);
    }

    boolean isAllowed(String topic) {
        return names.stream()
                .anyMatch(name -> name.endsWith("*")
                        ? topic.startsWith(name.substring(0, name.length() - 1))
                        : topic.equals(name));
    }
}
