package io.sluice.relay;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** PEM files of a {@link io.sluice.testkit.TestAuthority} as stores that have passwords. */
public final class PasswordStores {
    private static final String CERTIFICATES = "-----BEGIN CERTIFICATE-----";

    private PasswordStores() {}

    /** The text of a PEM file up to its first certificate: the private key. */
    static String privateKey(Path pem) throws IOException {
        var text = Files.readString(pem);
        return text.substring(0, text.indexOf(CERTIFICATES));
    }

    /** The rest: all certificates. */
    static String certificates(Path pem) throws IOException {
        var text = Files.readString(pem);
        return text.substring(text.indexOf(CERTIFICATES));
    }

    /** A store that trusts a certificate. */
    static Path trusting(Path pem, Path file, String password) throws IOException, GeneralSecurityException {
        var store = empty();
        store.setCertificateEntry("authority", chain(pem)[0]);
        return written(store, file, password);
    }

    /** A store of a private key, which has a password of its own. */
    static Path keys(Path pem, Path file, String password, String keyPassword)
            throws IOException, GeneralSecurityException {
        var encoded = privateKey(pem)
                .lines()
                .filter(line -> !line.startsWith("-----"))
                .toList();
        var key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(String.join("", encoded))));
        var store = empty();
        store.setKeyEntry("user", key, keyPassword.toCharArray(), chain(pem));
        return written(store, file, password);
    }

    private static Certificate[] chain(Path pem) throws IOException, GeneralSecurityException {
        var text = new ByteArrayInputStream(certificates(pem).getBytes(StandardCharsets.US_ASCII));
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(text)
                .toArray(Certificate[]::new);
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Path written(KeyStore store, Path file, String password)
            throws IOException, GeneralSecurityException {
        try (var out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }
}
