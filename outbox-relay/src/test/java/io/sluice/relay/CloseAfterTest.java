package io.sluice.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Closes after a test what it opened, the latest first. */
public final class CloseAfterTest implements AfterEachCallback {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Keeps {@code thing} until the test has ended. */
    public <T extends AutoCloseable> T add(T thing) {
        opened.push(thing);
        return thing;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
