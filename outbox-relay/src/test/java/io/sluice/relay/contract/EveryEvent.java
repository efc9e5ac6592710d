package io.sluice.relay.contract;

import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.ErrorDetails.ApplicationKind;
import io.sluice.provider.history.ErrorDetails.ConfigurationKind;
import io.sluice.provider.history.ErrorDetails.PoisonedMessage;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Histories in which every type of event stands, with every form of an error: all that a relay may have to publish. */
public final class EveryEvent {
    private static final long START = 1_767_225_600_000L;

    private EveryEvent() {}

    /** What happens in a life, each kind once at least, and by which earlier event of it (1 the first). */
    private record Step(EventKind kind, @Nullable Long scheduledBy) {
        Step(EventKind kind) {
            this(kind, null);
        }
    }

    /** Of several instances, each in its order; always at the same time. */
    public static List<HistoryEvent> histories() {
        return histories(Instant.ofEpochMilli(START));
    }

    /** The same, from this time on. */
    public static List<HistoryEvent> histories(Instant start) {
        var events = new ArrayList<HistoryEvent>();
        events.addAll(history(start, "order-1", 1, everything()));
        events.addAll(history(
                start,
                "order-1",
                2,
                List.of(
                        new Step(new EventKind.OrchestrationStarted(
                                "Order", "1.1.0", "{}", null, null, null, List.of(), "packing")),
                        new Step(new EventKind.OrchestrationCompleted("{\"shipped\":true}")))));
        int failed = 0;
        for (var error : errors()) {
            failed++;
            events.addAll(history(
                    start,
                    "failed-" + failed,
                    1,
                    List.of(
                            new Step(new EventKind.OrchestrationStarted(
                                    "Order", "1.0.0", "{}", "order-1", 3L, 1L, null, null)),
                            new Step(new EventKind.OrchestrationFailed(error)))));
        }
        history(start, "hosted-1", 1, suspended()).stream()
                .map(EveryEvent::ofAHost)
                .forEach(events::add);
        return events;
    }

    /** As a host of the DurableTask protocol writes it. */
    private static HistoryEvent ofAHost(HistoryEvent event) {
        return new HistoryEvent(
                event.eventId(),
                event.sourceEventId(),
                event.instanceId(),
                event.executionId(),
                event.timestampMillis(),
                "999.1.0",
                event.kind(),
                new ExtraFields(Map.of("dt", "{\"i\":-1,\"p\":\"\"}")));
    }

    private static List<Step> suspended() {
        return List.of(
                new Step(new EventKind.OrchestrationStarted("Order", "", "{}", null, null, null, null, null)),
                new Step(new EventKind.ExternalEvent("dt:suspended", "audit")),
                new Step(new EventKind.ExternalEvent("dt:resumed", "")),
                new Step(new EventKind.ExternalEvent("dt:entity-signaled", "{}")),
                new Step(new EventKind.OrchestrationCompleted("{}")));
    }

    private static List<HistoryEvent> history(Instant start, String instance, long execution, List<Step> steps) {
        var events = new ArrayList<HistoryEvent>();
        for (var step : steps) {
            long id = events.size() + 1L;
            var event = HistoryEvent.of(
                    id, instance, execution, start.toEpochMilli() + 1_000 * execution + 40 * id, "0.1.32", step.kind());
            events.add(step.scheduledBy() == null ? event : event.withSourceEventId(step.scheduledBy()));
        }
        return events;
    }

    private static List<Step> everything() {
        return List.of(
                new Step(new EventKind.OrchestrationStarted(
                        "Order",
                        "1.0.0",
                        "{\"items\":3}",
                        "cart-7",
                        4L,
                        null,
                        List.of(new CarriedEvent("paid", "{}")),
                        null)),
                new Step(new EventKind.ActivityScheduled("Charge", "{\"amount\":30}", "s-1", "gpu")),
                new Step(new EventKind.ActivityCompleted("\"ok\""), 2L),
                new Step(new EventKind.ActivityScheduled("Ship", "{}", null, null)),
                new Step(
                        new EventKind.ActivityFailed(new ErrorDetails.Application(
                                ApplicationKind.Plain.ACTIVITY_FAILED, "no carrier", true)),
                        4L),
                new Step(new EventKind.ActivityScheduled("Ship", "{}", null, null)),
                new Step(new EventKind.ActivityCancelRequested("dropped"), 6L),
                new Step(new EventKind.TimerCreated(START + 60_000)),
                new Step(new EventKind.TimerFired(START + 60_000), 8L),
                new Step(new EventKind.TimerCreated(-1)),
                new Step(new EventKind.ExternalSubscribed("approval")),
                new Step(new EventKind.ExternalEvent("approval", "\"yes\""), 11L),
                new Step(new EventKind.ExternalSubscribed("veto")),
                new Step(new EventKind.ExternalSubscribedCancelled("dropped"), 13L),
                new Step(new EventKind.ExternalSubscribedPersistent("mail")),
                new Step(new EventKind.ExternalEventPersistent("mail", "hello"), 15L),
                new Step(new EventKind.ExternalSubscribedPersistent("mail")),
                new Step(new EventKind.ExternalSubscribedPersistentCancelled("dropped"), 17L),
                new Step(new EventKind.SubOrchestrationScheduled("Pack", "pack-1", "{}")),
                new Step(new EventKind.SubOrchestrationCompleted("\"packed\""), 19L),
                new Step(new EventKind.SubOrchestrationScheduled("Pack", "pack-2", "{}")),
                new Step(
                        new EventKind.SubOrchestrationFailed(
                                new ErrorDetails.Application(ApplicationKind.Plain.PANICKED, "box too small", false)),
                        21L),
                new Step(new EventKind.SubOrchestrationScheduled("Pack", "pack-3", "{}")),
                new Step(new EventKind.SubOrchestrationCancelRequested("dropped"), 23L),
                new Step(new EventKind.OrchestrationChained("Survey", "survey-1", "{}")),
                new Step(new EventKind.CustomStatusUpdated("packing")),
                new Step(new EventKind.CustomStatusUpdated(null)),
                new Step(new EventKind.KeyValueSet("carrier", "\"x\"", START)),
                new Step(new EventKind.KeyValueCleared("carrier")),
                new Step(new EventKind.KeyValuesCleared()),
                new Step(new EventKind.OrchestrationCancelRequested("customer called")),
                new Step(new EventKind.OrchestrationContinuedAsNew("{\"items\":2}")));
    }

    private static List<ErrorDetails> errors() {
        return List.of(
                new ErrorDetails.Infrastructure("read", "connection lost", true),
                new ErrorDetails.Configuration(ConfigurationKind.NONDETERMINISM, "Order", "event 3 differs"),
                new ErrorDetails.Configuration(ConfigurationKind.NONDETERMINISM, "Order", null),
                new ErrorDetails.Application(ApplicationKind.Plain.ORCHESTRATION_FAILED, "no stock", false),
                new ErrorDetails.Application(new ApplicationKind.Cancelled("customer called"), "cancelled", false),
                new ErrorDetails.Poison(11, 10, new PoisonedMessage.Orchestration("order-1", 1), "given up"),
                new ErrorDetails.Poison(11, 10, new PoisonedMessage.Activity("order-1", 1, "Ship", 4), "given up"),
                new ErrorDetails.Poison(
                        11, 10, new PoisonedMessage.FailedDeserialization("order-1", 1, "not JSON"), "given up"));
    }
}
