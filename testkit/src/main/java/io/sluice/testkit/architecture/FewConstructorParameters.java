package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** A constructor takes at most five parameters; a record's own takes its components, as many as they are. */
final class FewConstructorParameters extends ArchCondition<JavaClass> {
    private static final int MAX = 5;

    /** Values with many fields: shorter forms of a record's own constructor, which its callers go on to find. */
    private static final Set<String> EXEMPT =
            Set.of("TurnAck", "WorkItem", "InstanceStatus", "RelayConfig", "ExecutionMetadata");

    FewConstructorParameters() {
        super("have constructors with at most " + MAX + " parameters");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (type.isAnonymousClass() || type.isLocalClass() || isExempt(type)) {
            return;
        }
        // The compiler adds an enum constant's name and place, and an inner class's outer instance.
        int added = type.isEnum() ? 2 : isInner(type) ? 1 : 0;
        type.getConstructors().stream()
                .filter(constructor -> !isCanonical(type, constructor))
                .filter(constructor -> constructor.getRawParameterTypes().size() - added > MAX)
                .forEach(constructor -> events.add(SimpleConditionEvent.violated(
                        constructor, constructor.getFullName() + " has more than " + MAX + " parameters")));
    }

    private static boolean isExempt(JavaClass type) {
        return EXEMPT.contains(type.getSimpleName())
                || type.getEnclosingClass()
                        .filter(FewConstructorParameters::isExempt)
                        .isPresent();
    }

    private static boolean isInner(JavaClass type) {
        return type.isMemberClass() && !type.getModifiers().contains(JavaModifier.STATIC);
    }

    private static boolean isCanonical(JavaClass type, JavaConstructor constructor) {
        return type.isRecord()
                && constructor.getRawParameterTypes().size()
                        == type.getFields().stream()
                                .filter(FewConstructorParameters::isComponent)
                                .count();
    }

    private static boolean isComponent(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.STATIC);
    }
}
