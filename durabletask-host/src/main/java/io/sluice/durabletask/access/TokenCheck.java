package io.sluice.durabletask.access;

import java.util.Optional;

/** Knows which tokens are good. Thread-safe. */
@FunctionalInterface
public interface TokenCheck {
    /** What the bearer may do; nothing for a token that is not good. */
    Optional<Grant> grantOf(String token);
}
