package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.result.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What crews and their relays ask while nothing happens, side by side. */
final class IdleWindow {
    private IdleWindow() {}

    /** Waits so long. */
    static List<Figure> measure(List<Crew> crews, Duration window) {
        crews.forEach(crew -> crew.site().forget());
        Pause.of(window);
        List<Figure> figures = new ArrayList<>();
        double perMinute = (double) Duration.ofMinutes(1).toMillis() / window.toMillis();
        for (var crew : crews) {
            crew.checkAllDispatch();
            var site = crew.site();
            figures.addAll(DispatchFigures.idle(site, site.ofRuntimes(), site.ofRelay(), perMinute));
        }
        return figures;
    }
}
