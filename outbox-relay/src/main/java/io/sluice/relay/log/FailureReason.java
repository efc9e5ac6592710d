package io.sluice.relay.log;

import com.azure.cosmos.CosmosException;

/** Why something failed, in one line: the SDK's own messages carry pages of diagnostics. */
public final class FailureReason {
    private static final int LONGEST = 300;

    private FailureReason() {}

    /** The failure's kind and message, or what the service answered. */
    public static String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CosmosException answer) {
                return "Cosmos answered " + answer.getStatusCode() + "/" + answer.getSubStatusCode() + ": "
                        + shortened(answer.getShortMessage());
            }
        }
        return shortened(failure.toString());
    }

    /** The same of what everything else came of, where what is around it says no more than that something failed. */
    public static String ofLast(Throwable failure) {
        return of(last(failure));
    }

    /** The first cause in the chain of causes. */
    public static Throwable last(Throwable failure) {
        var last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last;
    }

    private static String shortened(String text) {
        var line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
