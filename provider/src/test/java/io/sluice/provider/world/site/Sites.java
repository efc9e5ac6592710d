package io.sluice.provider.world.site;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/** Some sites at once. */
public final class Sites {
    private Sites() {}

    /**
     * Plays all there is to play, in no order.
     *
     * @param most how many sites there are at most
     * @param processes of each site
     */
    public static <T, R> List<R> play(int most, int processes, Collection<T> all, BiFunction<Site, T, R> play)
            throws Exception {
        var left = new ConcurrentLinkedQueue<>(all);
        Callable<List<R>> plays = () -> {
            try (var site = new Site(processes)) {
                var played = new ArrayList<R>();
                for (T next = left.poll(); next != null; next = left.poll()) {
                    played.add(play.apply(site, next));
                }
                return played;
            }
        };
        var pool = Executors.newFixedThreadPool(most);
        try {
            var played = new ArrayList<R>();
            for (var bySite : pool.invokeAll(Collections.nCopies(Math.min(most, all.size()), plays))) {
                played.addAll(bySite.get());
            }
            return played;
        } finally {
            pool.shutdownNow();
        }
    }
}
