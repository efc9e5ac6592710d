package io.sluice.relay.ledger.process;

import io.sluice.relay.OutboxRelay;
import io.sluice.relay.config.RelayConfig;
import java.time.Duration;
import java.time.InstantSource;

/** A relay whose clock is wrong, which no answer of the store corrects; apart from that as the real program. */
public final class RelayProgram {
    /** Seconds by which its clock is ahead. */
    public static final String CLOCK_SECONDS = "LEDGER_RELAY_CLOCK_SECONDS";

    private RelayProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var environment = System.getenv();
        var skew = Duration.ofSeconds(Long.parseLong(environment.get(CLOCK_SECONDS)));
        var relay = OutboxRelay.builder()
                .config(RelayConfig.load(environment, null))
                .clock(InstantSource.offset(InstantSource.system(), skew))
                .build();
        relay.start();
        Runtime.getRuntime().addShutdownHook(new Thread(relay::close, "relay-close"));
        System.out.println("relay is running");
        Thread.currentThread().join();
    }
}
