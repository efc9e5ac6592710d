package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.program.cli.ExitCode;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MainTest {
    @Test
    void asking_for_help_is_done() {
        assertThat(Main.run(Map.of(), "--help")).isEqualTo(ExitCode.DONE);
        assertThat(Main.run(Map.of(), "run", "--help")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void a_configuration_with_faults_ends_with_its_own_code() {
        assertThat(Main.run(Map.of(), "run")).isEqualTo(ExitCode.SETTINGS);
    }

    @Test
    void a_command_line_that_can_not_be_read_ends_with_the_same_code() {
        assertThat(Main.run(Map.of(), "explode")).isEqualTo(ExitCode.SETTINGS);
    }

    @Test
    void every_setting_can_be_listed() {
        assertThat(RelayCommand.settingsText()).contains("SLUICE_PREFIX").contains("COSMOS_KEY");
    }
}
