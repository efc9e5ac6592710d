package io.sluice.provider.crash;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.Faults;
import io.sluice.emulator.LoggedRequest;
import java.util.function.Predicate;

/** What can happen to one request. */
enum Blow {
    THROTTLED_429(false),
    TIMEOUT_408(false),
    GONE_410(false),
    RETRY_WITH_449(false),
    ERROR_500(false),
    UNAVAILABLE_503(false),
    /** The connection is lost before the request applies. */
    DROPPED(false),
    /** The request applies, the connection is lost before its answer. */
    ANSWER_LOST(false),
    /** It applies, and the gateway says that it gave up waiting. */
    APPLIED_AND_408(false),
    /** It applies, and the gateway says that nobody was there. */
    APPLIED_AND_503(false),
    /** The process dies before the request applies; nothing it sends afterwards arrives. */
    DEATH_BEFORE(true),
    /** The process dies when the request has applied. */
    DEATH_AFTER(true);

    private static final int THROTTLED = 3_200;
    private static final int RANGE_GONE = 1_002;

    private final boolean isDeath;

    Blow(boolean isDeath) {
        this.isDeath = isDeath;
    }

    /** Whether the process that sent the request is gone afterwards. */
    boolean isDeath() {
        return isDeath;
    }

    /** Strikes the n-th of these requests; for a death, its own part of it. */
    FaultRule at(Faults faults, Predicate<LoggedRequest> requests, int nth) {
        return switch (this) {
            case THROTTLED_429 -> faults.refuse(requests, nth, 429, THROTTLED);
            case TIMEOUT_408 -> faults.refuse(requests, nth, 408, 0);
            case GONE_410 -> faults.refuse(requests, nth, 410, RANGE_GONE);
            case RETRY_WITH_449 -> faults.refuse(requests, nth, 449, 0);
            case ERROR_500 -> faults.refuse(requests, nth, 500, 0);
            case UNAVAILABLE_503 -> faults.refuse(requests, nth, 503, 0);
            case DROPPED, DEATH_BEFORE -> faults.dropConnection(requests, nth);
            case ANSWER_LOST, DEATH_AFTER -> faults.loseAnswer(requests, nth);
            case APPLIED_AND_408 -> faults.answerInstead(requests, nth, 408, 0);
            case APPLIED_AND_503 -> faults.answerInstead(requests, nth, 503, 0);
        };
    }
}
