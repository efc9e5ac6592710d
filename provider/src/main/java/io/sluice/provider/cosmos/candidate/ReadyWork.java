package io.sluice.provider.cosmos.candidate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Announced work that may be tried now, by candidate, in the order in which it came. Guarded by its owner's lock. */
final class ReadyWork {
    private final Map<String, List<AnnouncedWork>> works = new LinkedHashMap<>();

    /** Adds it, unless it is a look that this process owes itself already. */
    void add(AnnouncedWork work) {
        List<AnnouncedWork> same = works.computeIfAbsent(work.key(), key -> new ArrayList<>(1));
        boolean isKnown = work.settlement().isOwn()
                && same.stream()
                        .anyMatch(other ->
                                other.settlement().isOwn() && other.documents().isEmpty());
        if (!isKnown) {
            same.add(work);
        }
    }

    /** What there is of each candidate; entries may be replaced and removed. */
    Iterator<Map.Entry<String, List<AnnouncedWork>>> candidates() {
        return works.entrySet().iterator();
    }

    /** How many of the candidates satisfy this. */
    int count(Predicate<String> which) {
        return (int) works.keySet().stream().filter(which).count();
    }

    /** Gives back what any process may take. */
    void giveBack() {
        works.values().removeIf(some -> {
            boolean isForAny = some.stream().allMatch(AnnouncedWork::isForAnyWorker);
            if (isForAny) {
                some.forEach(work -> work.settlement().giveBack());
            }
            return isForAny;
        });
    }
}
