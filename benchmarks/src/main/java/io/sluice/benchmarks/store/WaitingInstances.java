package io.sluice.benchmarks.store;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.DispatchSlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Instances that wait, as a runtime leaves them: a head, some events, and the message of a timer that is due in a day.
 * Written past the provider, each in one batch, so that a million documents take no longer than must be.
 */
public final class WaitingInstances {
    private static final int CONNECTIONS = 8;

    private final CosmosStoreConfig store;
    private final int events;
    private final String path;
    private final long now = System.currentTimeMillis();
    private final long due = now + Duration.ofDays(1).toMillis();

    /**
     * In this container of an emulator.
     *
     * @param events of each: it began, ran activities, and made a timer
     */
    public WaitingInstances(CosmosStoreConfig store, int events) {
        this.store = store;
        this.events = events;
        this.path = "dbs/" + store.database() + "/colls/" + store.container();
    }

    /** How many documents each of them is. */
    public int documents() {
        return events + 2;
    }

    /** How one of them is called. */
    public static String id(int number) {
        return String.format(Locale.ROOT, "waiting-%07d", number);
    }

    /** Writes those from a number on, below another. */
    public void write(int from, int below) {
        var next = new AtomicInteger(from);
        List<Callable<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            writers.add(() -> write(next, below));
        }
        Parallel.run(writers);
    }

    private int write(AtomicInteger next, int below) {
        int written = 0;
        try (var connection = new HttpConnection(store.endpoint())) {
            for (int number = next.getAndIncrement(); number < below; number = next.getAndIncrement()) {
                connection.exchange(batch(id(number)));
                written++;
            }
        }
        return written;
    }

    private byte[] batch(String id) {
        var operations = new ArrayList<String>();
        operations.add(head(id));
        for (int event = 1; event <= events; event++) {
            operations.add(event(id, event));
        }
        operations.add(timer(id));
        return SignedRequest.toAll("POST", path, "docs")
                .partitionKey(id)
                .header("x-ms-cosmos-is-batch-request", "true")
                .header("x-ms-cosmos-batch-atomic", "true")
                .header("Prefer", "return=minimal")
                .bytes("[{\"operationType\":\"Create\",\"resourceBody\":"
                        + String.join("},{\"operationType\":\"Create\",\"resourceBody\":", operations) + "}]");
    }

    private String head(String id) {
        return "{\"id\":\"" + id + ":instance\",\"instanceId\":\"" + id
                + "\",\"type\":\"instance\",\"orchestrationName\":\"Order\",\"orchestrationVersion\":\"1.0.0\","
                + "\"currentExecutionId\":1,\"status\":\"Running\",\"output\":null,\"parentInstanceId\":null,"
                + "\"pinnedDuroxideVersionPacked\":1032,\"customStatus\":null,\"customStatusVersion\":0,\"lockToken\":null,"
                + "\"lockedUntil\":null,\"createdAt\":" + now + ",\"updatedAt\":" + (now + 1) + "}";
    }

    private String event(String id, int event) {
        return "{\"id\":\"" + id + ":history:1:" + event + "\",\"instanceId\":\"" + id
                + "\",\"type\":\"history\",\"executionId\":1,\"eventId\":" + event
                + ",\"eventData\":\"{\\\"event_id\\\":" + event + ",\\\"source_event_id\\\":"
                + (isCompletion(event) ? String.valueOf(event - 1) : "null") + ",\\\"instance_id\\\":\\\"" + id
                + "\\\",\\\"execution_id\\\":1,\\\"timestamp_ms\\\":" + now
                + ",\\\"duroxide_version\\\":\\\"0.1.32\\\"," + kind(event) + "}\"}";
    }

    /** Started, three activities one after the other, and a timer. */
    private String kind(int event) {
        if (event == 1) {
            return "\\\"type\\\":\\\"OrchestrationStarted\\\",\\\"name\\\":\\\"Order\\\",\\\"version\\\":\\\"1.0.0\\\","
                    + "\\\"input\\\":\\\"{}\\\",\\\"parent_instance\\\":null,\\\"parent_id\\\":null";
        }
        if (event == events) {
            return "\\\"type\\\":\\\"TimerCreated\\\",\\\"fire_at_ms\\\":" + due;
        }
        return isCompletion(event)
                ? "\\\"type\\\":\\\"ActivityCompleted\\\",\\\"result\\\":\\\"done\\\""
                : "\\\"type\\\":\\\"ActivityScheduled\\\",\\\"name\\\":\\\"Charge\\\",\\\"input\\\":\\\"{}\\\"";
    }

    private boolean isCompletion(int event) {
        return event > 1 && event < events && event % 2 == 1;
    }

    private String timer(String id) {
        return "{\"id\":\"" + id + "-timer\",\"instanceId\":\"" + id
                + "\",\"type\":\"orch_queue\",\"workItem\":\"{\\\"TimerFired\\\":{\\\"instance\\\":\\\"" + id
                + "\\\",\\\"execution_id\\\":1,\\\"id\\\":" + events + ",\\\"fire_at_ms\\\":" + due
                + "}}\",\"dispatchSlot\":" + DispatchSlot.of(id) + ",\"visibleAt\":" + due + ",\"enqueuedAt\":" + now
                + ",\"lockToken\":null,\"lockedUntil\":null,\"attemptCount\":0,\"executionId\":null,\"activityId\":null,"
                + "\"sessionId\":null}";
    }
}
