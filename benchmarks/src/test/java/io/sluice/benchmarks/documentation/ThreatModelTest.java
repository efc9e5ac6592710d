package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tests that {@code docs/threat-model.md} rests on are there. */
class ThreatModelTest {
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|IT))`");

    @Test
    void every_test_that_the_page_names_is_one() throws IOException {
        var classes = Repository.files(path -> path.toString().endsWith(".java")).stream()
                .map(Path::getFileName)
                .map(name -> String.valueOf(name).replace(".java", ""))
                .collect(Collectors.toSet());

        var named = TEST.matcher(Repository.text(Path.of("docs", "threat-model.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(named).hasSizeGreaterThan(20).isSubsetOf(classes);
    }
}
