package io.sluice.benchmarks.documentation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown.
 *
 * @param path beneath the repository's root
 * @param text all of it
 */
record Page(Path path, String text) {
    private static final Pattern FENCED = Pattern.compile("(?ms)^ {0,3}(```+|~~~+).*?^ {0,3}\\1\\s*$");
    private static final Pattern CODE = Pattern.compile("(`+)(?!`).*?(?<!`)\\1(?!`)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6}\\s+(.*?)\\s*#*$");
    private static final Pattern LINK = Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^\\[[^\\]]+\\]:\\s+(\\S+)");
    private static final Pattern ATTRIBUTE = Pattern.compile("<[a-z]+ [^>]*?(?:href|src|srcset)=\"([^\"]+)\"");
    private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
    private static final Pattern LABEL = Pattern.compile("!?\\[([^\\]]*)\\]\\([^)]*\\)");

    static Page read(Path path) throws IOException {
        return new Page(path, Repository.text(path));
    }

    /** Where its links go that stay in the repository, as they are written. */
    List<String> links() {
        String prose = CODE.matcher(unfenced()).replaceAll("");
        return Stream.of(LINK, DEFINITION, ATTRIBUTE)
                .flatMap(form -> form.matcher(prose).results())
                .map(found -> found.group(1))
                .filter(target -> !target.matches("[a-z][a-z0-9+.-]*:.*"))
                .toList();
    }

    /** What a link to a part of this page may name, as GitHub makes it of headings. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> met = new HashMap<>();
        HEADING.matcher(unfenced()).results().forEach(heading -> {
            String slug = slug(heading.group(1));
            int before = met.merge(slug, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? slug : slug + "-" + before);
        });
        NAMED.matcher(unfenced()).results().forEach(name -> anchors.add(name.group(1)));
        return anchors;
    }

    private String unfenced() {
        return FENCED.matcher(text).replaceAll("");
    }

    private static String slug(String heading) {
        return LABEL.matcher(heading)
                .replaceAll("$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc}\\- ]", "")
                .replace(' ', '-');
    }
}
