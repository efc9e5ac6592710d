package io.sluice.emulator.http;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Checks that a request was signed with the account's master key. Thread-safe. */
final class MasterKeyAuthenticator {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "type=master&ver=1.0&sig=";

    /** Cloned for each signature: to look up the algorithm and set the key takes longer than to sign. */
    private final Mac prepared;

    MasterKeyAuthenticator(String base64) {
        try {
            prepared = Mac.getInstance(ALGORITHM);
            prepared.init(new SecretKeySpec(Base64.getDecoder().decode(base64), ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java has " + ALGORITHM, e);
        }
    }

    /**
     * Refuses a request that is not signed, or signed with another key.
     *
     * @throws StatusException 401
     */
    void authenticate(WireRequest request) {
        var header = request.header(Headers.AUTHORIZATION);
        if (header == null) {
            throw unauthorized(
                    "Required Header authorization is missing. Ensure a valid Authorization token is passed.");
        }
        var token = urlDecode(header);
        if (!token.startsWith(PREFIX)) {
            throw unauthorized("This emulator takes tokens of the master key and of identities, of version 1.0.");
        }
        var given = token.substring(PREFIX.length()).getBytes(StandardCharsets.US_ASCII);
        var date = date(request);
        var path = request.path();
        if (!path.isAddressable()) {
            throw unauthorized(
                    "The item's id fits into no path: " + path + ". Query it, or name it by its _self link.");
        }
        for (var type : path.signedTypes()) {
            for (var link : List.of(
                    path.signedLink(),
                    path.signedRid().toLowerCase(Locale.ROOT),
                    path.signedLink().toLowerCase(Locale.ROOT))) {
                var payload = request.method().toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + date;
                if (MessageDigest.isEqual(sign(payload), given)) {
                    return;
                }
            }
        }
        throw unauthorized("The input authorization token can't serve the request. The wrong key is being used or the"
                + " expected payload is not built as per the protocol.");
    }

    private static String date(WireRequest request) {
        var own = lowerCase(request.header(Headers.X_DATE));
        return own.isEmpty() ? "\n" + lowerCase(request.header("date")) + "\n" : own + "\n\n";
    }

    private static String lowerCase(@Nullable String value) {
        return value == null ? "" : value.toLowerCase(Locale.ROOT);
    }

    private static String urlDecode(String header) {
        try {
            return URLDecoder.decode(header, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw unauthorized("The authorization token is not URL-encoded.");
        }
    }

    private byte[] sign(String payload) {
        try {
            var mac = (Mac) prepared.clone();
            return Base64.getEncoder().encode(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own " + ALGORITHM + " can be cloned", e);
        }
    }

    private static StatusException unauthorized(String message) {
        return new StatusException(401, 0, message);
    }
}
