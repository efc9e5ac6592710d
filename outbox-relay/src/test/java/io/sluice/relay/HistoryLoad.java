package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Lives of instances, drawn by a seed and told to a history topic event by event, from a thread of its own until it is
 * finished. Keeps what must come of them, counted from the events alone.
 */
final class HistoryLoad implements AutoCloseable {
    static final Duration WINDOW = Duration.ofSeconds(10);
    /** Told of at the beginning, and then not before the end. */
    static final String SLEEPER = "order-0";

    private static final long APART_MILLIS = 10;
    private static final Duration PACE = Duration.ofMillis(3);
    private static final int LIVE_AT_ONCE = 40;
    private static final List<String> ORCHESTRATIONS = List.of("Order", "Pay", "Ship");

    private final String topic;
    private final KafkaProducer<String, byte[]> producer;
    private final SplittableRandom random;
    private final List<Life> live = new ArrayList<>();
    private final Map<String, List<String>> facts = new TreeMap<>();
    private final Map<String, @Nullable State> states = new HashMap<>();
    private final Map<String, Counts> counts = new TreeMap<>();
    private final Thread thread = new Thread(this::flow, "history-load");
    /** Now: of the past nothing is called stuck while it is read. */
    private final long start = System.currentTimeMillis();

    private long told;
    private final StopSignal finish = new StopSignal();

    /** What an orchestration did in a window. */
    record Counts(long started, long completed, long failed, long cancelled, long continuedAsNew) {
        private Counts plus(EventKind kind) {
            return new Counts(
                    started + (kind instanceof EventKind.OrchestrationStarted ? 1 : 0),
                    completed + (kind instanceof EventKind.OrchestrationCompleted ? 1 : 0),
                    failed + (kind instanceof EventKind.OrchestrationFailed && !isCancellation(kind) ? 1 : 0),
                    cancelled + (isCancellation(kind) ? 1 : 0),
                    continuedAsNew + (kind instanceof EventKind.OrchestrationContinuedAsNew ? 1 : 0));
        }
    }

    private static final class Life {
        private final String instance;
        private String orchestration = "";
        private long execution = 1;
        private long event;
        private long scheduled;

        private Life(String instance) {
            this.instance = instance;
        }
    }

