package io.sluice.provider.world.site;

import io.sluice.emulator.http.RequestInterceptor;
import io.sluice.provider.request.RequestObserver.Way;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What becomes of a request. */
public enum Fault {
    NONE,
    THROTTLED_429,
    TIMEOUT_408,
    GONE_410,
    RETRY_WITH_449,
    ERROR_500,
    UNAVAILABLE_503,
    /** The connection is lost before it applies. */
    DROPPED,
    /** It applies, its answer is lost. */
    ANSWER_LOST,
    /** It applies, and the gateway says that it gave up waiting. */
    APPLIED_AND_408,
    /** It applies, and the gateway says that nobody was there. */
    APPLIED_AND_503,
    /** Its sender loses the connection and gives it up; it applies some time later. */
    LATE,
    /** Its sender is held up for longer than its lock lives, while others go on. */
    HELD_UP,
    /** Its sender dies before it is sent. */
    DEATH_BEFORE,
    /** Its sender dies once it has applied. */
    DEATH_AFTER;

    private static final int THROTTLED = 3_200;
    private static final int RANGE_GONE = 1_002;
    /** Whoever is not chosen next is held up anyway. */
    private static final List<Fault> OF_WRITES = Arrays.stream(values())
            .filter(fault -> fault != NONE && fault != HELD_UP)
            .toList();
    /** The SDK asks again by itself after the others, at once or after a second. */
    private static final List<Fault> OF_READS = List.of(THROTTLED_429, THROTTLED_429, DEATH_BEFORE);

    /** What may happen to a request of this way. */
    public static List<Fault> of(Way way) {
        return way == Way.WRITE ? OF_WRITES : OF_READS;
    }

    /** Only what changes something can come late, and what nobody waits for may be given up while it is held up. */
    public boolean canMeet(Way way) {
        return (this != LATE || way == Way.WRITE) && (this != HELD_UP || way != Way.READ_BESIDE);
    }

    public boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }

    /**
     * For the wire.
     *
     * @param late when a late one applies
     */
    public RequestInterceptor.Action verdict(CompletionStage<?> late) {
        return switch (this) {
            case THROTTLED_429 -> new RequestInterceptor.Refuse(429, THROTTLED);
            case TIMEOUT_408 -> new RequestInterceptor.Refuse(408, 0);
            case GONE_410 -> new RequestInterceptor.Refuse(410, RANGE_GONE);
            case RETRY_WITH_449 -> new RequestInterceptor.Refuse(449, 0);
            case ERROR_500 -> new RequestInterceptor.Refuse(500, 0);
            case UNAVAILABLE_503 -> new RequestInterceptor.Refuse(503, 0);
            case DROPPED -> new RequestInterceptor.DropConnection();
            case ANSWER_LOST -> new RequestInterceptor.LoseAnswer();
            case APPLIED_AND_408 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(408, 0));
            case APPLIED_AND_503 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(503, 0));
            case LATE -> new RequestInterceptor.ServeLate(late);
            case NONE, HELD_UP, DEATH_BEFORE, DEATH_AFTER -> new RequestInterceptor.Proceed();
        };
    }
}
