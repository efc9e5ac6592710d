package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A question changes nothing and asks nobody outside: neither it nor what it calls sends a request or waits, and
 * within its own class it sets no field, puts into no map and removes from none.
 */
final class OnlyReads extends ArchCondition<JavaMethod> {
    private static final Pattern REQUEST = Pattern.compile("io\\.sluice\\.provider\\.request\\.ContainerRequests\\..*"
            + "|com\\.azure\\.cosmos\\.Cosmos(Async)?(Client|Database|Container)\\..*"
            + "|java\\.net\\.http\\.HttpClient\\.send(Async)?"
            + "|org\\.apache\\.kafka\\.clients\\.(admin|producer|consumer)\\.\\w*(Admin|Producer|Consumer)\\.(?!groupMetadata).*"
            + "|java\\.lang\\.Thread\\.(sleep|join)|java\\.util\\.concurrent\\..*\\.await(Nanos)?");
    private static final Pattern CHANGE = Pattern.compile("java\\.util\\.\\w*Map\\.(put|remove|compute|merge).*"
            + "|java\\.util\\.concurrent\\.\\w*Map\\.(put|remove|compute|merge).*"
            + "|java\\.util\\.concurrent\\.atomic\\.\\w+\\.(set|getAnd|compareAnd|incrementAnd|add).*");

    OnlyReads() {
        super("only read");
    }

    @Override
    public void check(JavaMethod method, ConditionEvents events) {
        Deque<JavaCodeUnit> open = new ArrayDeque<>(List.of(method));
        Set<JavaCodeUnit> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.pop();
            boolean own = outermost(unit.getOwner()).equals(outermost(method.getOwner()));
            for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
                String target = access.getTargetOwner().getName() + "."
                        + access.getTarget().getName();
                if (REQUEST.matcher(target).matches() || (own && changes(unit, access, target))) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName() + " does more than read"));
                    return;
                }
                access.getTarget()
                        .resolveMember()
                        .filter(JavaCodeUnit.class::isInstance)
                        .map(JavaCodeUnit.class::cast)
                        .filter(seen::add)
                        .ifPresent(open::push);
            }
        }
    }

    private static boolean changes(JavaCodeUnit unit, JavaAccess<?> access, String target) {
        boolean sets = access instanceof JavaFieldAccess field
                && field.getAccessType() == JavaFieldAccess.AccessType.SET
                && unit instanceof JavaMethod;
        return sets || CHANGE.matcher(target).matches();
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(OnlyReads::outermost).orElse(type);
    }
}
