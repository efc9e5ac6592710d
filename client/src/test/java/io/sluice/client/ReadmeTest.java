package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadmeTest {
    @Test
    void what_the_readme_shows_compiles() throws IOException {
        var source = Files.readString(Path.of("src/test/java/io/sluice/client/readme/ReadmeExample.java"));
        var example = source.substring(source.indexOf("// begin\n") + "// begin\n".length(), source.indexOf("// end\n"))
                .stripIndent();

        var imports =
                source.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n", "", "\n\n"));

        assertThat(Files.readString(Path.of("README.md")))
                .contains("```java\n" + imports + example + "```")
                .contains("`SLUICE_STREAMS=true`", "`SLUICE_REPLY_TOPICS`");
    }
}
