package io.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * A message to an instance from outside. Every command that can be created is one that the relay can read; the
 * {@link Reply} says whether the store accepted it.
 *
 * <p>All texts must be Unicode without lone surrogates, and together, as JSON, at most {@value #MAX_BYTES} bytes. An
 * instance id has 1 to {@value #MAX_INSTANCE_BYTES} bytes of UTF-8, without {@code / \ ? #}, control characters and
 * escapes such as {@code %20}. What breaks this is an {@link IllegalArgumentException} that names the field, the limit,
 * and where in the value the fault is.
 */
public sealed interface Command {
    /** Longest command, in bytes of its JSON: no document of the store can hold more. */
    int MAX_BYTES = 2_000_000;

    /** Longest instance id, in bytes of UTF-8. */
    int MAX_INSTANCE_BYTES = 1_014;

    /** Whom it is for. Commands to one instance are carried out in the order in which they were sent. */
    String instance();

    /**
     * Starts an orchestration as a new instance.
     *
     * @param version null for the one the runtime chooses
     * @param input as the orchestration reads it, mostly JSON
     */
    record Start(
            String instance, String orchestration, @Nullable String version, String input) implements Command {
        public Start {
            CommandRules.instance(instance);
            CommandRules.text("orchestration", orchestration);
            if (version != null) {
                CommandRules.text("version", version);
            }
            CommandRules.text("input", input);
        }

        /** Of the version that the runtime chooses. */
        public Start(String instance, String orchestration, String input) {
            this(instance, orchestration, null, input);
        }
    }

    /**
     * Raises an event that the orchestration waits for.
     *
     * @param name of the event
     * @param data as the orchestration reads it
     */
    record RaiseEvent(String instance, String name, String data) implements Command {
        public RaiseEvent {
            CommandRules.instance(instance);
            CommandRules.text("name", name);
            CommandRules.text("data", data);
        }
    }

    /**
     * Puts a message into a queue that the orchestration reads; it waits there until it is read.
     *
     * @param queue its name
     * @param data as the orchestration reads it
     */
    record EnqueueMessage(String instance, String queue, String data) implements Command {
        public EnqueueMessage {
            CommandRules.instance(instance);
            CommandRules.text("queue", queue);
            CommandRules.text("data", data);
        }
    }

    /** Asks an instance to stop. */
    record Cancel(String instance, String reason) implements Command {
        public Cancel {
            CommandRules.instance(instance);
            CommandRules.text("reason", reason);
        }
    }
}
