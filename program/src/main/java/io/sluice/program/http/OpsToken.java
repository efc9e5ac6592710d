package io.sluice.program.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The token for calls that change something. Never shown, and compared in constant time. */
public final class OpsToken {
    /** Shorter tokens could be guessed. */
    public static final int SHORTEST = 16;

    private static final String SCHEME = "Bearer ";

    private final String text;

    /**
     * Checks a token.
     *
     * @throws IllegalArgumentException if it is shorter than {@link #SHORTEST} characters, or has characters that are
     *     not visible ASCII; the message does not contain the token
     */
    public OpsToken(String text) {
        if (text.length() < SHORTEST || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "must be at least " + SHORTEST + " visible ASCII characters without spaces");
        }
        this.text = text;
    }

    /** Whether the value of an {@code Authorization} header contains the token. */
    boolean isIn(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(digest(text), digest(authorization.substring(SCHEME.length())));
    }

    /** The value of an {@code Authorization} header with the token. */
    public String authorization() {
        return SCHEME + text;
    }

    /** Digests have equal lengths: the comparison does not even reveal the length of the token. */
    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "token (hidden)";
    }
}
