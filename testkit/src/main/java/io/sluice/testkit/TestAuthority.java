package io.sluice.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A certificate authority that only a test trusts, and what it vouches for, as PEM files: made anew each time by the JDK's
 * {@code keytool}, good for two days. Not thread-safe.
 */
public final class TestAuthority {
    private static final String ITSELF = "authority";
    private static final int PEM_LINE = 64;

    private final Path folder;
    private final Path keys;
    private final String password = UUID.randomUUID().toString();
    private final Path certificate;

    private TestAuthority(Path folder, String name) {
        this.folder = folder;
        this.keys = folder.resolve(ITSELF + ".p12");
        Keytool.generate(keys, password, ITSELF, name, "-ext", "bc:c");
        this.certificate = write(ITSELF, List.of(pem("CERTIFICATE", encoded(chain(ITSELF)[0]))));
    }

    /**
     * A new one, with a key of its own.
     *
     * @param folder where its files go; of this authority alone
     * @param name as it stands in certificates
     */
    public static TestAuthority create(Path folder, String name) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for an authority: " + folder, e);
        }
        return new TestAuthority(folder, name);
    }

    /** Its own certificate, for trust stores of type PEM. */
    public Path certificate() {
        return certificate;
    }

    /**
     * Vouches for a server or a user with a new key.
     *
     * @param name the common name, and the name of the file
     * @param hosts DNS names the certificate is for; none for users
     * @return private key and certificates in one file, for key stores of type PEM
     */
    public Path issue(String name, String... hosts) {
        String[] names = hosts.length == 0
                ? new String[0]
                : new String[] {
                    "-ext", Stream.of(hosts).map(host -> "dns:" + host).collect(Collectors.joining(",", "SAN=", ""))
                };
        Keytool.generate(
                keys,
                password,
                name,
                name,
                Stream.concat(Stream.of("-signer", ITSELF), Stream.of(names)).toArray(String[]::new));
        List<String> parts = new ArrayList<>();
        parts.add(pem("PRIVATE KEY", key(name).getEncoded()));
        for (Certificate each : chain(name)) {
            parts.add(pem("CERTIFICATE", encoded(each)));
        }
        return write(name, parts);
    }

    private Key key(String alias) {
        try {
            return opened().getKey(alias, password.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("keytool's own file can't be read: " + keys, e);
        }
    }

    private Certificate[] chain(String alias) {
        try {
            return opened().getCertificateChain(alias);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("keytool's own file can't be read: " + keys, e);
        }
    }

    private KeyStore opened() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, password.toCharArray());
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException("keytool's own file can't be read: " + keys, e);
        }
    }

    private static byte[] encoded(Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate can't be written", e);
        }
    }

    private static String pem(String kind, byte[] der) {
        String lines = Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }

    private Path write(String name, List<String> parts) {
        try {
            return Files.writeString(folder.resolve(name + ".pem"), String.join("", parts));
        } catch (IOException e) {
            throw new UncheckedIOException("a certificate can't be written into " + folder, e);
        }
    }
}
