package io.sluice.relay.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TopicsPageTest {
    @Test
    void the_page_is_up_to_date(@TempDir Path folder) throws IOException {
        var expected = TopicsPage.expected(folder);
        if (Boolean.getBoolean("sluice.topics.write")) {
            TopicsPage.write(expected);
        }

        assertThat(TopicsPage.actual())
                .as("docs/topics.md is written by: %s", TopicsPage.COMMAND)
                .isEqualTo(expected);
    }
}
