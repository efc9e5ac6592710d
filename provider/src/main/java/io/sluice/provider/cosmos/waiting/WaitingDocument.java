package io.sluice.provider.cosmos.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.Kind;
import io.sluice.provider.work.WaitingWork.WaitingType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The report that the processes on a store share, as one read of its document showed it: one for a store, in a
 * partition that no query of the contract sees; and a field for each process, which says until when it takes which of
 * the types. Immutable.
 *
 * @param marks by process
 */
record WaitingDocument(WaitingWork work, SortedMap<String, Mark> marks) {
    static final String ID = "waiting";
    static final String PARTITION = "__leases__:waiting";

    private static final String MARK = "takes_";
    private static final String AT = "at";
    private static final String CUT = "isCut";
    private static final String TYPES = "types";
    private static final String KIND = "kind";
    private static final String NAME = "name";
    private static final String VERSION = "version";
    private static final String COUNT = "count";
    private static final String SINCE = "since";
    private static final String UNTIL = "until";
    private static final String TTL = "ttl";
    private static final int TTL_SECONDS = 24 * 60 * 60;

    /**
     * What one process takes.
     *
     * @param keys digests of the types, for a type has a long name
     */
    record Mark(long untilMillis, Set<String> keys) {
        Mark {
            keys = Set.copyOf(keys);
        }

        ObjectNode toJson() {
            ObjectNode json = DocumentJson.object().put(UNTIL, untilMillis);
            ArrayNode types = json.putArray(TYPES);
            new TreeSet<>(keys).forEach(types::add);
            return json;
        }
    }

    /** Reads the document; what has an unknown form is passed over, and where the report has, it is an old one. */
    static WaitingDocument of(JsonNode document) {
        List<WaitingType> types = new ArrayList<>();
        document.path(TYPES).forEach(type -> {
            @Nullable WaitingType read = type(type);
            if (read != null) {
                types.add(read);
            }
        });
        SortedMap<String, Mark> marks = new TreeMap<>();
        document.properties().forEach(field -> {
            if (field.getKey().startsWith(MARK)) {
                Set<String> keys = new TreeSet<>();
                field.getValue().path(TYPES).forEach(key -> keys.add(key.asText()));
                marks.put(
                        field.getKey().substring(MARK.length()),
                        new Mark(field.getValue().path(UNTIL).asLong(), keys));
            }
        });
        Instant at = Instant.ofEpochMilli(document.path(AT).asLong());
        return new WaitingDocument(new WaitingWork(at, types, document.path(CUT).asBoolean()), marks);
    }

    private static @Nullable WaitingType type(JsonNode json) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(json.path(KIND).asText())) {
                return new WaitingType(
                        kind,
                        json.path(NAME).asText(),
                        json.path(VERSION).textValue(),
                        json.path(COUNT).asInt(),
                        Instant.ofEpochMilli(json.path(SINCE).asLong()),
                        json.path(NAME).asText().isEmpty());
            }
        }
        return null;
    }

    /** A new report in place of this one, with the marks that still hold. */
    WaitingDocument with(WaitingWork newWork, long nowMillis) {
        SortedMap<String, Mark> living = new TreeMap<>(marks);
        living.values().removeIf(mark -> mark.untilMillis() <= nowMillis);
        return new WaitingDocument(newWork, living);
    }

    /** With the mark of a process; none when it takes nothing. */
    WaitingDocument with(String process, Mark mark) {
        SortedMap<String, Mark> all = new TreeMap<>(marks);
        if (mark.keys().isEmpty()) {
            all.remove(process);
        } else {
            all.put(process, mark);
        }
        return new WaitingDocument(work, all);
    }

    /** The report, with what is taken by any process whose mark holds. */
    WaitingWork judged(long nowMillis) {
        List<WaitingType> types = work.types().stream()
                .map(type -> type.withTaken(type.isRest() || isTaken(key(type), nowMillis)))
                .toList();
        return new WaitingWork(work.at(), types, work.isCut());
    }

    private boolean isTaken(String key, long nowMillis) {
        return marks.values().stream()
                .anyMatch(mark -> mark.untilMillis() > nowMillis && mark.keys().contains(key));
    }

    /** Stands for a type in marks. */
    static String key(WaitingType type) {
        CRC32 digest = new CRC32();
        digest.update((type.kind() + "\n" + type.name() + "\n" + type.version()).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(digest.getValue());
    }

    /** The field of a process's mark. */
    static String field(String process) {
        return MARK + process;
    }

    /** The document. It goes by itself a day after the last report. */
    ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(ID, PARTITION, DocumentType.LEASE);
        json.put(Fields.STATUS, ID).put(TTL, TTL_SECONDS);
        json.put(AT, work.at().toEpochMilli()).put(CUT, work.isCut());
        ArrayNode types = json.putArray(TYPES);
        for (WaitingType type : work.types()) {
            types.addObject()
                    .put(KIND, type.kind().name())
                    .put(NAME, type.name())
                    .put(VERSION, type.version())
                    .put(COUNT, type.count())
                    .put(SINCE, type.since().toEpochMilli());
        }
        for (Map.Entry<String, Mark> mark : marks.entrySet()) {
            json.set(field(mark.getKey()), mark.getValue().toJson());
        }
        return json;
    }
}
