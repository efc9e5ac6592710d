package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * No package leads back to itself. Each arrow between two packages of a circle counts, rather than each circle, so that
 * a list of those that are known changes only where an arrow comes or goes.
 */
final class PackagesWithoutCycles extends ArchCondition<JavaClass> {
    private final Map<String, Set<String>> uses = new TreeMap<>();

    PackagesWithoutCycles() {
        super("be in a package that does not lead back to itself");
    }

    @Override
    public void init(Collection<JavaClass> types) {
        uses.clear();
        for (JavaClass type : types) {
            Set<String> used = uses.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf()
                    .forEach(dependency -> used.add(dependency.getTargetClass().getPackageName()));
        }
        uses.forEach((name, used) -> used.retainAll(uses.keySet()));
        uses.forEach((name, used) -> used.remove(name));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        // Of packages, at the end.
    }

    @Override
    public void finish(ConditionEvents events) {
        uses.forEach((from, used) -> used.stream()
                .filter(to -> reaches(to, from))
                .forEach(to -> events.add(
                        SimpleConditionEvent.violated(from, from + " uses " + to + ", which leads back to it"))));
    }

    private boolean reaches(String from, String to) {
        var open = new ArrayDeque<>(List.of(from));
        var seen = new TreeSet<String>();
        while (!open.isEmpty()) {
            String next = open.pop();
            if (next.equals(to)) {
                return true;
            }
            if (seen.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return false;
    }
}
