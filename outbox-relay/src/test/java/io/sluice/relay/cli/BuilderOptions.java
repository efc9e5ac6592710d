package io.sluice.relay.cli;

import io.sluice.provider.cosmos.CosmosProviderBuilder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of the provider's builder, as its source describes them. */
public final class BuilderOptions {
    private static final Path SOURCE = Path.of(
            "..",
            "provider",
            "src",
            "main",
            "java",
            "io",
            "sluice",
            "provider",
            "cosmos",
            "CosmosProviderBuilder.java");
    /** A comment, and the public method behind it that hands the builder back. */
    private static final Pattern DESCRIBED = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s+public CosmosProviderBuilder (\\w+)\\(([^)]*)\\)", Pattern.DOTALL);

    private static final Pattern REFERENCE = Pattern.compile("\\{@(?:link|code) #?([^ }]+)[^}]*\\}");

    /**
     * One of them.
     *
     * @param signature name and types, such as {@code fleet(Fleet)}
     * @param description what its comment says, but for tags
     */
    record Option(String name, String signature, String description) {}

    private BuilderOptions() {}

    /** All of them, in the source's order. */
    static List<Option> ofProvider() throws IOException {
        return DESCRIBED
                .matcher(Files.readString(SOURCE))
                .results()
                .map(found -> new Option(
                        found.group(2), found.group(2) + "(" + types(found.group(3)) + ")", words(found.group(1))))
                .toList();
    }

    /** The names of all of them, by the class itself. */
    static Set<String> namesByClass() {
        return Stream.of(CosmosProviderBuilder.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && method.getReturnType().equals(CosmosProviderBuilder.class))
                .map(method -> method.getName())
                .collect(Collectors.toSet());
    }

    private static String types(String parameters) {
        return Stream.of(parameters.split(","))
                .map(parameter -> parameter.strip().replaceFirst("\\s+\\w+$", ""))
                .collect(Collectors.joining(", "));
    }

    private static String words(String comment) {
        var sentences = comment.lines()
                .map(line -> line.strip().replaceFirst("^\\*\\s?", "").strip())
                .collect(Collectors.joining(" "))
                .strip();
        var described = sentences.replaceFirst("\\s*@param (\\w+) (.*)$", " $1: $2.");
        return REFERENCE.matcher(described).replaceAll(found -> Matcher.quoteReplacement(shown(found.group(1))));
    }

    /** A name as code, and behind a constant its value. */
    private static String shown(String reference) {
        var name = reference.replaceFirst("\\(.*", "").replace('#', '.');
        return Stream.of(CosmosProviderBuilder.class.getFields())
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .map(constant -> "`" + name + "` (" + seconds(constant) + " s)")
                .orElse("`" + name + "`");
    }

    private static long seconds(Field constant) {
        try {
            return ((Duration) constant.get(null)).toSeconds();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(constant + " is public", e);
        }
    }
}
