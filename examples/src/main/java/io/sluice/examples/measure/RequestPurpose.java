package io.sluice.examples.measure;

import io.sluice.emulator.LoggedRequest;
import java.util.regex.Pattern;

/** The purpose of a request to the store, recognized by its kind and its text. */
public enum RequestPurpose {
    /** Finding, reading and locking a turn; idle queries included. */
    TURN_FETCH("fetch of a turn"),
    /** Committing a turn. */
    TURN_ACK("ack of a turn"),
    /** Finding and locking an activity; idle queries included. */
    ACTIVITY_FETCH("fetch of an activity"),
    /** Removing an activity and enqueueing its completion. */
    ACTIVITY_ACK("ack of an activity"),
    /** Bringing intents to their targets and removing them. */
    INTENT_DELIVERY("delivery of an intent"),
    /** Bringing a command into a queue, or refusing it. */
    COMMAND("commands"),
    /** Reading the change feed. */
    CHANGE_FEED("change feed"),
    /** Plans, containers, ranges and everything else. */
    OTHER("plans, ranges, others");

    private static final Pattern HISTORY_CREATED = Pattern.compile("create:[^,]*:history:");
    private static final Pattern INSTANCE_TOUCHED = Pattern.compile("(create|patch):[^,]*:instance(,|$)");
    private static final Pattern INSTANCE_REPLACED = Pattern.compile("replace:[^,]*:instance(,|$)");

    private final String words;

    RequestPurpose(String words) {
        this.words = words;
    }

    /** What it is called in reports. */
    public String words() {
        return words;
    }

    /** What a request to this container is for. */
    public static RequestPurpose of(LoggedRequest request, String container) {
        if (!request.operation().isData() || !container.equals(request.container())) {
            return OTHER;
        }
        return switch (request.operation()) {
            case BATCH -> ofBatch(request.body());
            case QUERY -> ofQuery(request.body());
            case CHANGE_FEED -> CHANGE_FEED;
            case ITEM_PATCH, ITEM_REPLACE -> ACTIVITY_FETCH;
            default -> OTHER;
        };
    }

    private static RequestPurpose ofBatch(String operations) {
        if (HISTORY_CREATED.matcher(operations).find()) {
            return TURN_ACK;
        } else if (operations.contains("create:receipt:cmd:")) {
            return COMMAND;
        } else if (operations.contains("create:receipt:") || operations.contains("delete:intent:")) {
            return INTENT_DELIVERY;
        } else if (INSTANCE_TOUCHED.matcher(operations).find()) {
            return TURN_FETCH;
        }
        return INSTANCE_REPLACED.matcher(operations).find()
                ? TURN_ACK
                : operations.contains("delete:") ? ACTIVITY_ACK : ACTIVITY_FETCH;
    }

    private static RequestPurpose ofQuery(String text) {
        if (names(text, "outbox_intent") && !names(text, "instance")) {
            return INTENT_DELIVERY;
        } else if (names(text, "worker_queue") && text.contains("ORDER BY")) {
            return ACTIVITY_FETCH;
        }
        return names(text, "orch_queue") || names(text, "instance") || names(text, "history") ? TURN_FETCH : OTHER;
    }

    /** Whether a query asks for this type of document; the SDK may change the quotes when it rewrites a query. */
    private static boolean names(String text, String type) {
        return text.contains("'" + type + "'") || text.contains('"' + type + '"');
    }
}
