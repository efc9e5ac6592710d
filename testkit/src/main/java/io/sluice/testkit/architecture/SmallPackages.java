package io.sluice.testkit.architecture;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Map;
import java.util.stream.LongStream;

/** A package has few top-level types. Each one too many counts, so that a known large package can't grow. */
final class SmallPackages extends ArchCondition<JavaClass> {
    private static final int MAX_TYPES = 25;
    private Map<String, Long> sizes = Map.of();

    SmallPackages() {
        super("be in a package of at most " + MAX_TYPES + " types");
    }

    @Override
    public void init(Collection<JavaClass> types) {
        sizes = types.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(groupingBy(JavaClass::getPackageName, counting()));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        // Of packages, at the end.
    }

    @Override
    public void finish(ConditionEvents events) {
        sizes.forEach((name, size) -> LongStream.rangeClosed(MAX_TYPES + 1, size)
                .forEach(n -> events.add(SimpleConditionEvent.violated(name, name + " has a type number " + n))));
    }
}
