package io.sluice.provider.announcement;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says that an instance has work. Its JSON has the fields' names; a number or text that is null is left out.
 *
 * @param version of the format; one that is not {@link #VERSION} says "check this instance" and nothing else,
 *     whatever the other fields hold
 * @param instanceId whose partition it is about
 * @param horizon milliseconds: all messages that become visible until then, or whose lock expires until then, were
 *     announced before this announcement. Until then the messages that were announced are known to be all. 0 where that
 *     is not known
 * @param documents what there is to take, or will be at its time; empty for "check this instance"
 * @param token the session token of the page of the change feed that had the documents: a read by a replica that is so
 *     far shows them, unless they were consumed. Null where that is not known
 */
public record Announcement(
        int version,
        String instanceId,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long horizon,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AnnouncedDocument> documents,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String token) {
    /** The format's version that this class reads and writes. */
    public static final int VERSION = 1;

    public Announcement {
        Limits.text("instanceId", instanceId, Limits.MOST_ID);
        documents = version != VERSION || documents == null ? List.of() : List.copyOf(documents);
        for (int i = 0; i < documents.size(); i++) {
            documents.get(i).check("documents.[" + i + "]: ");
        }
        horizon = version != VERSION ? 0 : horizon;
        token = version != VERSION ? null : token;
        Limits.optional("token", token, Limits.MOST_TOKEN);
        if (documents.size() > Limits.MOST_DOCUMENTS) {
            throw new IllegalArgumentException(
                    "documents has " + documents.size() + " elements, the limit is " + Limits.MOST_DOCUMENTS);
        }
    }

    /** What there is to take. */
    public static Announcement of(String instanceId, long horizon, List<AnnouncedDocument> documents) {
        return new Announcement(VERSION, instanceId, horizon, documents, null);
    }

    /** The same, of a page with this session token. */
    public Announcement at(@Nullable String sessionToken) {
        return new Announcement(version, instanceId, horizon, documents, sessionToken);
    }

    /** That there is something to take, which has to be queried for. */
    public static Announcement check(String instanceId) {
        return new Announcement(VERSION, instanceId, 0, List.of(), null);
    }

    /** Whether it names no documents: the partition has to be queried. */
    @JsonIgnore
    public boolean isCheck() {
        return documents.isEmpty();
    }

    /** The JSON, in UTF-8. */
    public byte[] toJson() {
        return AnnouncementJson.write(this);
    }

    /**
     * Reads what {@link #toJson} wrote, or a later version of it.
     *
     * @throws MalformedAnnouncementException naming the field
     */
    public static Announcement fromJson(byte @Nullable [] json) {
        try {
            return AnnouncementJson.read(json, Announcement.class);
        } catch (MalformedAnnouncementException e) {
            return laterCheck(json).orElseThrow(() -> e);
        }
    }

    /** A later version may say anything by the fields of this one, but for these two. */
    private static Optional<Announcement> laterCheck(byte @Nullable [] json) {
        return Optional.ofNullable(json)
                .filter(bytes -> bytes.length <= Limits.MOST_BYTES)
                .flatMap(AnnouncementJson::head)
                .filter(head -> head.version() > VERSION)
                .filter(head -> Limits.isText(head.instanceId(), Limits.MOST_ID))
                .map(head -> new Announcement(
                        (int) Math.min(head.version(), Integer.MAX_VALUE), head.instanceId(), 0, List.of(), null));
    }
}
