package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.IntSummaryStatistics;

/**
 * A method is short enough to be read at once. Counted are the lines from the first access to the last, as compiled:
 * to parse all sources for this alone would take the build longer than all other rules together.
 */
final class ShortMethods extends ArchCondition<JavaClass> {
    private static final int MAX_LINES = 60;

    ShortMethods() {
        super("have methods of at most " + MAX_LINES + " lines");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getCodeUnits().stream()
                .filter(unit -> !unit.getName().equals("<clinit>") && lines(unit) > MAX_LINES)
                .forEach(unit -> events.add(SimpleConditionEvent.violated(
                        unit, unit.getFullName() + " has " + lines(unit) + " lines of code")));
    }

    private static int lines(JavaCodeUnit unit) {
        // Field initializers belong to a constructor in the class file, and lambdas to the method that holds them.
        if (unit.isConstructor()) {
            return 0;
        }
        IntSummaryStatistics at = unit.getAccessesFromSelf().stream()
                .mapToInt(access -> access.getLineNumber())
                .filter(line -> line > 0)
                .summaryStatistics();
        return at.getCount() == 0 ? 0 : at.getMax() - at.getMin() + 1;
    }
}
