package io.sluice.program.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CheckTimeoutTest {
    @Command(name = "check")
    private static final class Checking {
        @Mixin
        private final CheckTimeout timeout = new CheckTimeout();
    }

    private static Duration limit(String... arguments) {
        Checking checking = new Checking();
        new CommandLine(checking).parseArgs(arguments);
        return checking.timeout.limit();
    }

    @Test
    void it_is_short_unless_somebody_gives_more_or_less() {
        assertThat(limit()).isEqualTo(Checks.LIMIT);
        assertThat(limit("--timeout=1")).isEqualTo(Duration.ofSeconds(1));
        assertThat(limit("--timeout", "600")).isEqualTo(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 601})
    void one_out_of_range_is_wrong_usage(int seconds) {
        assertThatThrownBy(() -> limit("--timeout=" + seconds))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--timeout must be from 1 to 600, was " + seconds);
    }

    @Test
    void its_help_says_what_it_is_by_default() {
        assertThat(new CommandLine(new Checking()).getUsageMessage()).contains("--timeout=SECONDS", "12 by default");
    }
}
