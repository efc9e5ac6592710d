package io.sluice.provider;

import io.sluice.provider.history.SemanticVersion;
import java.util.Objects;

/** Versions from {@code min} to {@code max}, both included, in the order of semantic versioning. */
public record SemverRange(SemanticVersion min, SemanticVersion max) {
    public SemverRange {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
    }

    /** Whether the version lies in the range. */
    public boolean contains(SemanticVersion version) {
        return min.compareTo(version) <= 0 && version.compareTo(max) <= 0;
    }
}
