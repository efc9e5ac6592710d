package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides a deletion over several partitions: created open before the first member is locked, then committed or
 * aborted, once. It lies in the partition of one member, its home, and goes together with that member's head, after all
 * others.
 *
 * @param home the member in whose partition it lies
 * @param members in order of their removal, the home last
 * @param deadlineMillis until when it may stay open; then anybody may abort it
 * @param tombstones whether each member leaves a purge document that says it was deleted
 */
public record DeletionDocument(
        String uuid, String home, State state, List<String> members, long deadlineMillis, boolean tombstones) {
    private static final int SCHEMA_VERSION = 1;
    private static final String TOKEN_PREFIX = "deletion:";
    /** Field of the deadline. */
    public static final String DEADLINE = "deadline";

    /** An aborted deletion is remembered a day; forgotten, it counts as aborted too. */
    private static final int ABORTED_TTL_SECONDS = 24 * 60 * 60;

    /** How far a deletion is. */
    public enum State {
        OPEN("open"),
        COMMITTED("committed"),
        ABORTED("aborted");

        private final String wireName;

        State(String wireName) {
            this.wireName = wireName;
        }

        private static State of(JsonNode json) {
            String name = DocumentJson.text(json, "state");
            for (State state : values()) {
                if (state.wireName.equals(name)) {
                    return state;
                }
            }
            throw new MalformedDocumentException(
                    "document '" + DocumentJson.id(json) + "' is in the unknown state '" + name + "'");
        }
    }

    public DeletionDocument {
        members = List.copyOf(members);
    }

    /**
     * A deletion's name as it stands in the lock of a member.
     *
     * @param home where its document lies
     */
    public record Name(String uuid, String home) {
        private static final Pattern TOKEN = Pattern.compile(TOKEN_PREFIX + "([0-9a-f-]{36}):(.+)", Pattern.DOTALL);

        /** The name in a lock token; nothing when no deletion bears it. */
        public static Optional<Name> in(@Nullable String lockToken) {
            if (lockToken == null) {
                return Optional.empty();
            }
            Matcher matcher = TOKEN.matcher(lockToken);
            return matcher.matches() ? Optional.of(new Name(matcher.group(1), matcher.group(2))) : Optional.empty();
        }
    }

    /** Reads a stored deletion. */
    public static DeletionDocument fromJson(JsonNode json) {
        SchemaVersion.check(json);
        List<String> members = new ArrayList<>();
        json.path("members").forEach(member -> members.add(member.asText()));
        return new DeletionDocument(
                uuid(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                State.of(json),
                members,
                DocumentJson.number(json, DEADLINE),
                json.path("tombstones").asBoolean());
    }

    private static String uuid(JsonNode json) {
        String id = DocumentJson.id(json);
        if (!id.startsWith(TOKEN_PREFIX)) {
            throw new MalformedDocumentException(
                    "document '" + id + "' is no deletion: its id must begin with '" + TOKEN_PREFIX + "'");
        }
        return id.substring(TOKEN_PREFIX.length());
    }

    /** A deletion whose document no longer exists. */
    public static DeletionDocument forgotten(Name name) {
        return new DeletionDocument(name.uuid(), name.home(), State.ABORTED, List.of(), 0, false);
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.deletion(uuid);
    }

    /** The lock token its members bear. */
    public String token() {
        return TOKEN_PREFIX + uuid + ":" + home;
    }

    /** The same, decided. */
    public DeletionDocument in(State decided) {
        return new DeletionDocument(uuid, home, decided, members, deadlineMillis, tombstones);
    }

    /** The same with another deadline. */
    public DeletionDocument until(long newDeadlineMillis) {
        return new DeletionDocument(uuid, home, state, members, newDeadlineMillis, tombstones);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id(), home, DocumentType.DELETION)
                .put(SchemaVersion.FIELD, SCHEMA_VERSION)
                .put("state", state.wireName);
        members.forEach(json.putArray("members")::add);
        json.put(DEADLINE, deadlineMillis).put("tombstones", tombstones);
        return state == State.ABORTED ? json.put("ttl", ABORTED_TTL_SECONDS) : json;
    }
}
