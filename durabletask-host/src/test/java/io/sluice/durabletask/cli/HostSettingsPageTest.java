package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.program.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** {@code docs/durabletask-configuration.md} is made of the list of variables that the program reads. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostSettingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "durabletask-configuration.md");
    private static final String COMMAND = "mvn test -pl durabletask-host -am -Dtest=HostSettingsPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.configuration.record=true";

    @Test
    void the_page_is_up_to_date() throws IOException {
        if (Boolean.getBoolean("sluice.configuration.record")) {
            Files.writeString(PAGE, page());
        }

        assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
                .as("docs/durabletask-configuration.md is written by: %s", COMMAND)
                .isEqualTo(page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration of the DurableTask host

                Every environment variable of [the host](durabletask.md). A test makes this page of the code that \
                reads them; do not edit it. To make it again:

                <!-- not run: HostSettingsPageTest compares the page with the code -->
                ```sh
                %s
                ```

                In a properties file (`--config`, or `SLUICE_HOST_CONFIG`) they stand in lower case with dots, \
                `sluice.host.port`; the environment takes precedence. All are checked at start, and every fault is \
                reported at once, a variable `SLUICE_HOST_…` that is no setting among them. \
                `sluice-durabletask-host settings` prints this list.

                | variable | allowed | default | |
                |---|---|---|---|
                """.formatted(COMMAND));
        for (Setting<?> setting : HostCatalog.CATALOG.all()) {
            if (setting.key().startsWith(HostCatalog.OWN)) {
                String defaultText = String.valueOf(setting.defaultText());
                page.append("| `%s` | %s | %s | %s |%n"
                        .formatted(
                                setting.variable(),
                                setting.type().range(),
                                defaultText.isEmpty() ? "–" : "`" + defaultText + "`",
                                setting.sentence().replace("|", "\\|")));
            }
        }
        return page.append("""

                Settings of Kafka's consumers stand under `SLUICE_HOST_KAFKA_` by their own names, such as \
                `SLUICE_HOST_KAFKA_SECURITY_PROTOCOL` and `SLUICE_HOST_KAFKA_SASL_JAAS_CONFIG`
                ([with Kafka](durabletask-kafka.md)). The store's variables, such as `COSMOS_ENDPOINT`, are [the \
                provider's](configuration.md).
                """).toString();
    }
}
