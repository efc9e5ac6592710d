package io.sluice.provider.world;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.provider.request.ServiceClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** No warnings of clocks that are off, where that is what a test is about. */
public final class MutedClocks implements BeforeAllCallback, AfterAllCallback {
    private static final Logger CLOCKS = (Logger) LoggerFactory.getLogger(ServiceClock.class);

    private @Nullable Level before;

    @Override
    public void beforeAll(ExtensionContext context) {
        before = CLOCKS.getLevel();
        CLOCKS.setLevel(Level.ERROR);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        CLOCKS.setLevel(before);
    }
}
