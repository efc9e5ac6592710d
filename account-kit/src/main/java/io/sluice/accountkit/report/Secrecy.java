package io.sluice.accountkit.report;

import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a table must not show: it takes messages of services and libraries in, which name the account. */
public final class Secrecy {
    private static final int SHORTEST = 3;

    private final List<String> secrets;

    private Secrecy(Stream<String> secrets) {
        this.secrets = secrets.filter(each -> each.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Of an account: its endpoint with host and name, and further texts, such as its key. */
    public static Secrecy of(String endpoint, String... further) {
        String host = String.valueOf(URI.create(endpoint).getHost());
        // Of an address the first number is no name.
        String name = host.matches("[0-9.]+") ? host : host.replaceFirst("\\..*", "");
        return new Secrecy(Stream.concat(Stream.of(endpoint, host, name), Stream.of(further)));
    }

    /** The text with an ellipsis in the place of each. */
    String hidden(String text) {
        String hidden = text;
        for (String secret : secrets) {
            hidden = hidden.replace(secret, "…");
        }
        return hidden;
    }
}
