package io.sluice.program;

import com.azure.cosmos.CosmosException;
import io.sluice.provider.cosmos.CosmosStore;

/** Why something failed, in one line: the SDK's own messages carry pages of diagnostics. */
public final class FailureReason {
    private static final int LONGEST = 300;

    private FailureReason() {}

    /** The class and message of the failure, its message alone if that is a sentence, or the answer of Cosmos DB. */
    public static String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CosmosException silence && CosmosStore.isSilence(silence)) {
                return "Cosmos did not answer (" + status(silence) + "): " + shortened(silence.getShortMessage());
            }
            if (cause instanceof CosmosException answer) {
                return "Cosmos answered " + status(answer) + ": " + shortened(answer.getShortMessage());
            }
        }
        return shortened(failure instanceof PlainMessage ? String.valueOf(failure.getMessage()) : failure.toString());
    }

    private static String status(CosmosException answer) {
        return answer.getStatusCode() + "/" + answer.getSubStatusCode();
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
