package io.sluice.provider;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules about the provider's own code that the compiler does not know. */
class ArchitectureTest {
    private static final JavaClasses PROVIDER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.provider");

    @Test
    void a_method_that_asks_whether_something_is_so_makes_no_request() {
        methods()
                .that()
                .haveNameMatching("(is|has)[A-Z].*")
                .should(makeNoRequest())
                .because("what reads or changes the store is a deed, and its name an imperative verb")
                .check(PROVIDER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.sluice.provider.(*)..", "io.sluice.provider.cosmos.(*).."})
    void features_use_each_other_in_one_direction(String features) {
        slices().matching(features).should().beFreeOfCycles().check(PROVIDER);
    }

    private static ArchCondition<JavaMethod> makeNoRequest() {
        return new ArchCondition<>("make no request") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean takesCall =
                        method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Call.class));
                if (takesCall || reachesStore(method)) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName() + " makes requests"));
                }
            }
        };
    }

    private static boolean reachesStore(JavaCodeUnit from) {
        Deque<JavaCodeUnit> open = new ArrayDeque<>(List.of(from));
        Set<JavaCodeUnit> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            for (var call : open.pop().getCallsFromSelf()) {
                if (call.getTargetOwner().isEquivalentTo(ContainerRequests.class)
                        || call.getTargetOwner().getName().startsWith("com.azure.cosmos.CosmosAsync")) {
                    return true;
                }
                call.getTarget()
                        .resolveMember()
                        .filter(JavaCodeUnit.class::isInstance)
                        .map(JavaCodeUnit.class::cast)
                        .filter(seen::add)
                        .ifPresent(open::push);
            }
        }
        return false;
    }
}
