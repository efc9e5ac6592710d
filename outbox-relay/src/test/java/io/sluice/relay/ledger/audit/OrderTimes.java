package io.sluice.relay.ledger.audit;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.ledger.load.Instances;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long orders waited for their first turn and for their end, by the clock of this machine. */
public final class OrderTimes {
    private final List<Long> given;
    private final Map<String, Long> begun = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private final List<Long> turns = new ArrayList<>();
    private final List<Long> lateTimers = new ArrayList<>();

    private OrderTimes(List<Long> given) {
        this.given = given;
    }

    /**
     * What the topic tells.
     *
     * @param given when, by number
     */
    public static OrderTimes of(List<Topic.Message> published, List<Long> given) {
        var times = new OrderTimes(given);
        for (var message : published) {
            if (!message.isDeletion()) {
                var event = HistoryJson.decode(message.value());
                times.turns.add(event.timestampMillis());
                if (event.executionId() == 1 && event.eventId() == 1) {
                    times.begun.put(message.key(), event.timestampMillis());
                } else if (event.kind() instanceof EventKind.OrchestrationCompleted) {
                    times.ended.put(message.key(), event.timestampMillis());
                } else if (event.kind() instanceof EventKind.TimerFired fired) {
                    times.lateTimers.add(event.timestampMillis() - fired.fireAtMillis());
                }
            }
        }
        times.turns.sort(Long::compare);
        times.lateTimers.sort(Long::compare);
        return times;
    }

    /** The longest that an order given in this time waited for its first turn. */
    public long slowestStart(long fromMillis, long untilMillis) {
        return slowest(begun, fromMillis, untilMillis);
    }

    /** The longest that an order given in this time took. */
    public long slowestOrder(long fromMillis, long untilMillis) {
        return slowest(ended, fromMillis, untilMillis);
    }

    private long slowest(Map<String, Long> until, long fromMillis, long untilMillis) {
        long slowest = 0;
        for (int i = 0; i < given.size(); i++) {
            long time = given.get(i);
            var reached = until.get(Instances.order(i));
            if (time >= fromMillis && time < untilMillis && reached != null) {
                slowest = Math.max(slowest, reached - time);
            }
        }
        return slowest;
    }

    /**
     * How late timers were by the clock of this machine, at a quantile from 0 to 1; negative for those that came early.
     */
    public long timersLate(double quantile) {
        int last = lateTimers.size() - 1;
        return last < 0 ? 0 : lateTimers.get((int) Math.round(last * quantile));
    }

    /** The longest time without a turn of any instance, from a moment on until the last order was given. */
    public long longestStandstill(long fromMillis) {
        long last = fromMillis;
        long longest = 0;
        long end = given.get(given.size() - 1);
        for (long turn : turns) {
            if (turn >= fromMillis && turn <= end) {
                longest = Math.max(longest, turn - last);
                last = turn;
            }
        }
        return Math.max(longest, end - last);
    }
}
