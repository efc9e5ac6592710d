package io.sluice.examples.features;

import io.sluice.examples.servers.RunDatabase;
import io.sluice.provider.lease.LeaseConfig;
import io.sluice.provider.lease.LeaseContext;
import io.sluice.provider.lease.LeasedItem;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;

/** Promise: one worker at a time holds a document, and a worker that lost its lease changes nothing any more. */
public final class LeaseExample {
    private static final String INVOICE = "invoice-17";
    private static final LeaseConfig CONFIG = LeaseConfig.DEFAULT.withDuration(Duration.ofSeconds(2));

    private LeaseExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(LeaseExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) {
        try (var database = RunDatabase.open(environment, Scene.runName("lease"), false)) {
            var ada = LeaseContext.of(database.store(), "invoices", "ada", CONFIG);
            var bob = LeaseContext.of(database.store(), "invoices", "bob", CONFIG);
            ada.create(INVOICE, "open", "118.00 SEK");

            LeasedItem adas = ada.acquire(INVOICE);
            out.println("ada holds " + INVOICE);
            out.println("bob is refused: " + Scene.refusal(() -> bob.acquire(INVOICE)));

            // Ada pauses for longer than her lease lasts, as a process does that is swapped out.
            LeasedItem bobs = Scene.retry("the lease of ada to expire", () -> bob.acquire(INVOICE));
            out.println("bob holds " + INVOICE + " once ada's lease has expired");
            out.println("ada's write is refused: " + Scene.refusal(() -> ada.update(adas, "sent", "99.00 SEK")));

            bob.update(bobs, "sent", bobs.content());
            bob.breakLease(INVOICE);
            out.println(INVOICE + " is sent, once: " + ada.acquire(INVOICE).content());
        }
    }
}
