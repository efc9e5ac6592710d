package io.sluice.emulator.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.RequestKind;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Set;

/**
 * Checks the tokens that tests of identities send to emulators: a JWT in which the account's key stands in place of a
 * signature, as Microsoft's emulators take it. An identity has all rights to items, and as on the service none to make
 * or change databases, containers and throughput. Thread-safe.
 */
final class IdentityAuthenticator {
    private static final String PREFIX = "type=aad&ver=1.0&sig=";
    private static final int METADATA_BLOCKED = 5300;
    private static final int PARTS = 3;
    private static final Set<RequestKind> FOR_THE_KEY_ALONE = Set.of(
            RequestKind.DATABASE_CREATE,
            RequestKind.DATABASE_DELETE,
            RequestKind.CONTAINER_CREATE,
            RequestKind.CONTAINER_REPLACE,
            RequestKind.CONTAINER_DELETE,
            RequestKind.OFFER);

    private final byte[] key;
    private final InstantSource clock;

    /** @param key of the account, as text */
    IdentityAuthenticator(String key, InstantSource clock) {
        this.key = key.getBytes(StandardCharsets.US_ASCII);
        this.clock = clock;
    }

    /** Whether a request comes with such a token. */
    static boolean isAsked(WireRequest request) {
        var header = request.header(Headers.AUTHORIZATION);
        return header != null && (header.startsWith("type%3Daad") || header.startsWith("type=aad"));
    }

    /**
     * Refuses a request whose token is invalid or has expired, or does not give the right.
     *
     * @throws StatusException 401, or 403 with sub-status 5300
     */
    void authenticate(WireRequest request, RequestKind kind) {
        var parts = token(request).split("\\.", -1);
        if (parts.length != PARTS || !MessageDigest.isEqual(decode(parts[2]), key)) {
            throw unauthorized("it must be a JWT with the account's key in place of its signature");
        }
        long now = clock.instant().getEpochSecond();
        if (claims(parts[1]).path("exp").asLong() <= now) {
            throw unauthorized("it has expired");
        }
        if (FOR_THE_KEY_ALONE.contains(kind)) {
            throw new StatusException(
                    403,
                    METADATA_BLOCKED,
                    "Request blocked by Auth: " + kind + " can't be authorized by an identity's token in data plane.");
        }
    }

    private static String token(WireRequest request) {
        try {
            var token = URLDecoder.decode(
                    String.valueOf(request.header(Headers.AUTHORIZATION)).replace("+", "%2B"), StandardCharsets.UTF_8);
            return token.startsWith(PREFIX) ? token.substring(PREFIX.length()) : "";
        } catch (IllegalArgumentException e) {
            throw unauthorized("it is not URL-encoded");
        }
    }

    private static JsonNode claims(String part) {
        try {
            return Json.read(new String(decode(part), StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw unauthorized("its claims are no JSON");
        }
    }

    private static byte[] decode(String part) {
        try {
            return Base64.getUrlDecoder().decode(part);
        } catch (IllegalArgumentException e) {
            throw unauthorized("its parts must be base64url");
        }
    }

    private static StatusException unauthorized(String reason) {
        return new StatusException(401, 0, "The identity's token is not valid: " + reason + ".");
    }
}
