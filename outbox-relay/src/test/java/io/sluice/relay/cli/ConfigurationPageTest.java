package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConfigurationPageTest {
    @Test
    void the_page_is_up_to_date() throws IOException {
        if (Boolean.getBoolean("sluice.configuration.record")) {
            ConfigurationPage.write();
        }

        assertThat(ConfigurationPage.actual())
                .as("docs/configuration.md is written by: %s", ConfigurationPage.COMMAND)
                .isEqualTo(ConfigurationPage.expected());
    }

    @Test
    void the_page_has_every_option_of_the_builder() throws IOException {
        assertThat(BuilderOptions.ofProvider().stream().map(BuilderOptions.Option::name))
                .containsExactlyInAnyOrderElementsOf(BuilderOptions.namesByClass())
                .hasSizeGreaterThan(5);
    }
}
