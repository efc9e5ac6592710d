package io.sluice.relay.command.parse;

import java.util.regex.Pattern;

/**
 * What the metadata of a committed offset says to the next owner.
 *
 * @param floorMillis the latest time at which a command before the offset was queued
 * @param topicId Kafka's id of the topic that the offset is of; empty in offsets of earlier versions
 * @param sinceMillis since when this version takes the commands; 0 when no earlier version ever did
 */
public record OffsetNote(long floorMillis, String topicId, long sinceMillis) {
    private static final Pattern FLOOR = Pattern.compile("floor=(\\d{1,16})");
    private static final Pattern TOPIC = Pattern.compile("topic=([\\w-]{22})");
    private static final Pattern SINCE = Pattern.compile("since=(\\d{1,16})");

    /** Reads one; whatever is missing is 0 or empty. */
    public static OffsetNote of(String metadata) {
        return new OffsetNote(number(FLOOR, metadata), text(TOPIC, metadata, ""), number(SINCE, metadata));
    }

    /** The metadata. */
    public String text() {
        return "floor=" + floorMillis + " topic=" + topicId + " since=" + sinceMillis;
    }

    /** Whether this version wrote it. */
    public boolean isOfThisVersion() {
        return !topicId.isEmpty();
    }

    /** Whether it is of a topic with another id. */
    public boolean isOfOther(String id) {
        return isOfThisVersion() && !topicId.equals(id);
    }

    private static long number(Pattern pattern, String metadata) {
        return Long.parseLong(text(pattern, metadata, "0"));
    }

    private static String text(Pattern pattern, String metadata, String otherwise) {
        var found = pattern.matcher(metadata);
        return found.find() ? found.group(1) : otherwise;
    }
}
