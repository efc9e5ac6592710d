package io.sluice.connect;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where a Connect worker's REST interface is, and how to sign in there.
 *
 * @param url without a slash at its end
 * @param authorization the header of that name; kept out of texts
 */
record WorkerAddress(String url, Optional<String> authorization) {
    static final String USER = "SLUICE_CONNECT_USER";
    static final String PASSWORD = "SLUICE_CONNECT_PASSWORD";

    /**
     * The worker at this URL, with user and password of the environment where there are some.
     *
     * @throws IllegalArgumentException when it is no such URL, or has a password in it, which is not repeated
     */
    static WorkerAddress of(URI url, Map<String, String> environment) {
        if (url.getRawUserInfo() != null || url.toString().contains("@")) {
            throw new IllegalArgumentException(
                    "--url must hold no password: give it as " + PASSWORD + ", with " + USER + ", in the environment");
        }
        boolean isUsable = Set.of("http", "https").contains(String.valueOf(url.getScheme()))
                && url.getHost() != null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
        if (!isUsable) {
            throw new IllegalArgumentException("--url must be as http://localhost:8083, was " + url);
        }
        return new WorkerAddress(url.toString().replaceAll("/+$", ""), basic(environment));
    }

    private static Optional<String> basic(Map<String, String> environment) {
        String user = environment.getOrDefault(USER, "");
        if (user.isEmpty()) {
            return Optional.empty();
        }
        String both = user + ":" + environment.getOrDefault(PASSWORD, "");
        return Optional.of("Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return url;
    }
}
