package io.sluice.relay.contract;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a topic holds and promises.
 *
 * @param suffix what follows the prefix in its name; null where somebody else names it
 * @param purpose what it is for
 * @param writer who writes to it
 * @param key what its records' keys are
 * @param values the forms of its values
 * @param headers of its records
 * @param storage how Kafka keeps it
 * @param storageFault what goes wrong when old records are treated otherwise; null where that harms nobody
 * @param promises what holds of its records: order, repetition, identity, ends
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
     * What holds of a topic's records.
     *
     * @param order in which they come
     * @param repetition whether one can come again
     * @param identity by what a consumer tells one from another
     * @param removal what a record without a value means, and how an end is told
     * @param changes what may be added, beside what holds for all topics
     */
    public record Promises(String order, String repetition, String identity, String removal, String changes) {}

    public TopicContract {
        values = List.copyOf(values);
        headers = List.copyOf(headers);
    }

    /**
     * Its name.
     *
     * @throws IllegalStateException where somebody else names it
     */
    public String name(String prefix) {
        return prefix + Optional.ofNullable(suffix).orElseThrow(() -> new IllegalStateException("named by others"));
    }
}
