package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;

/** A condition on a class among those of its module. */
final class AmongOthers extends ArchCondition<JavaClass> {
    private final BiPredicate<JavaClass, List<JavaClass>> holds;
    private List<JavaClass> all = List.of();

    AmongOthers(String description, BiPredicate<JavaClass, List<JavaClass>> holds) {
        super(description);
        this.holds = holds;
    }

    @Override
    public void init(Collection<JavaClass> allTypes) {
        all = List.copyOf(allTypes);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (!holds.test(type, all)) {
            events.add(SimpleConditionEvent.violated(type, type.getName() + " does not " + getDescription()));
        }
    }
}
