package io.sluice.client.lifecycle;

import java.util.Objects;

/**
 * Why something failed.
 *
 * @param category {@code application}, {@code configuration}, {@code infrastructure} or {@code poison}
 * @param message what a human reads; at most {@link Text#LIMIT} characters
 * @param retryable whether trying again could help
 */
public record Failure(String category, String message, boolean retryable) {
    public Failure {
        Objects.requireNonNull(category, "category");
        Objects.requireNonNull(message, "message");
    }
}
