package io.sluice.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A certificate authority that only a test trusts, and the certificates it issues, as PEM files. It has a new key each
 * time; its certificates are valid for two days. Not thread-safe.
 */
public final class TestAuthority {
    private static final Duration LIFETIME = Duration.ofDays(2);
    private static final Duration BACKDATED = Duration.ofHours(1);
    private static final int SERIAL_BITS = 127;

    private final Path folder;
    private final String name;
    private final KeyPair keys;
    private final X509Certificate own;
    private final Path certificate;

    private TestAuthority(Path folder, String name) {
        this.folder = folder;
        this.name = name;
        this.keys = newKeys();
        this.own = sign(builder(name, name, keys, true), keys.getPrivate());
        this.certificate = write("authority", pem("CERTIFICATE", encoded(own)));
    }

    /**
     * A new authority, with a new key.
     *
     * @param folder of its files, which no other authority uses
     * @param name the common name in its certificate
     */
    public static TestAuthority create(Path folder, String name) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of an authority can't be created: " + folder, e);
        }
        return new TestAuthority(folder, name);
    }

    /**
     * Writes a key store with a new key and a certificate that no authority signed.
     *
     * @param store the PKCS #12 file to write
     * @param hosts DNS names or IP addresses the certificate is for; the first is its common name
     */
    public static void createSelfSigned(Path store, char[] password, String... hosts) {
        KeyPair keys = newKeys();
        X509Certificate certificate = sign(builder(hosts[0], hosts[0], keys, false, hosts), keys.getPrivate());
        try (OutputStream out = Files.newOutputStream(store)) {
            KeyStore made = KeyStore.getInstance("PKCS12");
            made.load(null, null);
            made.setKeyEntry(hosts[0], keys.getPrivate(), password, new Certificate[] {certificate});
            made.store(out, password);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK writes PKCS #12", e);
        } catch (IOException e) {
            throw new UncheckedIOException("the key store can't be written: " + store, e);
        }
    }

    /** Its own certificate, for trust stores of type PEM. */
    public Path certificate() {
        return certificate;
    }

    /**
     * Issues a certificate to a server or a user with a new key.
     *
     * @param subjectName the common name, and the name of the file
     * @param hosts DNS names or IP addresses the certificate is for; none for users
     * @return private key and certificates in one file, for key stores of type PEM
     */
    public Path issue(String subjectName, String... hosts) {
        KeyPair subject = newKeys();
        X509Certificate issued = sign(builder(name, subjectName, subject, false, hosts), keys.getPrivate());
        return write(
                subjectName,
                pem("PRIVATE KEY", subject.getPrivate().getEncoded()),
                pem("CERTIFICATE", encoded(issued)),
                pem("CERTIFICATE", encoded(own)));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has elliptic curves", e);
        }
    }

    private static X509v3CertificateBuilder builder(
            String issuer, String subject, KeyPair subjectKeys, boolean isAuthority, String... hosts) {
        Instant now = Instant.now();
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            commonName(issuer),
                            new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
                            Date.from(now.minus(BACKDATED)),
                            Date.from(now.plus(LIFETIME)),
                            commonName(subject),
                            subjectKeys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            if (hosts.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, alternativeNames(hosts));
            }
            return builder;
        } catch (CertIOException e) {
            throw new UncheckedIOException("a certificate for " + subject + " can't be encoded", e);
        }
    }

    private static GeneralNames alternativeNames(String... hosts) {
        return new GeneralNames(Stream.of(hosts)
                .map(host -> new GeneralName(
                        Character.isDigit(host.charAt(0)) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new));
    }

    private static X500Name commonName(String name) {
        return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey issuer) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("a certificate can't be signed", e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate can't be encoded", e);
        }
    }

    private static String pem(String type, byte[] der) {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(type, der));
        } catch (IOException e) {
            throw new UncheckedIOException("PEM can't be written to memory", e);
        }
        return text.toString();
    }

    private Path write(String file, String... parts) {
        try {
            return Files.writeString(folder.resolve(file + ".pem"), String.join("", parts));
        } catch (IOException e) {
            throw new UncheckedIOException("a certificate can't be written into " + folder, e);
        }
    }
}
