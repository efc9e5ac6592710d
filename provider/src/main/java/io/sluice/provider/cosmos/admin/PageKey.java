package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.TreeSet;

/**
 * Where a page ended: the time of creation and the id of its last instance. The next page begins behind it, whatever
 * was added or deleted meanwhile.
 */
record PageKey(long createdAt, String instanceId) {
    private static final String QUERY = "query";
    private static final int SHOWN = 40;

    /** What a caller gets to ask for the next page of this query with. */
    String continuation(InstanceQuery query) {
        ObjectNode json = DocumentJson.object()
                .put(Fields.CREATED_AT, createdAt)
                .put(Fields.INSTANCE_ID, instanceId)
                .put(QUERY, digest(query));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(DocumentJson.write(json).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads what a caller gives back.
     *
     * @throws IllegalArgumentException when it is no continuation, or one of another query
     */
    static PageKey of(InstanceQuery query, String continuation) {
        try {
            ObjectNode json =
                    DocumentJson.parse(new String(Base64.getUrlDecoder().decode(continuation), StandardCharsets.UTF_8));
            if (!DocumentJson.text(json, QUERY).equals(digest(query))) {
                throw new IllegalArgumentException(
                        "continuation must be of the same query, was of another: '" + shown(continuation) + "'");
            }
            return new PageKey(
                    DocumentJson.number(json, Fields.CREATED_AT), DocumentJson.text(json, Fields.INSTANCE_ID));
        } catch (MalformedDocumentException e) {
            throw notOne(continuation, e);
        } catch (IllegalArgumentException e) {
            throw e.getMessage() != null && e.getMessage().startsWith("continuation") ? e : notOne(continuation, e);
        }
    }

    private static IllegalArgumentException notOne(String continuation, RuntimeException cause) {
        return new IllegalArgumentException(
                "continuation must come from an earlier page, was '" + shown(continuation) + "'", cause);
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : UnicodeText.beginning(text, SHOWN) + "…";
    }

    /** All that decides which instances are shown in which order; not whether texts come with them. */
    private static String digest(InstanceQuery query) {
        StringBuilder text = new StringBuilder()
                .append(query.order())
                .append('\n')
                .append(new TreeSet<>(query.statuses()))
                .append('\n')
                .append(query.createdFrom())
                .append('\n')
                .append(query.createdTo())
                .append('\n')
                .append(query.idPrefix());
        for (ExtCondition condition : query.ext()) {
            text.append('\n').append(condition);
        }
        return DocumentIds.commandContent(text.toString()).substring(0, 16);
    }
}
