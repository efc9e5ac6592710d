package io.sluice.program.setting;

import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The settings of a program's port for operators. */
public final class OpsSettings {
    private final String prefix;
    private final Setting<Integer> port;
    private final Setting<String> host;
    private final Setting<List<String>> names;
    private final Setting<String> token;
    private final Setting<String> tokenFile;

    /**
     * Adds them to a program's.
     *
     * @param prefix of the keys, such as {@code sluice.ops.}
     * @param usualPort by default
     * @param answers what the port is for
     */
    public OpsSettings(SettingCatalog catalog, String prefix, int usualPort, String answers) {
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
                "host name or address of that port; a token is required if other machines can reach it and calls can change something");
        this.names = catalog.add(
                prefix + "names",
                SettingTypes.hostNames(),
                "",
                "DNS names by which clients call that port, separated by commas; .domain stands for all names below it; addresses and names without a dot are always allowed");
        this.token = catalog.add(
                prefix + "token",
                SettingTypes.token(),
                "",
                "bearer token (Authorization: Bearer) for HTTP calls that change something; without a token all of them are refused");
        this.tokenFile = catalog.add(
                prefix + "token.file",
                SettingTypes.text(),
                "",
                "file that contains the token; an alternative to the token itself");
    }

    /** The port that was set. */
    public OpsPort read(Settings from) {
        String text = from.get(token);
        String file = from.get(tokenFile);
        if (!text.isEmpty() && !file.isEmpty()) {
            from.addFault(token, "and " + from.nameOf(tokenFile) + " are both set: keep one");
        }
        String chosen = text.isEmpty() && !file.isEmpty() ? tokenIn(file, from) : text;
        return new OpsPort(
                from.get(host),
                from.get(port),
                chosen.isEmpty() ? null : chosen,
                from.get(names),
                Setting.variable(prefix));
    }

    private String tokenIn(String file, Settings from) {
        try {
            String text = Files.readString(Path.of(file)).strip();
            new OpsToken(text);
            return text;
        } catch (IOException | InvalidPathException e) {
            from.addFault(tokenFile, "can't be read: " + e);
        } catch (IllegalArgumentException e) {
            from.addFault(tokenFile, "names a file whose token " + e.getMessage());
        }
        return "";
    }
}
