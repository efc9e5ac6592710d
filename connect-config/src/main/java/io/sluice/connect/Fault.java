package io.sluice.connect;

/**
 * One thing wrong with a connector configuration.
 *
 * @param key the configuration key the fault is about
 * @param complaint what must hold, and what was found instead; secrets are never repeated
 */
public record Fault(String key, String complaint) {
    @Override
    public String toString() {
        return key + ": " + complaint;
    }
}
