package io.sluice.relay.ledger;

import java.util.List;

/**
 * The long runs as a program. Takes the name of a run and settings, {@code soak minutes=2 seed=4711}, and ends with 1
 * when something came that should not have come, or something did not come.
 */
public final class Runs {
    private static final List<String> NAMES = List.of("ledger", "soak", "failures", "timers", "brokers");

    private Runs() {}

    public static void main(String[] arguments) throws Exception {
        var settings = Settings.parse(arguments);
        boolean isSound = switch (settings.run()) {
            case "ledger" -> LedgerRun.print(Plan.ledger(settings));
            case "soak" -> LedgerRun.print(Plan.soak(settings));
            case "failures" -> FailuresRun.print(settings);
            case "timers" -> TimersRun.print(settings);
            case "brokers" -> BrokerLossRun.print(settings);
            default -> throw new IllegalArgumentException("runs are " + NAMES + ", not " + settings.run());
        };
        System.out.println("Repeat it with " + settings.command());
        System.exit(isSound ? 0 : 1);
    }
}
