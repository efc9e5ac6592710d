package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * What announcements cost the publishing of events: two relays, each with a store and a broker of its own, work off the
 * same backlogs by turns, one of them announces work.
 */
final class AnnouncedRate {
    static final String RATE = "events, exactly once, beside work";
    static final String PROCESSOR = "processor time per event, beside work";
    private static final String ANNOUNCEMENTS = "announcements";
    private static final int WARM_UPS = 3;

    private AnnouncedRate() {}

    /** Measures both. */
    static List<Figure> measure(Effort effort, int turns) {
        var quiet = new ArrayList<EventRate.Figures>();
        var announced = new ArrayList<EventRate.Figures>();
        int warmUps = effort.pick(WARM_UPS, 0);
        try (var without = RelayTestbed.start();
                var with = RelayTestbed.announcing()) {
            without.share(1);
            with.share(1);
            for (int run = 0; run < warmUps + effort.runs(); run++) {
                var first = new EventRate(without).withWork(turns);
                var second = new EventRate(with).withWork(turns);
                if (run >= warmUps) {
                    quiet.add(first);
                    announced.add(second);
                }
            }
        }
        var figures = new ArrayList<Figure>();
        figures.addAll(figures("off", quiet));
        figures.addAll(figures("on", announced));
        return figures;
    }

    private static List<Figure> figures(String announcements, List<EventRate.Figures> runs) {
        return List.of(
                Figure.of(RATE, "per second", Spread.of(runs, EventRate.Figures::perSecond))
                        .at(ANNOUNCEMENTS, announcements),
                Figure.of(PROCESSOR, "ms", Spread.of(runs, EventRate.Figures::processor))
                        .at(ANNOUNCEMENTS, announcements));
    }
}
