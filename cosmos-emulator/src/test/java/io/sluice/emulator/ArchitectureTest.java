package io.sluice.emulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The packages of the emulator: small, in one direction, each class under a name of its own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
    private static final int MAX_TYPES = 25;
    private static final JavaClasses EMULATOR = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.emulator");

    @Test
    void packages_below_the_root_have_no_cycles() {
        slices().matching("io.sluice.emulator.(**)").should().beFreeOfCycles().check(EMULATOR);
    }

    @Test
    void a_package_has_at_most_25_types() {
        var types = EMULATOR.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getPackageName().endsWith(".grammar"))
                .collect(groupingBy(JavaClass::getPackageName, counting()));

        assertThat(types).allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MAX_TYPES));
    }

    @Test
    void no_simple_name_stands_for_two_types() {
        assertThat(EMULATOR.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> !type.getSimpleName().equals("package-info")))
                .extracting(JavaClass::getSimpleName)
                .doesNotHaveDuplicates();
    }

    @Test
    void exceptions_end_in_exception() {
        classes()
                .that()
                .areAssignableTo(Throwable.class)
                .should()
                .haveSimpleNameEndingWith("Exception")
                .check(EMULATOR);
    }
}
