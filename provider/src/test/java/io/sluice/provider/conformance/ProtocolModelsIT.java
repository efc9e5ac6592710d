package io.sluice.provider.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Explores each protocol's model: half an hour in all. Needs Python 3.10: {@code python3}, or what
 * {@code SLUICE_PYTHON} names.
 */
@Tag("thorough")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProtocolModelsIT {
    private static final Path SCRIPT = Path.of("..", "docs", "protocols", "run.py");
    private static final String PYTHON = Objects.requireNonNullElse(System.getenv("SLUICE_PYTHON"), "python3");

    static Stream<String> models() throws IOException {
        return ProtocolPagesTest.models();
    }

    @ParameterizedTest
    @MethodSource("models")
    void a_protocol_holds_and_its_weaker_variants_do_not(String model) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(PYTHON, SCRIPT.toString(), model)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "the models are not explored: no " + PYTHON + " here");
            throw e;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }
}
