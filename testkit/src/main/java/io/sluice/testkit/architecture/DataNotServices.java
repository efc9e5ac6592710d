package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * At most two components of a record are services: classes of ours that are neither records nor enums nor interfaces.
 * One with more is a parameter list in disguise, and the class that takes it has two jobs.
 */
final class DataNotServices extends ArchCondition<JavaClass> {
    private static final int MAX_SERVICES = 2;

    DataNotServices() {
        super("hold data, and at most " + MAX_SERVICES + " services");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .map(JavaField::getRawType)
                .filter(DataNotServices::isService)
                .skip(MAX_SERVICES)
                .findFirst()
                .ifPresent(one ->
                        events.add(SimpleConditionEvent.violated(type, type.getName() + " is a bag of services")));
    }

    private static boolean isService(JavaClass type) {
        return Exports.rootOf(type.getPackageName()).isPresent()
                && !type.isRecord()
                && !type.isEnum()
                && !type.isInterface();
    }
}
