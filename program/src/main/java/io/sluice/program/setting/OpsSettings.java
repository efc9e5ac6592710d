package io.sluice.program.setting;

import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of a program's port for operators. */
public final class OpsSettings {
    private final String prefix;
    private final Setting<Integer> port;
    private final Setting<String> host;
    private final Setting<List<String>> names;
    private final @Nullable TokenSettings tokens;

    private record TokenSettings(Setting<String> token, Setting<String> file) {}

    private OpsSettings(SettingCatalog catalog, String prefix, int usualPort, String answers, boolean canChange) {
        this.prefix = prefix;
        this.port = catalog.add(
                prefix + "port",
                SettingTypes.whole(-1, 65_535, "port"),
                String.valueOf(usualPort),
                "port for operators: " + answers + "; 0 for any free port, -1 for none");
        this.host = catalog.add(
                prefix + "host",
                SettingTypes.text(),
                "127.0.0.1",
                "host name or address of that port"
                        + (canChange ? "; a token is required if other machines can reach it" : ""));
        catalog.renamed(prefix + "address", host);
        this.names = catalog.add(
                prefix + "names",
                SettingTypes.hostNames(),
                "",
                "DNS names by which clients call that port, separated by commas; .domain stands for all names below it; "
                        + "addresses and names without a dot are always allowed");
        this.tokens = canChange ? tokens(catalog, prefix) : null;
    }

    private static TokenSettings tokens(SettingCatalog catalog, String prefix) {
        Setting<String> token = catalog.add(
                prefix + "token",
                SettingTypes.token(),
                "",
                "bearer token (Authorization: Bearer) for HTTP calls that change something; without a token all of them "
                        + "are refused");
        Setting<String> file = catalog.add(
                prefix + "token.file",
                SettingTypes.text(),
                "",
                "file that contains the token; an alternative to the token itself");
        return new TokenSettings(token, file);
    }

    /**
     * Adds those of a port whose calls can change something to a program's.
     *
     * @param prefix of the keys, such as {@code sluice.ops.}
     * @param usualPort by default
     * @param answers what the port is for
     */
    public static OpsSettings ofChanges(SettingCatalog catalog, String prefix, int usualPort, String answers) {
        return new OpsSettings(catalog, prefix, usualPort, answers, true);
    }

    /** The same for a port that only shows something, so that it needs no token. */
    public static OpsSettings ofViews(SettingCatalog catalog, String prefix, int usualPort, String answers) {
        return new OpsSettings(catalog, prefix, usualPort, answers, false);
    }

    /** The port that was set. */
    public OpsPort read(Settings from) {
        return new OpsPort(
                from.get(host),
                from.get(port),
                tokens == null ? null : token(tokens, from),
                from.get(names),
                Setting.variable(prefix));
    }

    private static @Nullable String token(TokenSettings tokens, Settings from) {
        String text = from.get(tokens.token());
        String file = from.get(tokens.file());
        if (!text.isEmpty() && !file.isEmpty()) {
            from.addFault(tokens.token(), "and " + from.nameOf(tokens.file()) + " are both set: keep one");
        }
        String chosen = text.isEmpty() && !file.isEmpty() ? tokenIn(file, tokens, from) : text;
        return chosen.isEmpty() ? null : chosen;
    }

    private static String tokenIn(String file, TokenSettings tokens, Settings from) {
        try {
            String text = Files.readString(Path.of(file)).strip();
            new OpsToken(text);
            return text;
        } catch (IOException | InvalidPathException e) {
            from.addFault(tokens.file(), "can't be read: " + e);
        } catch (IllegalArgumentException e) {
            from.addFault(tokens.file(), "names a file whose token " + e.getMessage());
        }
        return "";
    }
}
