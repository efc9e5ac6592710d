package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PageTest {
    private static Page page(String text) {
        return new Page(Path.of("page.md"), text);
    }

    @Test
    void links_of_all_forms_are_found_but_none_in_code_or_elsewhere() {
        var page = page("""
                [a](one.md), [`b`](two.md#part "title"), ![c](three.svg), <img src="four.svg">, [web](https://example.org/x.md)
                [e]: five.md
                `[no](none.md)` and ``[no](`none.md`)``
                ```md
                [no](none.md)
                ```
                [last](six/)
                """);

        assertThat(page.links())
                .containsExactlyInAnyOrder("one.md", "two.md#part", "three.svg", "four.svg", "five.md", "six/");
    }

    @Test
    void anchors_are_those_that_github_makes() {
        var page = page("""
                # What it promises, and what not yet
                ## The relay
                ## `run --dry-run`
                ### Äpfel & Birnen
                ## The relay
                ## [A link](x.md) here
                ```sh
                # no heading
                ```
                <a id="own"></a>
                """);

        assertThat(page.anchors())
                .containsExactlyInAnyOrder(
                        "what-it-promises-and-what-not-yet",
                        "the-relay",
                        "run---dry-run",
                        "äpfel--birnen",
                        "the-relay-1",
                        "a-link-here",
                        "own");
    }
}
