package io.sluice.provider.cosmos.work.index;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The clock of a simulated world: what is to happen, in order. */
final class VirtualTime {
    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::atMillis).thenComparingLong(Step::number));
    private long number;
    private long nowMillis;

    private record Step(long atMillis, long number, Runnable deed) {}

    long now() {
        return nowMillis;
    }

    void at(long atMillis, Runnable deed) {
        steps.add(new Step(Math.max(nowMillis, atMillis), number++, deed));
    }

    void in(long millis, Runnable deed) {
        at(nowMillis + millis, deed);
    }

    /** Does what is next. Returns false when that is later than this, or there is nothing. */
    boolean step(long untilMillis) {
        Step next = steps.peek();
        if (next == null || next.atMillis() > untilMillis) {
            nowMillis = Math.max(nowMillis, untilMillis);
            return false;
        }
        steps.remove();
        nowMillis = next.atMillis();
        next.deed().run();
        return true;
    }
}
