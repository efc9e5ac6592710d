package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * One of the key ranges a container is cut into.
 *
 * @param index from 0; also the partition of the positions topic
 * @param ranges how many there are
 * @param bounds its part of the key space
 * @param containerRid resource id of the container
 */
record RangeId(int index, int ranges, KeyRange bounds, String containerRid) {
    static RangeId of(int index, int ranges, String containerRid) {
        return new RangeId(index, ranges, KeyRange.cut(ranges).get(index), containerRid);
    }

    /**
     * Checks that documents are of this container. A container that was deleted and created again under its name would
     * be read from the position of the former one, and its documents before that position would be missed. The resource
     * id of a document begins with the resource id of its container.
     *
     * @throws PositionRefusedException when one is of another container
     */
    void requireSameContainer(List<JsonNode> documents) throws PositionRefusedException {
        var container = bytes(containerRid);
        for (var document : documents) {
            var rid = document.path("_rid").asText();
            if (!isWithin(container, rid)) {
                throw new PositionRefusedException(
                        "the container was deleted and made again under its name: a document of range "
                                + index + " has the resource id " + rid + ", the container that was read had "
                                + containerRid
                                + ". Its events would be published in part; use another prefix, see Backup and restore"
                                + " in deploying.md");
            }
        }
    }

    private static boolean isWithin(byte[] container, String documentRid) {
        if (documentRid.isEmpty()) {
            return true; // not from the service
        }
        var document = bytes(documentRid);
        return document.length >= container.length
                && Arrays.equals(document, 0, container.length, container, 0, container.length);
    }

    /** The service writes a minus where base64 has a slash. */
    private static byte[] bytes(String rid) {
        return Base64.getDecoder().decode(rid.replace('-', '/'));
    }

    /** Key of its records in the positions topic. */
    byte[] recordKey() {
        return recordKey(index);
    }

    static byte[] recordKey(int range) {
        return ("range-" + range).getBytes(StandardCharsets.UTF_8);
    }
}
