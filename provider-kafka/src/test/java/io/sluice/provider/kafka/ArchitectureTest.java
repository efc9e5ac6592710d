package io.sluice.provider.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.api.Test;

/** The rules that all modules keep, and those about this one that the compiler does not know. */
class ArchitectureTest extends ModuleRules {
    private static final JavaClasses PROVIDER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.provider");

    ArchitectureTest() {
        super("io.sluice.provider.kafka");
    }

    @Test
    void the_provider_does_not_know_kafka() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.provider.kafka")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "io.sluice.provider.kafka")
                .because("a runtime without Kafka has none of its classes")
                .check(PROVIDER);
    }

    @Test
    void a_feed_knows_nothing_of_the_provider_but_announcements() {
        noClasses()
                .that()
                .resideInAPackage("io.sluice.provider.kafka")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.sluice.provider", "io.sluice.provider.cosmos..", "io.sluice.provider.request..")
                .check(PROVIDER);
    }

    @Test
    void users_see_the_feed_and_its_builder() {
        classes()
                .that()
                .resideInAPackage("io.sluice.provider.kafka")
                .and()
                .arePublic()
                .should()
                .haveSimpleNameStartingWith("KafkaWorkFeed")
                .check(PROVIDER);
    }
}
