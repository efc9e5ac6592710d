package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are no configuration, or only nearly one: a sentence names the fault and shows no secret. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectorFileTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"name\":\"x\",\"config\":{\"topics\":null}}|topics must be a text",
                "{\"name\":\"x\",\"config\":{\"topics\":{\"a\":\"canary\"}}}|topics must be a text",
                "{\"name\":\"x\",\"config\":{\"topics\":[\"canary\"]}}|topics must be a text",
                "{\"name\":\"x\",\"config\":{\"key\":canary}}|is no JSON at line 1",
                "{\"name\":\"x\",\"config\":{}} canary|is no JSON at line 1",
                "{\"name\":\"x\",\"config\":{\"topics\":\"canary\",\"topics\":\"b\"}}|is no JSON at line 1",
                "{\"name\":{\"a\":1},\"config\":{}}|must have a name",
                "[]|must have a name",
                "~~|must have a name"
            })
    void what_is_wrong_is_said_with_the_file_and_without_its_text(String text, String complaint) throws IOException {
        var file = Files.writeString(folder.resolve("odd.json"), text);

        var run = ProgramRun.of(Map.of(), "check", file.toString());

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).startsWith(file.toString()).contains(complaint).doesNotContain("canary");
    }

    @Test
    void numbers_and_truth_values_are_taken_as_texts() throws IOException {
        var file = Files.writeString(
                folder.resolve("numbers.json"), "{\"name\":\"x\",\"config\":{\"tasks.max\":2,\"on\":true}}");

        assertThat(ConnectorFile.read(file).config()).isEqualTo(Map.of("tasks.max", "2", "on", "true"));
    }

    @Test
    void a_connection_string_in_place_of_an_endpoint_is_not_shown() throws IOException {
        var file = Files.writeString(
                folder.resolve("endpoint.json"),
                Files.readString(Path.of("sink", "status.json"))
                        .replace("${env:COSMOS_ENDPOINT}", "AccountEndpoint=https://x/;AccountKey=canary==;"));

        var run = ProgramRun.of(Map.of(), "check", file.toString());

        assertThat(run.code()).isEqualTo(Main.NOT_DONE);
        assertThat(run.err()).contains("azure.cosmos.account.endpoint").doesNotContain("canary");
    }
}
