package io.sluice.provider.world.site;

import io.sluice.emulator.http.RequestInterceptor;
import io.sluice.provider.request.RequestObserver.Way;
import io.sluice.provider.world.judge.Operation.Kind;
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
    /** A key that is being rotated. */
    UNAUTHORIZED_401,
    /** A firewall. */
    FORBIDDEN_403,
    /** A role that is being granted. */
    NO_ROLE_403,
    /** A container that is being restored. */
    NO_CONTAINER_404,
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
    /** Another thread of its sender renews the lock before it is sent. */
    RENEWED,
    /** Its sender is held up for longer than its lock lives, and so is everybody else. */
    ALL_HELD_UP,
    /** Its sender is held up for longer than its lock lives, until another process takes what it held. */
    HELD_UP_UNTIL_TAKEN,
    /** Its sender is held up for longer than its lock lives, while others do all that there is to do. */
    HELD_UP,
    /** Its sender dies before it is sent. */
    DEATH_BEFORE,
    /** Its sender dies once it has applied. */
    DEATH_AFTER;

    private static final int THROTTLED = 3_200;
    private static final int RANGE_GONE = 1_002;
    private static final int NO_OWNER = 1_003;
    private static final int NO_ROLE = 5_300;
    /** Not those that the draw of who goes on next brings about anyway, nor refusals that are taken as others are. */
    private static final List<Fault> OF_WRITES = List.of(
            THROTTLED_429,
            TIMEOUT_408,
            GONE_410,
            RETRY_WITH_449,
            ERROR_500,
            UNAVAILABLE_503,
            DROPPED,
            ANSWER_LOST,
            APPLIED_AND_408,
            APPLIED_AND_503,
            LATE,
            DEATH_BEFORE,
            DEATH_AFTER);
    /** The SDK asks again by itself after the others, at once or after a second. */
    private static final List<Fault> OF_READS = List.of(THROTTLED_429, THROTTLED_429, DEATH_BEFORE);

    /** What may happen to a request of this way. */
    public static List<Fault> of(Way way) {
        return way == Way.WRITE ? OF_WRITES : OF_READS;
    }

    /** Whether a request of such an operation can meet it; what nobody waits for goes with its sender. */
    public boolean canMeet(Kind kind, Way way) {
        return switch (this) {
            case LATE -> way == Way.WRITE;
            case RENEWED -> kind == Kind.ACK_TURN || kind == Kind.ACK_ACTIVITY;
            case ALL_HELD_UP, HELD_UP_UNTIL_TAKEN, HELD_UP, DEATH_AFTER -> way != Way.READ_BESIDE;
            default -> true;
        };
    }

    /** Whether the store says no and has done nothing. */
    public boolean isRefusal() {
        return compareTo(NONE) > 0 && compareTo(DROPPED) < 0;
    }

    public boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }

    /** Whether a lock lapses, is taken or renewed just then. */
    public boolean isOfLocks() {
        return this == RENEWED || isHoldUp();
    }

    public boolean isHoldUp() {
        return this == ALL_HELD_UP || this == HELD_UP_UNTIL_TAKEN || this == HELD_UP;
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
            case UNAUTHORIZED_401 -> new RequestInterceptor.Refuse(401, 0);
            case FORBIDDEN_403 -> new RequestInterceptor.Refuse(403, 0);
            case NO_ROLE_403 -> new RequestInterceptor.Refuse(403, NO_ROLE);
            case NO_CONTAINER_404 -> new RequestInterceptor.Refuse(404, NO_OWNER);
            case DROPPED -> new RequestInterceptor.DropConnection();
            case ANSWER_LOST -> new RequestInterceptor.LoseAnswer();
            case APPLIED_AND_408 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(408, 0));
            case APPLIED_AND_503 -> new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(503, 0));
            case LATE -> new RequestInterceptor.ServeLate(late);
            case NONE, RENEWED, ALL_HELD_UP, HELD_UP_UNTIL_TAKEN, HELD_UP, DEATH_BEFORE, DEATH_AFTER ->
                new RequestInterceptor.Proceed();
        };
    }
}
