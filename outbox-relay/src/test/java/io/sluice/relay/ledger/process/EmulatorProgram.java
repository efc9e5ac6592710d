package io.sluice.relay.ledger.process;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An emulator as a process of its own, until SIGTERM. It keeps its last 200 000 requests for who asks, some 120 MB that
 * take a quarter of an hour to fill: they are forgotten here, so that what its heap grows by is something
 * else.
 */
public final class EmulatorProgram {
    static final String LISTENS = "emulator listens at ";
    /** Seconds by which its clock is ahead of this machine's. */
    public static final String CLOCK_SECONDS = "EMULATOR_CLOCK_SECONDS";

    private static final Duration FORGET = Duration.ofSeconds(1);

    private EmulatorProgram() {}

    public static void main(String[] arguments) {
        var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        emulator.setClockOffset(
                Duration.ofSeconds(Long.parseLong(System.getenv().getOrDefault(CLOCK_SECONDS, "0"))));
        Runtime.getRuntime().addShutdownHook(new Thread(emulator::close, "emulator-close"));
        System.out.println(LISTENS + emulator.endpoint());
        var unused = Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(
                        () -> emulator.requests().clear(), FORGET.toMillis(), FORGET.toMillis(), TimeUnit.MILLISECONDS);
    }
}
