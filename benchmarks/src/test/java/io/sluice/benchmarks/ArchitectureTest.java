package io.sluice.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The borders between modules and packages. It stands in the last module of the build, which sees all the others. */
class ArchitectureTest {
    /** What other modules and users may touch: a module's root package and, for the provider, these beneath it. */
    private static final Map<String, Set<String>> EXPORTED = Map.of(
            "provider",
            Set.of(
                    "io.sluice.provider",
                    "io.sluice.provider.announcement",
                    "io.sluice.provider.history",
                    "io.sluice.provider.work",
                    "io.sluice.provider.outbox",
                    "io.sluice.provider.cosmos",
                    "io.sluice.provider.lease",
                    "io.sluice.provider.kafka"),
            "program",
            Set.of("io.sluice.program", "io.sluice.program.cli", "io.sluice.program.http", "io.sluice.program.setting"),
            "durabletask",
            Set.of("io.sluice.durabletask"),
            "relay",
            Set.of("io.sluice.relay"),
            "client",
            Set.of("io.sluice.client", "io.sluice.client.lifecycle"),
            "emulator",
            Set.of("io.sluice.emulator"),
            "testkit",
            Set.of(
                    "io.sluice.testkit",
                    "io.sluice.testkit.fuzz",
                    "io.sluice.testkit.judge",
                    "io.sluice.testkit.process",
                    "io.sluice.testkit.seed"),
            "examples",
            Set.of("io.sluice.examples"),
            "benchmarks",
            Set.of("io.sluice.benchmarks"));

    private static final JavaClasses SLUICE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice");

    @Test
    void every_module_is_seen() {
        for (var module :
                List.of("provider", "program", "durabletask", "relay", "client", "emulator", "testkit", "examples")) {
            assertThat(SLUICE.that(DescribedPredicate.describe(
                            module, type -> moduleOf(type).equals(module))))
                    .as("classes of module %s", module)
                    .isNotEmpty();
        }
    }

    @Test
    void a_module_uses_of_another_only_what_it_exports() {
        classes().should(stayWithinExports()).check(SLUICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "relay", "client", "emulator", "testkit", "examples"})
    void packages_below_a_root_have_no_cycles(String module) {
        slices().matching("io.sluice." + module + ".(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(SLUICE);
    }

    @Test
    void every_package_is_null_marked() {
        classes()
                .should(liveInANullMarkedPackage())
                .check(SLUICE.that(DescribedPredicate.describe(
                        "written by hand",
                        type -> !type.getPackageName().endsWith(".grammar")
                                && !type.getPackageName().endsWith(".jmh_generated"))));
    }

    /** A name leads to one class. Nested types may share a name with one another, but not with a top-level class. */
    @ParameterizedTest
    @ValueSource(strings = "relay")
    void a_name_of_a_class_is_used_once_in_a_module(String module) {
        var files = SLUICE.stream()
                .filter(type -> moduleOf(type).equals(module) && type.isTopLevelClass())
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, toList())));
        files.remove("package-info");
        var nested = SLUICE.stream()
                .filter(type -> moduleOf(type).equals(module) && type.isMemberClass())
                .filter(type -> files.containsKey(type.getSimpleName()))
                .map(JavaClass::getName);

        assertThat(files.values()).filteredOn(names -> names.size() > 1).isEmpty();
        assertThat(nested).isEmpty();
    }

    @Test
    void exceptions_are_called_so() {
        classes()
                .that()
                .areAssignableTo(Throwable.class)
                .should()
                .haveSimpleNameEndingWith("Exception")
                .check(SLUICE.that(DescribedPredicate.describe(
                        "of the relay", type -> moduleOf(type).equals("relay"))));
    }

    @Test
    void nothing_prints_to_the_console_but_programs() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.provider..", "io.sluice.client..", "io.sluice.emulator..", "io.sluice.testkit..")
                .and()
                .doNotHaveFullyQualifiedName("io.sluice.emulator.Main")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(SLUICE);
    }

    private static ArchCondition<JavaClass> stayWithinExports() {
        return new ArchCondition<>("use of other modules only exported packages") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (var dependency : type.getDirectDependenciesFromSelf()) {
                    var target = dependency.getTargetClass();
                    var module = moduleOf(target);
                    boolean foreign = !module.isEmpty() && !module.equals(moduleOf(type));
                    if (foreign && !EXPORTED.getOrDefault(module, Set.of()).contains(target.getPackageName())) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package marked @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked");
                events.add(new SimpleConditionEvent(type, marked, type.getName() + " is in an unmarked package"));
            }
        };
    }

    /** The name after {@code io.sluice.}, or nothing for classes that are not ours. */
    private static String moduleOf(JavaClass type) {
        var name = type.getPackageName();
        if (!name.startsWith("io.sluice.")) {
            return "";
        }
        var rest = name.substring("io.sluice.".length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
