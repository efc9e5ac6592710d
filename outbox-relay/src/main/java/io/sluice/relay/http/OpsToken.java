package io.sluice.relay.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What a caller must bring to change something. Never shown, and compared in a time that tells nothing of it. */
public final class OpsToken {
    /** Shorter ones could be guessed. */
    public static final int SHORTEST = 16;

    private static final String SCHEME = "Bearer ";

    private final String text;

    /**
     * Takes a token as it stands.
     *
     * @throws IllegalArgumentException when it is shorter than {@link #SHORTEST} characters, or has others than visible
     *     ASCII; it doesn't show the token
     */
    public OpsToken(String text) {
        if (text.length() < SHORTEST || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "must be at least " + SHORTEST + " visible ASCII characters without spaces");
        }
        this.text = text;
    }

    /** Whether the value of an {@code Authorization} header brings it. */
    boolean isIn(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(digest(text), digest(authorization.substring(SCHEME.length())));
    }

    /** The value of an {@code Authorization} header that brings it. */
    public String authorization() {
        return SCHEME + text;
    }

    /** Digests are of one length: the comparison doesn't even tell how long the token is. */
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
