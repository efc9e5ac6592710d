package io.sluice.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes one thing after another, whatever each of them says. */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private Closing() {}

    static void quietly(AutoCloseable... things) {
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.atWarn()
                        .addKeyValue("part", thing.getClass().getSimpleName())
                        .setCause(e)
                        .log("did not close cleanly, closing the rest");
            }
        }
    }
}
