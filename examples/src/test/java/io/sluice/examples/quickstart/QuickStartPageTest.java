package io.sluice.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The program that the page lists; the page's commands are run by {@link io.sluice.examples.pages}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QuickStartPageTest {
    private static final Path PAGE = Path.of("..", "docs", "quick-start.md");
    private static final Path GREETER =
            Path.of("src", "main", "java", "io", "sluice", "examples", "quickstart", "Greeter.java");
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    @Test
    void the_class_on_the_page_is_the_one_that_is_compiled() throws IOException {
        var shown = JAVA.matcher(Files.readString(PAGE)).results().map(block -> block.group(1));

        assertThat(shown)
                .as("put the text of %s into the java block of docs/quick-start.md", GREETER)
                .containsExactly(Files.readString(GREETER));
    }
}