    HistoryLoad(String bootstrapServers, String topic, long seed) {
        this.topic = topic;
        this.random = new SplittableRandom(seed);
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringSerializer(), new ByteArraySerializer());
    }

    void start() {
        thread.start();
    }

    /** Ends what lives still, and the thread; from then on the expectations stand. */
    void finish() throws InterruptedException {
        finish.give();
        thread.join();
        producer.flush();
    }

    private void flow() {
        var sleeper = new Life(SLEEPER);
        tell(sleeper, started());
        do {
            if (live.size() < LIVE_AT_ONCE && (live.isEmpty() || random.nextInt(8) == 0)) {
                live.add(new Life("order-" + states.size()));
                tell(live.get(live.size() - 1), started());
            } else {
                goOn(live.get(random.nextInt(live.size())));
            }
        } while (!isFinishing());
        live.add(sleeper);
        for (var life : List.copyOf(live)) {
            end(life, new EventKind.OrchestrationCompleted("at last"));
        }
    }

    private boolean isFinishing() {
        try {
            return finish.restFor(PACE);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private EventKind started() {
        var name = ORCHESTRATIONS.get(random.nextInt(ORCHESTRATIONS.size()));
        return new EventKind.OrchestrationStarted(name, "1.0.0", "{}", null, null, null, null, null);
    }

    private void goOn(Life life) {
        switch (random.nextInt(12)) {
            case 0 -> end(life, new EventKind.OrchestrationCompleted("done"));
            case 1 -> end(life, failed(ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED));
            case 2 -> end(life, failed(new ErrorDetails.ApplicationKind.Cancelled("customer")));
            case 3 -> {
                tell(life, new EventKind.OrchestrationContinuedAsNew("{}"));
                life.execution++;
                life.event = 0;
                tell(life, started());
            }
            case 4 -> tell(life, new EventKind.CustomStatusUpdated("at " + told));
            case 5 -> tell(life, new EventKind.TimerCreated(start + told));
            case 6 -> tell(life, new EventKind.ExternalSubscribed("approval")); // tells nothing
            default -> {
                if (life.scheduled == 0) {
                    life.scheduled = life.event + 1;
                    tell(life, new EventKind.ActivityScheduled("Charge", "{}", null, null));
                } else {
                    tell(life, new EventKind.ActivityCompleted("paid"));
                    life.scheduled = 0;
                }
            }
        }
    }

    private static EventKind failed(ErrorDetails.ApplicationKind kind) {
        return new EventKind.OrchestrationFailed(new ErrorDetails.Application(kind, "no", false));
    }

    private static boolean isCancellation(EventKind kind) {
        return kind instanceof EventKind.OrchestrationFailed failed
                && failed.details() instanceof ErrorDetails.Application application
                && application.kind() instanceof ErrorDetails.ApplicationKind.Cancelled;
    }

    private void end(Life life, EventKind kind) {
        tell(life, kind);
        live.remove(life);
        if (isEverDeleted(life.instance)) {
            var id = life.instance + ":deleted:1";
            send(life.instance, id, "io.sluice.instance.deleted", "{}");
            told(life.instance, id, "deleted");
            states.put(life.instance, null);
        }
    }

    /** Every fourth is. */
    static boolean isEverDeleted(String instance) {
        return instance.hashCode() % 4 == 0;
    }

    private void tell(Life life, EventKind kind) {
        life.event++;
        long millis = timeMillis();
        var event = HistoryEvent.of(life.event, life.instance, life.execution, millis, "0.1.32", kind);
        if (kind instanceof EventKind.ActivityCompleted) {
            event = event.withSourceEventId(life.scheduled);
        }
        var id = life.instance + ":" + life.execution + ":" + life.event + ":" + millis;
        expect(life, id, kind);
        send(life.instance, id, "io.sluice.history." + event.type(), HistoryJson.encode(event));
    }

    private void expect(Life life, String id, EventKind kind) {
        if (kind instanceof EventKind.OrchestrationStarted started) {
            life.orchestration = started.name();
            life.scheduled = 0;
            if (life.execution == 1) {
                told(life.instance, id, "created");
            }
        }
        var type = type(kind);
        if (type != null) {
            told(life.instance, id, type);
        }
        long window = Math.floorDiv(timeMillis(), WINDOW.toMillis()) * WINDOW.toMillis();
        if (ENDS_OR_BEGINS.contains(kind.getClass())) {
            counts.merge(
                    life.orchestration + "@" + Instant.ofEpochMilli(window),
                    new Counts(0, 0, 0, 0, 0).plus(kind),
                    (before, one) -> before.plus(kind));
        }
        states.put(life.instance, state(kind));
    }

    private static final List<Class<?>> ENDS_OR_BEGINS = List.of(
            EventKind.OrchestrationStarted.class,
            EventKind.OrchestrationCompleted.class,
            EventKind.OrchestrationFailed.class,
            EventKind.OrchestrationContinuedAsNew.class);

    private static State state(EventKind kind) {
        if (kind instanceof EventKind.OrchestrationCompleted) {
            return State.COMPLETED;
        }
        if (kind instanceof EventKind.OrchestrationFailed) {
            return isCancellation(kind) ? State.CANCELLED : State.FAILED;
        }
        return State.RUNNING;
    }

    private static @Nullable String type(EventKind kind) {
        if (kind instanceof EventKind.OrchestrationFailed) {
            return isCancellation(kind) ? "cancelled" : "failed";
        }
        return Map.<Class<?>, String>of(
                        EventKind.OrchestrationStarted.class, "started",
                        EventKind.OrchestrationCompleted.class, "completed",
                        EventKind.OrchestrationContinuedAsNew.class, "continued-as-new",
                        EventKind.CustomStatusUpdated.class, "custom-status-changed",
                        EventKind.TimerCreated.class, "timer-created",
                        EventKind.ActivityScheduled.class, "activity-scheduled",
                        EventKind.ActivityCompleted.class, "activity-completed")
                .get(kind.getClass());
    }

    /** Runs faster than time does, for events and records alike: no event may be later than its record. */
    private long timeMillis() {
        return start + APART_MILLIS * told;
    }

    private void told(String instance, String id, String type) {
        facts.computeIfAbsent(instance, key -> new ArrayList<>()).add(id + ":" + type);
    }

    private void send(String instance, String id, String type, String json) {
        var message = new ProducerRecord<>(topic, null, timeMillis(), instance, json.getBytes(UTF_8));
        Map.of(
                        "ce_id",
                        id,
                        "ce_type",
                        type,
                        "ce_source",
                        "cosmos://account/db/container",
                        "ce_time",
                        Instant.ofEpochMilli(timeMillis()).toString())
                .forEach((name, text) -> message.headers().add(name, text.getBytes(UTF_8)));
        var unused = producer.send(message);
        told++;
    }

    /** The ids of the facts of each instance, in order. */
    Map<String, List<String>> facts() {
        return facts;
    }

    /** The last state of each instance; null when it was deleted. */
    Map<String, @Nullable State> states() {
        return states;
    }

    /** By orchestration and beginning of the window, as keys of the statistics are. */
    Map<String, Counts> counts() {
        return counts;
    }

    @Override
    public void close() {
        finish.give();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
