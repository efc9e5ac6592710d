package io.sluice.benchmarks;

import java.util.Arrays;

/** The load programs: {@code mvn -q -Pload -Dload=dispatch} or {@code relay}. */
public final class Load {
    private Load() {}

    /**
     * Runs one.
     *
     * @param arguments its name, then options such as {@code processes=1,10}
     * @throws IllegalArgumentException when there is no such program or option
     */
    public static void main(String[] arguments) {
        String name = arguments.length == 0 ? "" : arguments[0];
        var options = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        switch (name) {
            case "dispatch" -> DispatchLoad.run(options);
            case "relay" -> RelayLoad.run(options);
            default -> throw new IllegalArgumentException("-Dload must be dispatch or relay, was " + name);
        }
    }
}
