package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.kafka.KeyPartition;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A key range of a container, which is read, owned and positioned as one: at first one of the service's partitions.
 *
 * @param bounds its part of the key space
 * @param containerRid resource id of the container
 * @param partitions of the positions topic
 */
record RangeId(KeyRange bounds, String containerRid, int partitions) {
    /** Short, for people. */
    String name() {
        return bounds.name();
    }

    /** The partition of the positions topic that has its positions; who is assigned it owns the range. */
    int partition() {
        return KeyPartition.of(recordKey(), partitions);
    }

    /** The same container's, with other bounds. */
    RangeId with(KeyRange other) {
        return new RangeId(other, containerRid, partitions);
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
                                + name() + " has the resource id " + rid + ", the container that was read had "
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
        return key().getBytes(StandardCharsets.UTF_8);
    }

    /** By which the topic and transactional ids name it. */
    String key() {
        return bounds.min() + "-" + bounds.max();
    }
}
