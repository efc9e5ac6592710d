package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** What a class uses of another module stands in one of that module's {@link Exports}. */
final class UseOfExports extends ArchCondition<JavaClass> {
    UseOfExports() {
        super("use of other modules only exported packages");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        var own = Exports.rootOf(type.getPackageName());
        for (var dependency : type.getDirectDependenciesFromSelf()) {
            String used = dependency.getTargetClass().getPackageName();
            Exports.rootOf(used)
                    .filter(root -> !own.filter(root::equals).isPresent() && !Exports.isExported(root, used))
                    .ifPresent(root -> events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
        }
    }
}
