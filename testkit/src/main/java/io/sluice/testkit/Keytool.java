package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's {@code keytool}. Thread-safe for different files. */
public final class Keytool {
    private Keytool() {}

    /**
     * Makes a key on an elliptic curve, with a certificate that is good for two days.
     *
     * @param keys a PKCS #12 file; made if need be
     * @param alias its name in that file
     * @param commonName in the certificate
     * @param more options of {@code keytool -genkeypair}; without a signer the certificate vouches for itself
     * @throws IllegalStateException with keytool's words when it made none
     */
    public static void generate(Path keys, String password, String alias, String commonName, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + commonName,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                password));
        command.addAll(List.of(more));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool made no certificate of " + commonName + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("keytool can't be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool made a certificate of " + commonName, e);
        }
    }
}
