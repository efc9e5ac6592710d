package io.sluice.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What was opened; closes all of it, the newest first, whatever fails. A test that registers it as an extension has it
 * closed after the test.
 */
public final class Opened implements AfterEachCallback, AutoCloseable {
    private final Deque<AutoCloseable> things = new ArrayDeque<>();

    /** Keeps {@code thing} to the end. */
    public <T extends AutoCloseable> T add(T thing) {
        things.push(thing);
        return thing;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        var failed = new IllegalStateException("something could not be closed");
        while (!things.isEmpty()) {
            try {
                things.pop().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed.addSuppressed(e);
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }
}
