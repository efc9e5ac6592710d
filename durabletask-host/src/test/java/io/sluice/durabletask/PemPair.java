package io.sluice.durabletask;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A certificate and its key in two files, as hosts take them. */
public record PemPair(Path certificate, Path key) {
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    /** Takes a file apart that holds first the key and then certificates. */
    public static PemPair of(Path both) throws IOException {
        String text = Files.readString(both);
        int certificates = text.indexOf(CERTIFICATE);
        Path folder = both.resolveSibling(both.getFileName() + ".d");
        Files.createDirectories(folder);
        return new PemPair(
                Files.writeString(folder.resolve("tls.crt"), text.substring(certificates)),
                Files.writeString(folder.resolve("tls.key"), text.substring(0, certificates)));
    }

    /** As a host's. */
    public ServerTls tls(@Nullable Path clientAuthorities) {
        return new ServerTls(certificate, key, clientAuthorities);
    }
}
