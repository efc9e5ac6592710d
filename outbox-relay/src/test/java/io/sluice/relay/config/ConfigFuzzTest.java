package io.sluice.relay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.setting.Settings;
import io.sluice.program.setting.SettingsException;
import io.sluice.testkit.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that were mistyped, cut or pasted from elsewhere: each fault is told, and no secret with it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConfigFuzzTest {
    private static final String REQUIRED = """
            cosmos.endpoint=http://127.0.0.1:8081
            cosmos.key=a2V5
            kafka.bootstrap.servers=broker-1:9092,broker-2:9092
            kafka.sasl.jaas.config=x required password="p";
            """;

    @TempDir
    Path folder;

    /** Every setting as it is by default. */
    private static String all() {
        return REQUIRED
                + RelaySettings.CATALOG.all().stream()
                        .filter(setting -> Optional.ofNullable(setting.defaultText())
                                .filter(text -> !text.isEmpty())
                                .isPresent())
                        .map(setting -> setting.key() + "=" + setting.defaultText())
                        .collect(Collectors.joining("\n"));
    }

    @Test
    void a_damaged_file_is_a_configuration_or_a_list_of_faults() {
        var file = folder.resolve("relay.properties");

        Fuzz.of("properties", List.of(all()))
                .refusedBy(SettingsException.class)
                .runs(300)
                .read(text -> {
                    Files.writeString(file, text.replaceAll("[\\ud800-\\udfff]", "?"));
                    try {
                        assertThat(RelayConfig.load(Map.of(), file).toString()).doesNotContain("a2V5");
                    } catch (SettingsException e) {
                        assertThat(e.faults()).isNotEmpty();
                        throw e;
                    }
                });
    }

    @Test
    void a_damaged_value_of_any_setting_is_one_or_a_fault() {
        for (var setting : RelaySettings.CATALOG.all()) {
            var example = Optional.ofNullable(setting.defaultText())
                    .filter(text -> !text.isEmpty())
                    .orElse("autoscale:4000");
            Fuzz.of(setting.key(), List.of(example)).runs(50).read(text -> {
                var settings = Settings.of(Map.of(setting.key(), text));
                settings.get(setting);
                if (settings.isFaulty()) {
                    assertThatThrownBy(settings::throwIfFaulty)
                            .isInstanceOf(SettingsException.class)
                            .hasMessageContaining(setting.key());
                }
            });
        }
    }
}
