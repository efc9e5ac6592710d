package io.sluice.program;

import com.azure.cosmos.CosmosException;

/** Why something failed, in one line: the SDK's own messages carry pages of diagnostics. */
public final class FailureReason {
    private static final int LONGEST = 300;

    private FailureReason() {}

    /** The class and message of the failure, or the answer of Cosmos DB. */
    public static String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CosmosException answer) {
                return "Cosmos answered " + answer.getStatusCode() + "/" + answer.getSubStatusCode() + ": "
                        + shortened(answer.getShortMessage());
            }
        }
        return shortened(failure.toString());
    }

    /** The same for the last cause, if the exceptions around it only say that something failed. */
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
