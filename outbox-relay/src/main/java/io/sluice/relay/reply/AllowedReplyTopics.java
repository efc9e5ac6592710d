package io.sluice.relay.reply;

import java.util.List;

/**
 * The topics that may get replies.
 *
 * @param names of topics; a {@code *} at the end stands for any rest
 */
public record AllowedReplyTopics(List<String> names) {
    /** So many names are shown. */
    private static final int MOST_SHOWN = 10;

    public AllowedReplyTopics {
        names = List.copyOf(names);
    }

    boolean isAllowed(String topic) {
        return names.stream()
                .anyMatch(name -> name.endsWith("*")
                        ? topic.startsWith(name.substring(0, name.length() - 1))
                        : topic.equals(name));
    }

    /** The names in words, for the reason of a refusal. */
    String shown() {
        var first = String.join(", ", names.subList(0, Math.min(MOST_SHOWN, names.size())));
        return names.size() <= MOST_SHOWN ? first : first + " and " + (names.size() - MOST_SHOWN) + " more";
    }
}
