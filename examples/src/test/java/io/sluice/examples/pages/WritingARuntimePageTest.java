package io.sluice.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The page for those who write a runtime shows this one, and leaves out no message. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WritingARuntimePageTest {
    private static final Path PAGE = Path.of("..", "docs", "writing-a-runtime.md");
    private static final Path DISPATCHER =
            Path.of("src", "main", "java", "io", "sluice", "examples", "runtime", "TurnDispatcher.java");
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");

    @Test
    void its_listings_are_of_the_code_that_is_compiled() throws IOException {
        List<String> shown =
                JAVA.matcher(page()).results().map(block -> block.group(1)).toList();

        assertThat(shown).hasSize(2);
        assertThat(Files.readString(DISPATCHER)).contains(shown);
    }

    @Test
    void each_message_is_in_its_tables() throws IOException {
        assertThat(names())
                .containsAll(Arrays.stream(WorkItem.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void each_name_is_one_of_the_library() throws IOException {
        List<String> events = Arrays.stream(EventKind.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();

        assertThat(names().stream().filter(name -> name.startsWith("Orchestration")))
                .isNotEmpty()
                .allMatch(events::contains);
    }

    private static List<String> names() throws IOException {
        return NAME.matcher(page())
                .results()
                .map((MatchResult name) -> name.group(1))
                .toList();
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }
}
