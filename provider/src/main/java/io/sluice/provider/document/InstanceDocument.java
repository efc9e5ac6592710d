package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstanceExt;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The head of an instance's partition: what it is, how its current execution stands, and who holds its lock.
 *
 * @param pinnedVersionPacked runtime version of the current execution as one number; null accepts every dispatcher
 * @param lockedUntil milliseconds; the lock is valid while this lies in the future
 * @param ext what a host keeps along; null, and then no field of the document, for nothing
 * @param unknown of a newer release; written back
 */
public record InstanceDocument(
        String instanceId,
        String orchestrationName,
        String orchestrationVersion,
        long currentExecutionId,
        String status,
        @Nullable String output,
        @Nullable String parentInstanceId,
        @Nullable Long pinnedVersionPacked,
        @Nullable String customStatus,
        long customStatusVersion,
        @Nullable String lockToken,
        @Nullable Long lockedUntil,
        long createdAt,
        long updatedAt,
        @Nullable InstanceExt ext,
        UnknownFields unknown) {
    /** Status of a live execution. */
    public static final String RUNNING = "Running";
    /** Status of an instance whose next execution has not had a turn yet. */
    public static final String CONTINUED_AS_NEW = "ContinuedAsNew";

    /**
     * Until when an instance is locked that a protocol of several batches holds: the end of the year 9999, so that no
     * dispatcher which knows nothing of the protocol takes the lock for lapsed.
     */
    public static final long LOCKED_FAR = 253_402_300_799_000L;

    /** Field of {@link #ext}. */
    public static final String EXT = "ext";

    private static final String COLUMNS =
            "SELECT c.instanceId, c.orchestrationName, c.orchestrationVersion, c.currentExecutionId, c.status,"
                    + " c.parentInstanceId, c.lockToken, c.lockedUntil, c.createdAt, c.updatedAt, c._etag, c."
                    + SchemaVersion.FIELD;
    private static final String ALL = " FROM c WHERE c.type = 'instance'";

    /** Query for all heads, to be narrowed; leaves out the texts of an application, which may be large. */
    public static final String ALL_WITHOUT_TEXTS = COLUMNS + ALL;

    /** The same, with {@link #ext}. */
    public static final String ALL_WITH_EXT = COLUMNS + ", c." + EXT + ALL;

    private static final String NOBODY = "given-back";

    private static final String NAME = "orchestrationName";
    private static final String VERSION = "orchestrationVersion";
    private static final String OUTPUT = "output";
    private static final String PARENT = "parentInstanceId";
    private static final String CUSTOM_STATUS = "customStatus";
    private static final String CUSTOM_STATUS_VERSION = "customStatusVersion";
    private static final String EXECUTION = "currentExecutionId";

    private static final String PINNED = "pinnedDuroxideVersionPacked";
    private static final List<String> OPTIONAL_TEXTS = List.of(OUTPUT, PARENT, CUSTOM_STATUS, Fields.LOCK_TOKEN);
    private static final List<String> OPTIONAL_NUMBERS =
            List.of(CUSTOM_STATUS_VERSION, Fields.LOCKED_UNTIL, Fields.CREATED_AT, Fields.UPDATED_AT);

    private static final Set<String> KNOWN = Set.of(
            Fields.ID,
            Fields.INSTANCE_ID,
            Fields.TYPE,
            NAME,
            VERSION,
            EXECUTION,
            Fields.STATUS,
            OUTPUT,
            PARENT,
            PINNED,
            CUSTOM_STATUS,
            CUSTOM_STATUS_VERSION,
            Fields.LOCK_TOKEN,
            Fields.LOCKED_UNTIL,
            Fields.CREATED_AT,
            Fields.UPDATED_AT,
            EXT);

    /** A new instance, running its first execution. */
    public static InstanceDocument skeleton(String instanceId, String name, String version, long nowMillis) {
        return new InstanceDocument(
                instanceId,
                name,
                version,
                1,
                RUNNING,
                null,
                null,
                null,
                null,
                0,
                null,
                null,
                nowMillis,
                nowMillis,
                null,
                UnknownFields.NONE);
    }

    /**
     * A new instance that is created together with its first message: what a first fetch leaves behind, but for the
     * name of the lock that lapsed.
     */
    public static InstanceDocument started(
            String instanceId, String name, String version, @Nullable InstanceExt ext, long nowMillis) {
        return skeleton(instanceId, name, version, nowMillis)
                .givenBack(nowMillis)
                .withExt(ext);
    }

    /**
     * Reads a stored instance.
     *
     * @throws NewerDocumentException when only a newer release may touch it
     */
    public static InstanceDocument fromJson(JsonNode json) {
        SchemaVersion.check(json);
        return new InstanceDocument(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, NAME),
                DocumentJson.text(json, VERSION),
                DocumentJson.number(json, EXECUTION),
                DocumentJson.text(json, Fields.STATUS),
                DocumentJson.textOrNull(json, OUTPUT),
                DocumentJson.textOrNull(json, PARENT),
                packedVersion(json),
                DocumentJson.textOrNull(json, CUSTOM_STATUS),
                DocumentJson.numberOrZero(json, CUSTOM_STATUS_VERSION),
                DocumentJson.textOrNull(json, Fields.LOCK_TOKEN),
                DocumentJson.numberOrNull(json, Fields.LOCKED_UNTIL),
                DocumentJson.numberOrZero(json, Fields.CREATED_AT),
                DocumentJson.numberOrZero(json, Fields.UPDATED_AT),
                ext(json),
                UnknownFields.of(json, KNOWN));
    }

    /**
     * As much of a stored instance as can be read, with nothing in place of the other fields. The execution has to be:
     * without it nobody knows where the history goes on.
     *
     * @throws MalformedDocumentException where that can't be read
     */
    public static InstanceDocument readable(JsonNode json) {
        ObjectNode sound = json.deepCopy();
        textOr(sound, NAME, "");
        textOr(sound, VERSION, "");
        textOr(sound, Fields.STATUS, RUNNING);
        OPTIONAL_TEXTS.forEach(field -> removeUnlessRead(sound, field, DocumentJson::textOrNull));
        OPTIONAL_NUMBERS.forEach(field -> removeUnlessRead(sound, field, DocumentJson::numberOrNull));
        removeUnlessRead(sound, PINNED, (document, field) -> packedVersion(document));
        removeUnlessRead(sound, EXT, (document, field) -> ext(document));
        return fromJson(sound);
    }

    private static void textOr(ObjectNode json, String field, String other) {
        if (!json.path(field).isTextual()) {
            json.put(field, other);
        }
    }

    private static void removeUnlessRead(ObjectNode json, String field, BiConsumer<JsonNode, String> read) {
        try {
            read.accept(json, field);
        } catch (MalformedDocumentException e) {
            json.remove(field);
        }
    }

    /**
     * The pinned version of a stored instance, as one number; null for none.
     *
     * @throws MalformedDocumentException when the number is no version's
     */
    public static @Nullable Long packedVersion(JsonNode json) {
        @Nullable Long packed = DocumentJson.numberOrNull(json, PINNED);
        if (packed != null && packed < 0) {
            throw new MalformedDocumentException(
                    DocumentJson.describe(json) + " is pinned to a version below zero: " + packed);
        }
        return packed;
    }

    private static @Nullable InstanceExt ext(JsonNode json) {
        JsonNode stored = json.get(EXT);
        if (stored == null || stored.isNull()) {
            return null;
        }
        try {
            return new InstanceExt(DocumentJson.write(stored));
        } catch (IllegalArgumentException e) {
            throw new MalformedDocumentException(DocumentJson.describe(json) + ": " + e.getMessage());
        }
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.instance(instanceId);
    }

    /** Whether somebody's lock is alive. */
    public boolean isLocked(long nowMillis) {
        return lockToken != null && lockedUntil != null && lockedUntil > nowMillis;
    }

    /** Whether the lock bears this token, be it alive or lapsed. */
    public boolean bears(String token) {
        return token.equals(lockToken);
    }

    /**
     * Whether the document alone proves that a turn of the instance was acked. Where it does not, only an event in the
     * history tells it from what a first fetch left behind, or holds just now.
     */
    public boolean isSurelyAcked() {
        return !status.equals(RUNNING) || currentExecutionId > 1 || (lockToken == null && !orchestrationName.isEmpty());
    }

    /** Whether it was {@linkplain #started} and nobody has locked it yet, so that it has no history. */
    public boolean isUntouched() {
        return NOBODY.equals(lockToken) && currentExecutionId == 1 && updatedAt == createdAt;
    }

    /** Whether it was {@linkplain #started} or first fetched, has had no turn so far and is in none. */
    public boolean isUnlockedBeforeFirstAck() {
        return NOBODY.equals(lockToken) && currentExecutionId == 1 && status.equals(RUNNING);
    }

    /**
     * Whether a protocol of several batches holds it: a process that finds it must search for that protocol's document.
     */
    public boolean isLockedFar() {
        return lockToken != null && lockedUntil != null && lockedUntil >= LOCKED_FAR;
    }

    /** The same, locked. */
    public InstanceDocument locked(String token, long untilMillis, long newUpdatedAt) {
        return copy(token, untilMillis, newUpdatedAt);
    }

    /** The same, free. */
    public InstanceDocument unlocked(long newUpdatedAt) {
        return copy(null, null, newUpdatedAt);
    }

    /**
     * The same, given back without an ack: free, under a lock that nobody bears and that lapsed long ago, so that a
     * head which a first fetch left behind does not begin to look {@linkplain #isSurelyAcked acked}.
     */
    public InstanceDocument givenBack(long newUpdatedAt) {
        return copy(NOBODY, 0L, newUpdatedAt);
    }

    /** The same under this name and version. */
    public InstanceDocument named(String name, String version) {
        return new InstanceDocument(
                instanceId,
                name,
                version,
                currentExecutionId,
                status,
                output,
                parentInstanceId,
                pinnedVersionPacked,
                customStatus,
                customStatusVersion,
                lockToken,
                lockedUntil,
                createdAt,
                updatedAt,
                ext,
                unknown);
    }

    /** The same with this kept along. */
    public InstanceDocument withExt(@Nullable InstanceExt newExt) {
        return copy(lockToken, lockedUntil, updatedAt, newExt);
    }

    private InstanceDocument copy(@Nullable String token, @Nullable Long until, long newUpdatedAt) {
        return copy(token, until, newUpdatedAt, ext);
    }

    private InstanceDocument copy(
            @Nullable String token, @Nullable Long until, long newUpdatedAt, @Nullable InstanceExt newExt) {
        return new InstanceDocument(
                instanceId,
                orchestrationName,
                orchestrationVersion,
                currentExecutionId,
                status,
                output,
                parentInstanceId,
                pinnedVersionPacked,
                customStatus,
                customStatusVersion,
                token,
                until,
                createdAt,
                newUpdatedAt,
                newExt,
                unknown);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id(), instanceId, DocumentType.INSTANCE)
                .put("orchestrationName", orchestrationName)
                .put("orchestrationVersion", orchestrationVersion)
                .put("currentExecutionId", currentExecutionId)
                .put(Fields.STATUS, status)
                .put("output", output)
                .put("parentInstanceId", parentInstanceId);
        DocumentJson.put(json, "pinnedDuroxideVersionPacked", pinnedVersionPacked);
        json.put("customStatus", customStatus)
                .put("customStatusVersion", customStatusVersion)
                .put(Fields.LOCK_TOKEN, lockToken);
        DocumentJson.put(json, Fields.LOCKED_UNTIL, lockedUntil);
        json.put(Fields.CREATED_AT, createdAt).put(Fields.UPDATED_AT, updatedAt);
        if (ext != null) {
            json.set(EXT, DocumentJson.parse(ext.json()));
        }
        return unknown.writeTo(json);
    }
}
