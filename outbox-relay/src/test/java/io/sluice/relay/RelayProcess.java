package io.sluice.relay;

import io.sluice.relay.cli.Main;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.util.Map;

/** The relay as a process of its own. */
public final class RelayProcess {
    /** What it prints when it works. */
    static final String RUNNING = "relay is running";

    private static final int HEAP_MEGABYTES = 256;

    private RelayProcess() {}

    /** Starts it, with its settings in its environment; returns before it works. */
    static JavaProcess start(Map<String, String> environment) {
        return start(environment, "run");
    }

    /** Starts one of its verbs. */
    static JavaProcess start(Map<String, String> environment, String... arguments) {
        return JavaProgram.of(Main.class, arguments)
                .small(HEAP_MEGABYTES)
                .with(environment)
                .start();
    }
}
