package io.sluice.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PageTest {
    @Test
    void a_comment_in_the_line_above_marks_a_block() {
        Page page = page("""
                <!-- not run: needs Docker -->
                ```sh
                docker compose up
                ```
                <!-- in a terminal of its own -->
                ```sh
                serve
                ```

                ```text
                served
                ```""");

        assertThat(page.blocks())
                .containsExactly(
                        new Block(2, "sh", "docker compose up", new Mark.NotRun("needs Docker")),
                        new Block(6, "sh", "serve", new Mark.OwnTerminal()),
                        new Block(10, "text", "served", new Mark.None()));
    }

    @Test
    void a_mark_that_is_none_is_refused() {
        assertThatThrownBy(() -> page("""
                        <!-- not ran -->
                        ```sh
                        docker compose up
                        ```""")).hasMessageContaining("not ran");
    }

    @Test
    void a_port_is_another_one_wherever_it_is_named() {
        Page page = page("""
                ```sh
                serve --port 8081 --keep 18081
                curl localhost:8081/
                ```""");

        assertThat(page.withPort(8081, 15_000).blocks())
                .extracting(Block::text)
                .containsExactly("serve --port 15000 --keep 18081\ncurl localhost:15000/");
    }

    private static Page page(String text) {
        return Page.of("page.md", text.lines().toList());
    }
}
