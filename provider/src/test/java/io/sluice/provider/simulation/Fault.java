package io.sluice.provider.simulation;

import io.sluice.emulator.http.RequestInterceptor;
import io.sluice.provider.request.RequestObserver.Way;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What becomes of a request. */
enum Fault {
    NONE(false),
    THROTTLED_429(false),
    GONE_410(false),
    RETRY_WITH_449(false),
    UNAVAILABLE_503(false),
    /** The connection is lost before it applies. */
    DROPPED(true),
    /** It applies, its answer is lost. */
    ANSWER_LOST(true),
    /** It applies, and the gateway says that it gave up waiting. */
    APPLIED_AND_408(true),
    /** It applies, and the gateway says that nobody was there. */
    APPLIED_AND_503(true),
    /** Its sender loses the connection and gives it up; it applies some time later. */
    LATE(true),
    /** Its sender dies before it is sent. */
    DEATH_BEFORE(false),
    /** Its sender dies once it has applied. */
    DEATH_AFTER(false);

    private static final int THROTTLED = 3_200;
    private static final int RANGE_GONE = 1_002;
    private static final List<Fault> OF_WRITES =
            Arrays.stream(values()).filter(fault -> fault != NONE).toList();
    /** The SDK asks again by itself after the others, at once or after a second. */
    private static final List<Fault> OF_READS = List.of(THROTTLED_429, THROTTLED_429, DEATH_BEFORE);

    private final boolean onlyWrites;

    Fault(boolean onlyWrites) {
        this.onlyWrites = onlyWrites;
    }

    /** What may happen to a request of this way. */
    static List<Fault> of(Way way) {
        return way == Way.WRITE ? OF_WRITES : OF_READS;
    }

    /** Whether the sender can't know what became of it. */
    boolean isAmbiguous() {
        return onlyWrites;
    }

    boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }

    /**
     * For the wire.
     *
     * @param late when a late one applies
     */
    RequestInterceptor.Action verdict(CompletionStage<?> late) {
        return switch (this) {
            case THROTTLED_429 -> new RequestInterceptor.Refuse(429, THROTTLED);
            case GONE_410 -> new RequestInterceptor.Refuse(410, RANGE_GONE);
            case RETRY_WITH_449 -> new RequestInterceptor.Refuse(449, 0);
            case UNAVAILABLE_503 -> new RequestInterceptor.Refuse(503, 0);
            case DROPPED -> new RequestInterceptor.DropConnection();
            case ANSWER_LOST -> new RequestInterceptor.LoseAnswer();
            case APPLIED_AND_408 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(408, 0));
            case APPLIED_AND_503 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(503, 0));
            case LATE -> new RequestInterceptor.ServeLate(late);
            case NONE, DEATH_BEFORE, DEATH_AFTER -> new RequestInterceptor.Proceed();
        };
    }
}
