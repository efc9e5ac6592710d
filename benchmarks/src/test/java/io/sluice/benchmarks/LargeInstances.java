package io.sluice.benchmarks;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** What instances that are large, or have odd names, cost at one size and at four times that size. */
final class LargeInstances implements AutoCloseable {
    /** Events that one request outside of turns stores. */
    private static final int AT_ONCE = 50;

    private final EmulatedStore store = EmulatedStore.start(1);
    private final CosmosProvider sender = provider();
    private final CosmosProvider runtime = provider();

    /** A case, which sets a size up and counts what follows. */
    enum Case {
        HISTORY("fetch of a turn, history of so many events that the process does not remember", 1_000) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.coldTurn(size);
            }
        },
        REMEMBERED("the same, remembered, with its ack", 1_000) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.rememberedTurn(size);
            }
        },
        BACKLOG("first turn of an instance for which so many messages wait", 250) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.backlog(size, 1);
            }
        },
        DRAIN("all turns until none waits, fetched and acked", 250) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.backlog(size, Integer.MAX_VALUE);
            }
        },
        PENDING("fetch and ack of one of so many activities of an instance", 250) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.pendingActivity(size);
            }
        },
        EVENT("fetch and ack of a turn with one event of so many characters", 400_000) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.largeEvent(size);
            }
        },
        NAME("the same with an id of so many Japanese characters", 60) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.firstTurn("注".repeat(size), "");
            }
        },
        CLOCK(
                "the same by a process whose clock is so many seconds behind the account's and the other processes'",
                150) {
            @Override
            RequestCost measure(LargeInstances large, int size) {
                return large.turnOfAnotherClock(Duration.ofSeconds(size));
            }
        };

        private final String words;
        private final int size;

        Case(String words, int size) {
            this.words = words;
            this.size = size;
        }

        String words() {
            return words;
        }

        int size() {
            return size;
        }

        RequestCost at(int wanted) {
            try (LargeInstances large = new LargeInstances()) {
                return measure(large, wanted);
            }
        }

        abstract RequestCost measure(LargeInstances large, int size);
    }

    private CosmosProvider provider() {
        return CosmosProvider.builder()
                .reconciler(false)
                .searchIntervals(Duration.ofMinutes(1), Duration.ofMinutes(1))
                .config(store.config())
                .build();
    }

    private RequestCost coldTurn(int events) {
        withHistory(events);
        raise(1);
        try (CosmosProvider cold = provider()) {
            store.forget();
            var unused = fetch(cold).orElseThrow();
            return store.cost();
        }
    }

    private RequestCost rememberedTurn(int events) {
        withHistory(events);
        raise(1);
        ack(fetch(runtime).orElseThrow());
        raise(1);
        store.forget();
        ack(fetch(runtime).orElseThrow());
        return store.cost();
    }

    private RequestCost backlog(int messages, int turns) {
        withHistory(1);
        raise(messages);
        store.forget();
        Optional<LockedTurn> turn = fetch(runtime);
        for (int i = 0; turn.isPresent() && i < turns; i++) {
            ack(turn.get());
            turn = i + 1 < turns ? fetch(runtime) : Optional.empty();
        }
        return store.cost();
    }

    private RequestCost pendingActivity(int activities) {
        withHistory(1);
        for (int i = 0; i < activities; i++) {
            sender.enqueueForWorker(SampleOrders.activities("large", activities).get(i));
        }
        runtime.fetchWorkItem(CountedProcesses.LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
        store.forget();
        var work = runtime.fetchWorkItem(CountedProcesses.LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .orElseThrow();
        runtime.ackWorkItem(work.lockToken(), new WorkItem.ActivityCompleted("large", 1, 3, "{}"));
        return store.cost();
    }

    private RequestCost largeEvent(int characters) {
        return firstTurn("large", "x".repeat(characters));
    }

    private RequestCost turnOfAnotherClock(Duration ahead) {
        store.setClockOffset(ahead);
        try (CosmosProvider behind = provider()) {
            return firstTurn(behind, "large", "");
        }
    }

    private RequestCost firstTurn(String instance, String input) {
        return firstTurn(runtime, instance, input);
    }

    private RequestCost firstTurn(CosmosProvider process, String instance, String input) {
        start(instance);
        store.forget();
        LockedTurn turn = fetch(process).orElseThrow();
        var event = new EventKind.ActivityScheduled("Charge", input, null, null);
        process.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(
                        SampleOrders.started(instance), event(instance, event).apply(2)))
                .withMetadata(SampleOrders.named()));
        return store.cost();
    }

    private void withHistory(int events) {
        start("large");
        LockedTurn turn = fetch(runtime).orElseThrow();
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(SampleOrders.started("large")))
                .withMetadata(SampleOrders.named()));
        var event = event("large", new EventKind.ExternalEvent("go", "{}"));
        for (long from = 2; from <= events; from += AT_ONCE) {
            sender.appendWithExecution(
                    "large",
                    1,
                    LongStream.range(from, Math.min(from + AT_ONCE, events + 1L))
                            .mapToObj(event)
                            .toList());
        }
    }

    private static LongFunction<HistoryEvent> event(String instance, EventKind kind) {
        return id -> HistoryEvent.of(id, instance, 1, 1_740_000_000_000L, SampleOrders.VERSION, kind);
    }

    private void start(String instance) {
        sender.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1), null);
    }

    private void raise(int messages) {
        for (int i = 0; i < messages; i++) {
            sender.enqueueForOrchestrator(new WorkItem.ExternalRaised("large", "go", "{}"), null);
        }
    }

    private static Optional<LockedTurn> fetch(CosmosProvider provider) {
        return provider.fetchOrchestrationItem(CountedProcesses.LOCK, Duration.ZERO, null);
    }

    private void ack(LockedTurn turn) {
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
    }

    @Override
    public void close() {
        sender.close();
        runtime.close();
        store.close();
    }
}
