package io.sluice.benchmarks.idle;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.benchmarks.store.WaitingInstances;
import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets fleets wait side by side, each on a container of its own, and counts what each asks. */
final class IdleMinutes {
    /** After which the rests between two looks have grown to their longest. */
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(4);

    private static final int EVENTS = 1;

    private IdleMinutes() {}

    /**
     * The requests in several windows of time that follow each other.
     *
     * @return for each set-up what each window cost
     */
    static Map<IdleSetup, List<RequestCost>> measure(List<IdleSetup> setups, int windows, Duration window) {
        Map<Integer, EmulatedStore> stores = new LinkedHashMap<>();
        List<Idler> idlers = new ArrayList<>();
        try {
            for (var setup : setups) {
                var store = stores.computeIfAbsent(setup.physicalPartitions(), EmulatedStore::start);
                var container = store.container(setup.container());
                new WaitingInstances(container, EVENTS).write(0, setup.waiting());
                idlers.add(new Idler(setup, store, new IdleFleet(container, setup.processes(), setup.dispatchers())));
            }
            Pause.of(UNTIL_IDLE);
            stores.values().forEach(EmulatedStore::forget);
            var began = Instant.now();
            Pause.of(window.multipliedBy(windows));
            idlers.forEach(idler -> idler.fleet().checkAllWait());
            Map<IdleSetup, List<RequestCost>> measured = new LinkedHashMap<>();
            for (var idler : idlers) {
                measured.put(idler.setup(), costs(idler, began, windows, window));
            }
            return measured;
        } finally {
            idlers.forEach(idler -> idler.fleet().close());
            stores.values().forEach(EmulatedStore::close);
        }
    }

    private record Idler(IdleSetup setup, EmulatedStore store, IdleFleet fleet) {}

    private static List<RequestCost> costs(Idler idler, Instant began, int windows, Duration window) {
        List<List<LoggedRequest>> asked = new ArrayList<>();
        for (int i = 0; i < windows; i++) {
            asked.add(new ArrayList<>());
        }
        for (var request : idler.store().asked()) {
            long index = Duration.between(began, request.at()).dividedBy(window);
            if (idler.setup().container().equals(request.container()) && index >= 0 && index < windows) {
                asked.get((int) index).add(request);
            }
        }
        return asked.stream()
                .map(requests -> RequestCost.of(requests, idler.store().physicalPartitions()))
                .toList();
    }
}
