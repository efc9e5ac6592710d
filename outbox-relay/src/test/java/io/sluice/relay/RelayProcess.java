package io.sluice.relay;

import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The relay as a process of its own. */
final class RelayProcess {
    /** What it prints when it works. */
    static final String RUNNING = "relay is running";

    private static final Pattern NAME = Pattern.compile("relay started relay=\"([^\"]+)\"");
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

    /** What a running one calls itself in its leases. */
    static String nameOf(JavaProcess relay) {
        return relay.lines().stream()
                .map(NAME::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }
}
