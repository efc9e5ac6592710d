package io.sluice.relay.contract;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a topic contains and guarantees.
 *
 * @param suffix follows the prefix in its name; null if its user chooses the name
 * @param purpose what it is for
 * @param writer who writes to it
 * @param key the meaning of its records' keys
 * @param values the forms of its values
 * @param headers of its records
 * @param storage how Kafka stores it
 * @param storageFault the consequence of another clean-up policy; null if there is none
 * @param promises guarantees: order, repetition, identity, tombstones
 * @param cloudEvents whether its records are CloudEvents in the binary mode of the Kafka binding
 */
public record TopicContract(
        @Nullable String suffix,
        String purpose,
        String writer,
        String key,
        List<TopicValue> values,
        List<TopicHeader> headers,
        TopicStorage storage,
        @Nullable String storageFault,
        Promises promises,
        boolean cloudEvents) {
    /**
     * The guarantees of a topic's records.
     *
     * @param order of the records
     * @param repetition whether a record can be repeated
     * @param identity by which a consumer recognizes a repeated record
     * @param removal the meaning of a record without a value, and how a deletion is represented
     * @param changes what may be added, in addition to the rules for all topics
     */
    public record Promises(String order, String repetition, String identity, String removal, String changes) {}

    public TopicContract {
        values = List.copyOf(values);
        headers = List.copyOf(headers);
    }

    /** Its suffix, if it has one. */
    Stream<String> suffixes() {
        return Stream.ofNullable(suffix);
    }

    /**
     * The name of the topic.
     *
     * @throws IllegalStateException if its user chooses the name
     */
    public String name(String prefix) {
        return prefix + Optional.ofNullable(suffix).orElseThrow(() -> new IllegalStateException("named by others"));
    }
}
