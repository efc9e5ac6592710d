package io.sluice.emulator.http;

import io.sluice.emulator.ServerCertificate;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** A certificate for loopback that nobody vouches for: a client must be told to trust it. */
public final class SelfSignedCertificate {
    private static final Duration LIFE = Duration.ofDays(825);
    private static final Duration BACKDATED = Duration.ofDays(1);
    private static final int SERIAL_BITS = 127;
    private static final String SUBJECT = "Sluice Cosmos emulator";
    private static final byte[] LOOPBACK_V4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_V6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private SelfSignedCertificate() {}

    /** A new one, with a key of its own, for {@code localhost}, 127.0.0.1 and ::1. */
    public static ServerCertificate create(Instant now) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var pair = generator.generateKeyPair();
            var body = body(pair.getPublic().getEncoded(), now);
            var signer = Signature.getInstance("SHA256withECDSA");
            signer.initSign(pair.getPrivate());
            signer.update(body);
            var certificate = Der.sequence(body, algorithm(), Der.bits(signer.sign()));
            return new ServerCertificate(
                    pem("CERTIFICATE", certificate),
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has elliptic curves", e);
        }
    }

    /** The TBSCertificate of RFC 5280, section 4.1. */
    private static byte[] body(byte[] publicKey, Instant now) {
        var name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.text(SUBJECT))));
        var serial = new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0);
        return Der.sequence(
                Der.tagged(0, Der.integer(BigInteger.TWO)),
                Der.integer(serial),
                algorithm(),
                name,
                Der.sequence(Der.time(now.minus(BACKDATED)), Der.time(now.plus(LIFE))),
                name,
                publicKey,
                Der.tagged(3, Der.sequence(alternativeNames(), serverOnly(), authority())));
    }

    private static byte[] algorithm() {
        return Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
    }

    private static byte[] alternativeNames() {
        var names = Der.sequence(
                Der.primitive(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
                Der.primitive(0x87, LOOPBACK_V4),
                Der.primitive(0x87, LOOPBACK_V6));
        return Der.sequence(Der.oid(2, 5, 29, 17), Der.octets(names));
    }

    private static byte[] serverOnly() {
        var purpose = Der.sequence(Der.oid(1, 3, 6, 1, 5, 5, 7, 3, 1));
        return Der.sequence(Der.oid(2, 5, 29, 37), Der.octets(purpose));
    }

    /** Its own authority, so that a client can take it into its trust store. */
    private static byte[] authority() {
        return Der.sequence(Der.oid(2, 5, 29, 19), Der.octets(Der.sequence(Der.primitive(1, new byte[] {(byte) 0xFF
        }))));
    }

    private static String pem(String kind, byte[] der) {
        var lines = Base64.getMimeEncoder(64, new byte[] {10}).encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }
}
