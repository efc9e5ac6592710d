package io.sluice.durabletask.turn;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What the store can hold of a turn. */
public final class TurnLimits {
    /** Most bytes that one event or message takes in the store, as JSON within JSON. */
    public static final int MAX_EVENT_BYTES = 1_790_000;
    /** Most bytes of UTF-8 of a custom status. */
    public static final int MAX_CUSTOM_STATUS_BYTES = 256 * 1024;
    /** Most bytes of UTF-8 of an instance id; ids of documents contain it. */
    public static final int MAX_INSTANCE_ID_BYTES = 950;

    private static final String REFUSED_CHARACTERS = "/\\?#";
    /** An escaped control character within a string within a string. */
    private static final int MAX_BYTES_PER_BYTE = 7;
    /** Fields of an event besides what a worker has sent. */
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
        if (isRefused || id.endsWith(" ")) {
            return Optional.of("an instance id holds none of / \\ ? #, no control character, and no space at its end;"
                    + " was '" + id + "'");
        }
        return Optional.empty();
    }

    /** Refuses a custom status that is too long. */
    static void checkCustomStatus(String status) {
        int bytes = status.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_CUSTOM_STATUS_BYTES) {
            throw new RefusedResponseException(
                    RefusedResponseException.Problem.RESOURCE_EXHAUSTED,
                    "customStatus has " + bytes + " bytes of UTF-8, the limit is " + MAX_CUSTOM_STATUS_BYTES);
        }
    }

    /**
     * Refuses an event that the store can't hold.
     *
     * @param action what the event records, for the error
     */
    static void checkEvent(HistoryEvent event, OrchestratorAction action) {
        check(action, () -> HistoryJson.encode(event));
    }

    /**
     * Refuses a message that the store can't hold.
     *
     * @param action what the message is sent for
     */
    static void checkMessage(WorkItem message, OrchestratorAction action) {
        check(action, () -> WorkItemJson.encode(message));
    }

    private static void check(OrchestratorAction action, Supplier<String> json) {
        if (action.getSerializedSize() <= (MAX_EVENT_BYTES - ENVELOPE_BYTES) / MAX_BYTES_PER_BYTE) {
            return;
        }
        long bytes = storedBytes(json.get());
        if (bytes > MAX_EVENT_BYTES) {
            FieldDescriptor kind = OrchestratorAction.getDescriptor()
                    .findFieldByNumber(action.getOrchestratorActionTypeCase().getNumber());
            throw new RefusedResponseException(
                    RefusedResponseException.Problem.RESOURCE_EXHAUSTED,
                    "action " + action.getId() + ", " + kind.getName() + "."
                            + largestField((Message) action.getField(kind)) + ": as stored, with escapes, it takes "
                            + bytes + " bytes, the limit is " + MAX_EVENT_BYTES
                            + "; carry less, or store the payload elsewhere and carry a reference");
        }
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

    /** Bytes of a text as a string within a JSON document. */
    private static long storedBytes(String json) {
        long escapes = json.chars().filter(c -> c == '"' || c == '\\').count();
        return json.getBytes(StandardCharsets.UTF_8).length + escapes;
    }
}
