package io.sluice.durabletask.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens that an identity provider signs (JSON Web Tokens), verified with the keys that it publishes (a JSON Web Key
 * Set). A token must be signed by one of these keys with RSA or on an elliptic curve, name issuer and audience, and
 * have neither ended nor yet to begin, give or take half a minute. Thread-safe.
 *
 * <p>Keys from a URL are kept for as long as its answer says, and asked for again when a token names a key that is not
 * among them; that token is refused meanwhile. While the URL does not answer the keys that are known stay good, for a
 * day. Keys from a file are read once.
 */
public final class JwtTokens implements TokenCheck {
    private static final Logger LOG = LoggerFactory.getLogger(JwtTokens.class);
    private static final int SKEW_SECONDS = 30;

    private static final AlgorithmConstraints ALGORITHMS = new AlgorithmConstraints(
            ConstraintType.PERMIT,
            AlgorithmIdentifiers.RSA_USING_SHA256,
            AlgorithmIdentifiers.RSA_USING_SHA384,
            AlgorithmIdentifiers.RSA_USING_SHA512,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA256,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA384,
            AlgorithmIdentifiers.RSA_PSS_USING_SHA512,
            AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
            AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384,
            AlgorithmIdentifiers.ECDSA_USING_P521_CURVE_AND_SHA512);

    private final JwtConsumer consumer;
    private final Claims claims;

    /**
     * What is read of a token that is good.
     *
     * @param rights claim that names rights: {@code client}, {@code worker}, {@code admin}, as an array or with spaces
     *     between; others are skipped
     * @param hubs claim that names task hubs likewise; a token without it opens all
     */
    public record Claims(String rights, String hubs) {}

    private JwtTokens(VerificationKeyResolver keys, String issuer, String audience, Claims claims) {
        this.consumer = new JwtConsumerBuilder()
                .setVerificationKeyResolver(keys)
                .setJwsAlgorithmConstraints(ALGORITHMS)
                .setExpectedIssuer(issuer)
                .setExpectedAudience(audience)
                .setRequireExpirationTime()
                .setAllowedClockSkewInSeconds(SKEW_SECONDS)
                .build();
        this.claims = claims;
    }

    /**
     * Tokens of one issuer for one audience.
     *
     * @param keys where the issuer's keys are: an {@code https} URL ({@code http} on this machine), or a file
     * @throws IllegalArgumentException when {@code keys} is neither, or the file holds no keys
     */
    public static JwtTokens of(String keys, String issuer, String audience, Claims claims) {
        return new JwtTokens(resolver(keys), issuer, audience, claims);
    }

    private static VerificationKeyResolver resolver(String keys) {
        if (keys.startsWith("https://") || keys.startsWith("http://")) {
            return published(URI.create(keys));
        }
        try {
            return new JwksVerificationKeyResolver(new JsonWebKeySet(Files.readString(Path.of(keys))).getJsonWebKeys());
        } catch (IOException e) {
            throw new IllegalArgumentException(keys + ": no file that can be read", e);
        } catch (JoseException e) {
            throw new IllegalArgumentException(keys + ": expected a JSON Web Key Set", e);
        }
    }

    private static VerificationKeyResolver published(URI url) {
        if (url.getScheme().equals("http") && !isLoopback(url.getHost())) {
            throw new IllegalArgumentException(url + ": keys must come by https: on the way they could be changed");
        }
        return PublishedKeys.at(url.toString());
    }

    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public Optional<Grant> grantOf(String token) {
        try {
            JwtClaims claimed = consumer.processToClaims(token);
            return Optional.of(new Grant(
                    rights(texts(claimed, claims.rights())),
                    claimed.hasClaim(claims.hubs()) ? new HashSet<>(texts(claimed, claims.hubs())) : null,
                    Instant.ofEpochSecond(claimed.getExpirationTime().getValue())
                            .plusSeconds(SKEW_SECONDS)));
        } catch (InvalidJwtException | MalformedClaimException | DateTimeException e) {
            // The caller is not told what would have been right; the operator can find out.
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("a token was refused");
            return Optional.empty();
        }
    }

    private static Set<Right> rights(List<String> names) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : Right.values()) {
            if (names.contains(right.name().toLowerCase(Locale.ROOT))) {
                rights.add(right);
            }
        }
        return rights;
    }

    /** A claim's texts: those of an array, or a text's words; none where the claim is absent or something else. */
    private static List<String> texts(JwtClaims claims, String name) {
        Object value = claims.getClaimValue(name);
        if (value instanceof String text) {
            return List.of(text.trim().split("\\s+", -1));
        }
        return value instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }
}
