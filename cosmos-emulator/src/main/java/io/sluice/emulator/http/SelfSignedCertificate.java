package io.sluice.emulator.http;

import io.sluice.emulator.ServerCertificate;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** Creates a certificate for loopback that no authority signed: clients must be configured to trust it. */
public final class SelfSignedCertificate {
    private static final Duration LIFETIME = Duration.ofDays(825);
    private static final Duration BACKDATED = Duration.ofDays(1);
    private static final int SERIAL_BITS = 127;
    private static final X500Name SUBJECT = new X500Name("CN=Sluice Cosmos emulator");

    private SelfSignedCertificate() {}

    /** A new certificate with a new key, for {@code localhost}, 127.0.0.1 and ::1. */
    public static ServerCertificate create(Instant now) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var keys = generator.generateKeyPair();
            var names = new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.iPAddress, "::1")
            });
            var certificate = new JcaX509v3CertificateBuilder(
                            SUBJECT,
                            new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
                            Date.from(now.minus(BACKDATED)),
                            Date.from(now.plus(LIFETIME)),
                            SUBJECT,
                            keys.getPublic())
                    .addExtension(Extension.subjectAlternativeName, false, names)
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    // Its own authority, so that a client can add it to a trust store.
                    .addExtension(Extension.basicConstraints, false, new BasicConstraints(true))
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
            return new ServerCertificate(
                    pem("CERTIFICATE", certificate.getEncoded()),
                    pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("Every Java has elliptic curves", e);
        } catch (IOException e) {
            throw new UncheckedIOException("The certificate can't be encoded", e);
        }
    }

    private static String pem(String type, byte[] der) throws IOException {
        var text = new StringWriter();
        try (var pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(type, der));
        }
        return text.toString();
    }
}
