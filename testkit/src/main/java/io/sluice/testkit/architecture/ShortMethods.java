package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
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
        // In the class file field initializers belong to constructors, and lambdas to the method that holds them.
        type.getMethods().stream()
                .filter(method -> lines(method) > MAX_LINES)
                .forEach(method -> events.add(SimpleConditionEvent.violated(
                        method, method.getFullName() + " has " + lines(method) + " lines of code")));
    }

    private static int lines(JavaMethod method) {
        IntSummaryStatistics at = method.getAccessesFromSelf().stream()
                .mapToInt(access -> access.getLineNumber())
                .filter(line -> line > 0)
                .summaryStatistics();
        return at.getCount() == 0 ? 0 : at.getMax() - at.getMin() + 1;
    }
}
