package io.sluice.provider.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.sluice.testkit.architecture.ModuleRules;
import org.junit.jupiter.api.Test;

/** The rules that all modules keep, and those about this one that the compiler does not know. */
class ArchitectureTest extends ModuleRules {
    ArchitectureTest() {
        super("io.sluice.provider.kafka");
    }

    @Test
    void a_feed_knows_nothing_of_the_provider_but_announcements() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.sluice.provider", "io.sluice.provider.cosmos..", "io.sluice.provider.request.."));
    }

    @Test
    void users_see_the_feed_and_its_builder() {
        check(classes()
                .that()
                .arePublic()
                .and()
                .resideInAPackage("io.sluice.provider.kafka")
                .should()
                .haveSimpleNameStartingWith("KafkaWorkFeed"));
    }
}
