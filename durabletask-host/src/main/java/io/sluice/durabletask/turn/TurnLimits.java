package io.sluice.durabletask.turn;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.sluice.durabletask.history.StoredSize;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the store can hold of a turn. It commits the instance's document and the turn's first event by one request of
 * 1.8 MB; everything else may follow in further requests, one document each at least. Hence these limits, in bytes
 * {@linkplain StoredSize as stored}:
 *
 * <table>
 * <caption>Limits</caption>
 * <tr><td>an event; a message, which becomes one</td><td>{@value #MAX_EVENT_BYTES}: there is room for the instance's
 *     document next to it, so that no message keeps an instance from its next turn</td></tr>
 * <tr><td>a message on its way to another instance</td><td>{@value #MAX_DOCUMENT_BYTES}</td></tr>
 * <tr><td>custom status</td><td>{@value #MAX_CUSTOM_STATUS_BYTES}</td></tr>
 * <tr><td>name and version of an orchestration, each</td><td>{@value #MAX_NAME_BYTES}</td></tr>
 * <tr><td>output, custom status, name, version and the first event of the turn, together</td>
 *     <td>{@value #MAX_DOCUMENT_BYTES}</td></tr>
 * </table>
 */
public final class TurnLimits {
    /** Most bytes that one event or message takes in the store. */
    public static final int MAX_EVENT_BYTES = 1_500_000;
    /** Most bytes of a custom status, as stored. */
    public static final int MAX_CUSTOM_STATUS_BYTES = 256 * 1024;
    /** Most bytes of UTF-8 of an instance id; ids of documents contain it. */
    public static final int MAX_INSTANCE_ID_BYTES = 950;
    /** Most bytes of an orchestration's name, and of its version, as stored. */
    public static final int MAX_NAME_BYTES = 1_000;

    /** The provider's limit of 1 800 000 bytes, less what its documents have besides the texts that are counted. */
    static final int MAX_DOCUMENT_BYTES = 1_770_000;

    private static final String REFUSED_CHARACTERS = "/\\?#";
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");
    /** An escaped control character within a string within a string within a string. */
    private static final int MAX_BYTES_PER_BYTE = 9;
    /** Fields of an event or message besides what a worker has sent. */
    private static final int ENVELOPE_BYTES = 16 * 1024;

    private TurnLimits() {}

    /** Why the store can't hold an instance under this id; empty when it can. */
    public static Optional<String> instanceIdFault(String id) {
        if (id.isEmpty()) {
            return Optional.of("an instance id must not be empty");
        }
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_INSTANCE_ID_BYTES) {
            return Optional.of(
                    "an instance id has at most " + MAX_INSTANCE_ID_BYTES + " bytes of UTF-8, this one has " + bytes);
        }
        boolean isRefused =
                id.chars().anyMatch(c -> REFUSED_CHARACTERS.indexOf(c) >= 0 || Character.isISOControl((char) c));
        if (isRefused || id.endsWith(" ") || ESCAPE.matcher(id).find()) {
            return Optional.of("an instance id holds none of / \\ ? #, no control character, no escape such as %20, and"
                    + " no space at its end; was '" + id + "'");
        }
        return Optional.empty();
    }

    /** Why no orchestration can have this name, or this version; empty when one can. */
    public static Optional<String> nameFault(String name) {
        long bytes = StoredSize.ofField(name);
        return bytes <= MAX_NAME_BYTES
                ? Optional.empty()
                : Optional.of("name and version of an orchestration have at most " + MAX_NAME_BYTES
                        + " bytes each, this one has " + bytes);
    }

    /**
     * Why no turn could take this message; empty when one can. For messages of clients: the receiving instance could
     * never go on.
     */
    public static Optional<String> messageFault(WorkItem message) {
        return fault(StoredSize.ofMessage(message), MAX_EVENT_BYTES);
    }

    /**
     * Why no turn could take a start that brings a termination along; empty when one can. The two become two events: it
     * needs only room in the queue.
     */
    public static Optional<String> terminatedStartFault(WorkItem start) {
        return fault(StoredSize.ofMessage(start), MAX_DOCUMENT_BYTES);
    }

    /** The same for a message to another instance, which must have room in the sender's partition, too. */
    static Optional<String> sentMessageFault(WorkItem message) {
        long bytes = StoredSize.ofSentMessage(message);
        if (bytes <= MAX_EVENT_BYTES) {
            return Optional.empty();
        }
        return messageFault(message)
                .or(() -> fault(bytes, MAX_DOCUMENT_BYTES).map(text -> "on its way to another instance, " + text));
    }

    /** Why the store can't hold an activity; empty when it can. */
    static Optional<String> activityFault(WorkItem.ActivityExecute activity) {
        String tag = activity.tag();
        return fault(StoredSize.ofMessage(activity) + (tag == null ? 0 : StoredSize.ofField(tag)), MAX_EVENT_BYTES);
    }

    /** Why the store can't hold an event that the worker has decided on; empty when it can. */
    static Optional<String> eventFault(HistoryEvent event) {
        return fault(StoredSize.ofEvent(event), MAX_EVENT_BYTES);
    }

    /**
     * Why the request that commits a turn has no room; empty when it has.
     *
     * @param head what is stored with the instance
     * @param first event of the turn
     */
    static Optional<String> commitFault(Head head, @Nullable HistoryEvent first) {
        long bytes = head.bytes() + (first == null ? 0 : StoredSize.ofEvent(first));
        return fault(bytes, MAX_DOCUMENT_BYTES)
                .map(text -> "with the instance and the first event of the turn, which are committed along with it, "
                        + text);
    }

    private static Optional<String> fault(long bytes, int limit) {
        return bytes <= limit
                ? Optional.empty()
                : Optional.of("as stored, with escapes, it takes " + bytes + " bytes, the limit is " + limit
                        + "; carry less, or store the payload elsewhere and carry a reference");
    }

    /** What is stored with an instance, as far as it has no limit, or one worth counting. */
    record Head(
            String name,
            String version,
            @Nullable String customStatus,
            @Nullable String output) {
        long bytes() {
            return StoredSize.ofField(name)
                    + StoredSize.ofField(version)
                    + (customStatus == null ? 0 : StoredSize.ofField(customStatus))
                    + (output == null ? 0 : StoredSize.ofField(output));
        }

        Head withOutput(@Nullable String newOutput) {
            return new Head(name, version, customStatus, newOutput);
        }
    }

    /** Refuses a custom status that is too long. */
    static void checkCustomStatus(String status) {
        long bytes = StoredSize.ofField(status);
        if (bytes > MAX_CUSTOM_STATUS_BYTES) {
            throw RefusedResponseException.tooLarge("customStatus: as stored, with escapes, it takes " + bytes
                    + " bytes, the limit is " + MAX_CUSTOM_STATUS_BYTES);
        }
    }

    /** Whether nothing that is made of this part of an answer, or of this event, and nothing else, can be too large. */
    static boolean isSurelySmall(Message source) {
        return source.getSerializedSize() <= (MAX_EVENT_BYTES - ENVELOPE_BYTES) / MAX_BYTES_PER_BYTE;
    }

    /** The field of an action that a fault is about: its largest. */
    static String named(OrchestratorAction action, String fault) {
        FieldDescriptor kind = OrchestratorAction.getDescriptor()
                .findFieldByNumber(action.getOrchestratorActionTypeCase().getNumber());
        return "action " + action.getId() + ", " + kind.getName() + "." + largestField((Message) action.getField(kind))
                + ": " + fault;
    }

    private static String largestField(Message source) {
        return source.getAllFields().entrySet().stream()
                .max(Comparator.comparingInt(field -> size(field, source)))
                .map(field -> field.getKey().getName())
                .orElse("");
    }

    private static int size(Map.Entry<FieldDescriptor, Object> field, Message source) {
        return source.getSerializedSize()
                - source.toBuilder().clearField(field.getKey()).build().getSerializedSize();
    }
}
