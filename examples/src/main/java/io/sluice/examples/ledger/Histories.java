package io.sluice.examples.ledger;

import io.sluice.examples.servers.ExampleException;
import io.sluice.provider.Provider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads the histories of instances and all their sub-orchestrations from the store. */
public final class Histories {
    private static final int READERS = 8;

    private Histories() {}

    /**
     * Those of these instances and of what they started, by instance id.
     *
     * @throws ExampleException when one can't be read
     */
    public static Map<String, List<HistoryEvent>> read(Provider provider, List<String> instances) {
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try {
            Map<String, List<HistoryEvent>> histories = new LinkedHashMap<>();
            List<String> next = instances;
            while (!next.isEmpty()) {
                Map<String, Future<List<HistoryEvent>>> reads = new LinkedHashMap<>();
                next.forEach(instance -> reads.put(instance, readers.submit(() -> provider.read(instance))));
                List<String> children = new ArrayList<>();
                reads.forEach((instance, read) -> {
                    List<HistoryEvent> history = await(read);
                    histories.put(instance, history);
                    children.addAll(childrenOf(history));
                });
                next = children;
            }
            return histories;
        } finally {
            readers.shutdownNow();
        }
    }

    private static List<String> childrenOf(List<HistoryEvent> history) {
        return history.stream()
                .map(HistoryEvent::kind)
                .filter(EventKind.SubOrchestrationScheduled.class::isInstance)
                .map(kind -> ((EventKind.SubOrchestrationScheduled) kind).instance())
                .toList();
    }

    private static List<HistoryEvent> await(Future<List<HistoryEvent>> read) {
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExampleException("interrupted", e);
        } catch (ExecutionException e) {
            throw new ExampleException("a history could not be read: " + e.getCause(), e);
        }
    }
}
