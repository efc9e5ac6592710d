package io.sluice.relay.rejected;

import io.sluice.relay.rejected.RejectedCommandAdmin.Outcome;

/**
 * What became of a rejected command that was to be sent again.
 *
 * @param words the outcome for operators, with what is special to this command
 */
public record ResendResult(Outcome outcome, String words) {
    static ResendResult of(Outcome outcome) {
        return new ResendResult(outcome, outcome.words());
    }

    /** @param fault of its reply topic, in words */
    static ResendResult unanswerable(String fault) {
        return new ResendResult(Outcome.UNANSWERABLE, Outcome.UNANSWERABLE.words() + ": " + fault);
    }
}
