package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.program.setting.Settings;
import io.sluice.program.setting.SettingsException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.config.RelaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnknownVariablesTest {
    @Test
    void a_misspelled_variable_is_a_fault_with_the_nearest_name_and_without_its_value() {
        assertThatThrownBy(() -> RelayConfig.load(Map.of("SLUICE_OPS_TOKN", "a-secret-of-somebody"), null))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.faults())
                                .anySatisfy(fault -> assertThat(fault)
                                        .isEqualTo("SLUICE_OPS_TOKN is no setting; the nearest is SLUICE_OPS_TOKEN"))
                                .noneSatisfy(fault -> assertThat(fault).contains("a-secret")));
    }

    @ParameterizedTest
    @CsvSource({
        "sluice.feed.shortest.rest, sluice.feed.shortest.interval",
        "sluice.feed.longest.rest, sluice.feed.longest.interval",
        "sluice.dispatch.feed.rest, sluice.dispatch.feed.interval",
        "sluice.dispatch.look.interval, sluice.dispatch.lookahead.interval"
    })
    void a_name_of_earlier_versions_is_refused_with_the_one_of_now(String former, String now, @TempDir Path folder)
            throws IOException {
        var file = Files.writeString(folder.resolve("relay.properties"), former + "=1000");
        var variable = variable(former);

        var refused =
                catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(Map.of(variable, "1000"), file));

        assertThat(refused.faults())
                .contains(former + " is called " + now + " now")
                .contains(variable + " is called " + variable(now) + " now");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SLUICE_CONFIG",
                "SLUICE_PREFIX",
                "SLUICE_RELAY_SERVICE_HOST",
                "SLUICE_RELAY_SERVICE_PORT_HTTP",
                "SLUICE_RELAY_PORT",
                "SLUICE_RELAY_PORT_8080_TCP_ADDR",
                "SLUICE_TEST_BACKEND",
                "SLUICE_HOST_TASK_HUBS"
            })
    void what_others_set_is_none(String variable) {
        assertThat(Settings.of(RelaySettings.PROGRAM, Map.of(variable, "x"), null)
                        .isFaulty())
                .isFalse();
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
