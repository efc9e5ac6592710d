package io.sluice.relay.feed;

import io.sluice.program.PlainMessage;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The store has not answered a request in time; a read can be repeated. */
public final class LateAnswerException extends IllegalStateException implements PlainMessage {
    private static final long serialVersionUID = 1;
    private static final double MILLIS = 1_000;

    /**
     * Says so in a sentence.
     *
     * @param limit for how long the answer was waited for
     * @param asked what the store was asked, such as {@code for its feed ranges}
     */
    public LateAnswerException(Duration limit, String asked) {
        this("Cosmos DB did not answer within " + seconds(limit) + " s when asked " + asked);
    }

    private LateAnswerException(String sentence) {
        super(sentence, new TimeoutException(sentence));
    }

    private static String seconds(Duration limit) {
        return limit.toMillisPart() == 0
                ? String.valueOf(limit.toSeconds())
                : String.valueOf(limit.toMillis() / MILLIS);
    }
}
