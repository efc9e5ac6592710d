package io.sluice.provider.document;

import io.sluice.provider.ProviderException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * How document ids are composed, and which the service refuses or does not find again: over 1 023 bytes of UTF-8, with
 * {@code / \ ? #}, with a space at the end, or with an escape such as {@code %20}, which its gateway decodes. Names
 * that carry user text are written plainly, as every other writer does, and encoded only where the service would refuse
 * them.
 */
public final class DocumentIds {
    /** Longest document id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 1_023;
    /** Longest instance id (it is the partition key), in bytes of UTF-8. */
    public static final int MAX_INSTANCE_ID_BYTES = 2_048;

    private static final String FORBIDDEN = "/\\?#";
    /** How ids of partitions begin that hold the leases of a collection. */
    public static final String LEASES = "__leases__:";

    private static final String COMMAND_RECEIPT = "receipt:cmd:";
    private static final String REQUEST_RECEIPT = "receipt:req:";
    private static final String OUTBOX = "outbox:";
    private static final String FAILED = ":failed";
    private static final String FIRST = ":first";
    /** Room for the longest of the prefixes and suffixes that are put around an intent's key. */
    private static final int MAX_KEY_BYTES = MAX_ID_BYTES - OUTBOX.length() - FAILED.length();

    private DocumentIds() {}

    /** Id, and partition, of the document that says which form the whole store has. */
    public static final String STORE = "sluice:store";

    private static final List<String> RESERVED = List.of(COMMAND_RECEIPT, REQUEST_RECEIPT, LEASES, STORE);

    /** Id of an instance's head. */
    public static String instance(String instanceId) {
        return instanceId + ":instance";
    }

    /** Id of an event. */
    public static String history(String instanceId, long executionId, long eventId) {
        return instanceId + ":history:" + executionId + ":" + eventId;
    }

    /** Id of a committed key value. */
    public static String keyValue(String instanceId, String key) {
        return encodedWhereRefused(instanceId, "kv", key);
    }

    /** Id of a key's change in the running execution. */
    public static String keyValueDelta(String instanceId, String key) {
        return encodedWhereRefused(instanceId, "kv_delta", key);
    }

    /** Id of a session. */
    public static String session(String instanceId, String sessionId) {
        return encodedWhereRefused(instanceId, "session", sessionId);
    }

    /** Id of an intent. */
    public static String intent(String key) {
        return "intent:" + key;
    }

    /** Id of the document an intent creates. */
    public static String outboxTarget(String key) {
        return OUTBOX + key;
    }

    /** Id of the message that tells a source that its intent failed permanently. */
    public static String failureAnswer(String key) {
        return OUTBOX + key + FAILED;
    }

    /**
     * Id of an intent's receipt; keys of other writers may be too long or hold refused characters, and are then hashed.
     */
    public static String receipt(String key) {
        String plain = "receipt:" + key;
        return isAcceptable(plain) ? plain : "receipt~:" + sha256(key);
    }

    /** Id of a staged part; number 0 is the try itself. */
    public static String stagedPart(String tryId, int number) {
        return "staged:" + tryId + ":" + number;
    }

    /** Id of the commit document of a staged turn. */
    public static String stagedCommit(String lockToken) {
        return "staged:" + lockToken + ":commit";
    }

    /** Id of the document that decides a deletion. */
    public static String deletion(String uuid) {
        return "deletion:" + uuid;
    }

    /** Id of a purge document; the instance is hashed where the id would become too long. */
    public static String purge(String instanceId, String uuid) {
        String plain = "purge:" + instanceId + ":" + uuid;
        return isAcceptable(plain) ? plain : "purge~:" + sha256(instanceId) + ":" + uuid;
    }

    /**
     * Id of a command's receipt; command ids are chosen by strangers, and hashed where the service would refuse them.
     */
    public static String commandReceipt(String commandId) {
        String plain = COMMAND_RECEIPT + commandId;
        return isAcceptable(plain) ? plain : "receipt:cmd~:" + sha256(commandId);
    }

    /** Hash of what a command asks for, in 64 hexadecimal digits. */
    public static String commandContent(String workItem) {
        return sha256(workItem);
    }

    /** Id of the receipt of an ack that writes no event by which it could be recognised. */
    public static String ackReceipt(String lockToken) {
        return "receipt:ack:" + lockToken;
    }

    /** Id of the receipt of a queue document whose id was made at random. */
    public static String enqueueReceipt(String documentId) {
        return "receipt:enq:" + documentId;
    }

    /** Id of the receipt of what a caller enqueued under an id of its own; hashed where the service would refuse it. */
    public static String requestReceipt(String queue, String requestId) {
        String plain = REQUEST_RECEIPT + queue + ":" + requestId;
        return isAcceptable(plain) ? plain : "receipt:req~:" + queue + ":" + sha256(requestId);
    }

    /** Id of an instance's first message that was created together with the instance's document. */
    public static String firstMessage(String unique) {
        return unique + FIRST;
    }

    /** Whether the message was created together with its instance's document. */
    public static boolean isFirstMessage(String messageId) {
        return messageId.endsWith(FIRST);
    }

    /**
     * Key of an intent: unique per turn (its lock token commits at most once) and position, and the same when the ack
     * is repeated.
     *
     * @param position index over all cross-partition items of the turn
     */
    public static String intentKey(String source, long executionId, String lockToken, int position) {
        String place = String.format(Locale.ROOT, ".%06d", position);
        String head = source + ":" + executionId + ":" + sha256(lockToken).substring(0, 16);
        String key = head + place;
        return utf8Length(key) <= MAX_KEY_BYTES ? key : sha256(head) + place;
    }

    /**
     * Refuses an instance id the service can't hold, or whose partition or documents are the store's own. The rest of a
     * receipt's id is chosen by whoever sends a command or a request, so that it could take the id of the head of an
     * instance that is named like a receipt; and the instance of a collection's partition would own its leases.
     *
     * @param operation the contract's operation, for the error
     * @throws ProviderException permanent, naming the limit and where the offending value is
     */
    public static void checkInstanceId(String operation, String instanceId) {
        for (String reserved : RESERVED) {
            if (instanceId.startsWith(reserved)) {
                throw ProviderException.permanent(
                        operation,
                        "instance id begins with '" + reserved + "', which is reserved for the store's own documents: '"
                                + abbreviated(instanceId) + "'");
            }
        }
        checkPartition(operation, instanceId);
    }

    /**
     * Refuses the id of a partition that the service can't hold.
     *
     * @param operation the contract's operation, for the error
     */
    public static void checkPartition(String operation, String instanceId) {
        if (instanceId.isEmpty()) {
            throw ProviderException.permanent(operation, "instance id is empty; give the instance a name");
        }
        checkCharacters(operation, "instance id", instanceId);
        int bytes = utf8Length(instanceId);
        if (bytes > MAX_INSTANCE_ID_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    "instance id has " + bytes + " bytes of UTF-8, the limit is " + MAX_INSTANCE_ID_BYTES + ": '"
                            + abbreviated(instanceId) + "'");
        }
        checkDocumentId(operation, "instance id", instance(instanceId));
    }

    /**
     * Refuses a composed document id the service can't hold.
     *
     * @param field what the id is made from, for the error
     */
    public static void checkDocumentId(String operation, String field, String documentId) {
        checkCharacters(operation, field, documentId);
        if (documentId.endsWith(" ")) {
            throw ProviderException.permanent(
                    operation,
                    field + " ends with a space, which the store refuses: '" + abbreviated(documentId) + "'");
        }
        int bytes = utf8Length(documentId);
        if (bytes > MAX_ID_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    field + " makes a document id of " + bytes + " bytes of UTF-8, the limit is " + MAX_ID_BYTES + ": '"
                            + abbreviated(documentId) + "'");
        }
    }

    private static void checkCharacters(String operation, String field, String value) {
        int at = refusedAt(value);
        if (at >= 0) {
            throw ProviderException.permanent(
                    operation,
                    "%s holds the character U+%04X at position %d, which the store refuses (none of / \\ ? #, control characters, lone surrogates, %% before two hexadecimal digits): '%s'"
                            .formatted(field, (int) value.charAt(at), at, abbreviated(value)));
        }
    }

    private static String encodedWhereRefused(String instanceId, String kind, String name) {
        String plain = instanceId + ":" + kind + ":" + name;
        if (isAcceptable(plain)) {
            return plain;
        }
        String prefix = instanceId + ":" + kind + "~:";
        String encoded =
                prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
        return encoded.length() <= MAX_ID_BYTES && utf8Length(encoded) <= MAX_ID_BYTES
                ? encoded
                : prefix + ":" + sha256(name);
    }

    private static boolean isAcceptable(String id) {
        return refusedAt(id) < 0 && !id.endsWith(" ") && utf8Length(id) <= MAX_ID_BYTES;
    }

    /** Position of the first character the service (or UTF-8) can't hold, or -1. */
    private static int refusedAt(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (FORBIDDEN.indexOf(c) >= 0 || Character.isISOControl(c) || isEscape(value, i)) {
                return i;
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isEscape(String value, int at) {
        return value.charAt(at) == '%'
                && at + 2 < value.length()
                && HexFormat.isHexDigit(value.charAt(at + 1))
                && HexFormat.isHexDigit(value.charAt(at + 2));
    }

    private static int utf8Length(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String abbreviated(String value) {
        return value.length() <= 80 ? value : UnicodeText.beginning(value, 80) + "…";
    }

    private static String sha256(String value) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
