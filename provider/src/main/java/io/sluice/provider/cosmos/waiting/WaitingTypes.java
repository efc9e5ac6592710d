package io.sluice.provider.cosmos.waiting;

import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.Kind;
import io.sluice.provider.work.WaitingWork.WaitingType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what waits by type. Used by one thread. */
final class WaitingTypes {
    /** Of each kind; the others are counted together. A report of these fits into a document of some kilobytes. */
    static final int MOST_TYPES = 100;
    /** Of a name and of a version. */
    static final int LONGEST_NAME = 256;

    private final Map<Key, Tally> tallies = new LinkedHashMap<>();

    private record Key(Kind kind, String name, @Nullable String version) {
        Key rest() {
            return new Key(kind, "", null);
        }

        boolean isTooLong() {
            return name.length() > LONGEST_NAME || (version != null && version.length() > LONGEST_NAME);
        }
    }

    private record Tally(int count, long sinceMillis) {
        Tally and(Tally other) {
            return new Tally(count + other.count, Math.min(sinceMillis, other.sinceMillis));
        }
    }

    /**
     * One more waits.
     *
     * @param name empty where it is not known
     */
    void add(Kind kind, String name, @Nullable String version, long sinceMillis) {
        Key key = new Key(kind, name, version);
        tallies.merge(key.isTooLong() || name.isEmpty() ? key.rest() : key, new Tally(1, sinceMillis), Tally::and);
    }

    /** The report of them, for which nobody has said yet that he takes them. */
    WaitingWork report(long atMillis, boolean isCut) {
        List<WaitingType> types = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            types.addAll(ofKind(kind));
        }
        types.sort(Comparator.comparing(WaitingType::since));
        return new WaitingWork(Instant.ofEpochMilli(atMillis), types, isCut);
    }

    private List<WaitingType> ofKind(Kind kind) {
        Map<Key, Tally> named = new LinkedHashMap<>();
        @Nullable Tally rest = null;
        List<Map.Entry<Key, Tally>> oldestFirst = tallies.entrySet().stream()
                .filter(entry -> entry.getKey().kind() == kind)
                .sorted(Comparator.comparingLong(entry -> entry.getValue().sinceMillis()))
                .toList();
        for (Map.Entry<Key, Tally> entry : oldestFirst) {
            Tally tally = entry.getValue();
            if (entry.getKey().name().isEmpty() || named.size() == MOST_TYPES) {
                rest = rest == null ? tally : rest.and(tally);
            } else {
                named.put(entry.getKey(), tally);
            }
        }
        List<WaitingType> types = new ArrayList<>();
        named.forEach((key, tally) -> types.add(type(key, tally, false)));
        if (rest != null) {
            types.add(type(new Key(kind, "", null), rest, true));
        }
        return types;
    }

    private static WaitingType type(Key key, Tally tally, boolean isTaken) {
        return new WaitingType(
                key.kind(),
                key.name(),
                key.version(),
                tally.count(),
                Instant.ofEpochMilli(tally.sinceMillis()),
                isTaken);
    }
}
