package io.sluice.testkit.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.freeze.FreezingArchRule;
import com.tngtech.archunit.library.freeze.TextFileBasedViolationStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The rules about structure that every module keeps: its {@code ArchitectureTest} extends this class. What still breaks
 * a rule is listed in {@code src/test/archunit/<root>}, in a file named for the rule: the list shrinks by itself when a
 * test finds less, and what is not in it fails. A rule without such a file is broken nowhere.
 *
 * <p>One instance runs all tests: reading the classes takes far longer than any rule.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModuleRules {
    private final String root;
    private final Path known;
    private final JavaClasses types;

    /** @param root the module's root package, one of {@link Exports#roots} */
    protected ModuleRules(String root) {
        if (!Exports.roots().contains(root)) {
            throw new IllegalArgumentException("root must be the root package of a module, was " + root);
        }
        this.root = root;
        known = Path.of("src/test/archunit", root);
        types = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(root)
                .that(DescribedPredicate.describe(
                        "of the module",
                        type -> Exports.rootOf(type.getPackageName())
                                .filter(root::equals)
                                .isPresent()))
                .that(DescribedPredicate.describe("written by hand", ModuleRules::isWrittenByHand));
    }

    private static boolean isWrittenByHand(JavaClass type) {
        return !type.getPackageName().endsWith(".grammar")
                && !type.getPackageName().endsWith(".jmh_generated")
                && !type.getName().startsWith("io.sluice.durabletask.wire.Protocol")
                && !type.getName().startsWith("io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc")
                && !type.getSimpleName().equals("package-info");
    }

    /** Fails on what breaks a rule and is not among what is known to. */
    protected final void check(ArchRule rule) {
        ArchRule strict = rule.allowEmptyShould(true);
        if (!Files.exists(known.resolve(fileName(rule.getDescription())))) {
            strict.check(types);
            return;
        }
        ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setProperty("freeze.store.default.path", known.toString());
            FreezingArchRule.freeze(strict)
                    .persistIn(new TextFileBasedViolationStore(ModuleRules::fileName))
                    .check(types);
        });
    }

    private static String fileName(String rule) {
        return rule.replaceAll("[^A-Za-z0-9]+", "-");
    }

    @Test
    final void of_other_modules_only_exported_packages_are_used() {
        check(classes().should(new UseOfExports()));
    }

    @Test
    final void packages_the_root_among_them_have_no_cycles() {
        check(classes().should(new PackagesWithoutCycles()));
    }

    @Test
    final void a_package_has_at_most_25_types() {
        check(classes().should(new SmallPackages()));
    }

    @Test
    final void every_package_is_null_marked() {
        check(classes()
                .should(new AmongOthers(
                        "live in a package marked @NullMarked",
                        (type, all) -> type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked"))));
    }

    @Test
    final void exceptions_are_called_so() {
        check(classes().that().areAssignableTo(Throwable.class).should().haveSimpleNameEndingWith("Exception"));
    }

    @Test
    final void a_name_of_a_class_is_used_once_in_a_module() {
        check(classes()
                .that(DescribedPredicate.describe(
                        "have a name", type -> type.isTopLevelClass() || type.isMemberClass()))
                .should(new AmongOthers(
                        "share it with no other top-level class",
                        (type, all) -> all.stream()
                                .filter(JavaClass::isTopLevelClass)
                                .filter(other -> other.getSimpleName().equals(type.getSimpleName()))
                                .allMatch(type::equals))));
    }

    @Test
    final void a_method_that_asks_whether_something_is_so_changes_nothing() {
        check(methods()
                .that()
                .haveNameMatching("(is|has)[A-Z].*")
                .and()
                .doNotHaveName("hasNext")
                .should(new OnlyReads()));
    }

    @Test
    final void a_record_holds_data_and_no_bag_of_services() {
        check(classes().that().areRecords().should(new DataNotServices()));
    }

    @Test
    final void a_method_fits_on_a_screen() {
        check(classes().should(new ShortMethods()));
    }

    @Test
    final void a_constructor_takes_few_parameters() {
        check(classes().should(new FewConstructorParameters()));
    }

    @Test
    final void clients_of_kafka_are_closed_with_a_limit() {
        check(classes().should(new LimitedClose()));
    }

    @Test
    final void a_library_prints_nothing_to_the_console() {
        check(noClasses()
                .that(DescribedPredicate.describe("belong to a library", type -> Exports.isLibrary(root)))
                .and()
                .doNotHaveFullyQualifiedName("io.sluice.emulator.Main")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err"));
    }
}
