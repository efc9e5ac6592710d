package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between the pages of this repository lead somewhere. Those to the web are not followed. */
class LinksTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("README.md");

    static Stream<Page> pages() throws IOException {
        return Repository.pages().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void every_link_leads_to_a_file_and_every_anchor_to_a_heading(Page page) throws IOException {
        List<String> broken = new ArrayList<>();
        for (String link : page.links()) {
            fault(page, link).ifPresent(fault -> broken.add(link + ": " + fault));
        }

        assertThat(broken).as("broken links of %s", page.path()).isEmpty();
    }

    @Test
    void every_page_of_the_documentation_stands_in_its_index() throws IOException {
        var listed = Page.read(INDEX).links().stream()
                .map(link -> DOCS.resolve(link.replaceFirst("#.*", "")).normalize())
                .collect(Collectors.toSet());

        var pages = Repository.files(
                path -> DOCS.equals(path.getParent()) && path.toString().endsWith(".md") && !path.equals(INDEX));

        assertThat(pages).isNotEmpty();
        assertThat(listed).containsAll(pages);
    }

    @Test
    void the_repositorys_front_page_leads_to_the_index() throws IOException {
        assertThat(Page.read(Path.of("README.md")).links()).contains("docs/README.md");
    }

    @Test
    void every_picture_is_whole() throws Exception {
        var pictures = Repository.files(path -> path.toString().endsWith(".svg"));

        assertThat(pictures).isNotEmpty();
        for (Path picture : pictures) {
            var root = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(Repository.ROOT.resolve(picture).toFile())
                    .getDocumentElement();
            assertThat(root.getTagName()).as("%s", picture).isEqualTo("svg");
            assertThat(root.getElementsByTagName("title").getLength())
                    .as("%s has a title for who can't see it", picture)
                    .isEqualTo(1);
        }
    }

    private static Optional<String> fault(Page page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path folder = Optional.ofNullable(page.path().getParent()).orElse(Path.of(""));
        Path target = file.isEmpty() ? page.path() : folder.resolve(file).normalize();
        if (target.startsWith("..") || !existsAsWritten(target)) {
            return Optional.of("there is no " + target);
        }
        if (hash < 0) {
            return Optional.empty();
        }
        var anchor = link.substring(hash + 1);
        if (!target.toString().endsWith(".md")) {
            return Optional.of("only pages have anchors");
        }
        var anchors =
                target.equals(page.path()) ? page.anchors() : Page.read(target).anchors();
        return anchors.contains(anchor) ? Optional.empty() : Optional.of(target + " has no heading for #" + anchor);
    }

    /** Also where a file system takes upper case for lower. */
    private static boolean existsAsWritten(Path target) throws IOException {
        Path place = Repository.ROOT.resolve(target);
        return Files.exists(place) && place.toRealPath().endsWith(target);
    }
}
