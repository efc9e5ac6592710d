package io.sluice.connect;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Values as the relay's streams write them. */
final class Values {
    private Values() {}

    static String status(String instance, InstanceStatus.State state) {
        return text(new InstanceStatus(
                instance,
                instance,
                "Order",
                "1.0.0",
                state,
                1,
                null,
                instance,
                null,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                InstanceStatus.Counts.NONE,
                InstanceStatus.Counts.NONE));
    }

    static String created(String instance) {
        return text(new LifecycleEvent(
                instance + ":1:1:0:created",
                instance,
                1,
                1,
                Instant.EPOCH,
                "Order",
                "1.0.0",
                null,
                instance,
                new Fact.Created()));
    }

    private static String text(Object value) {
        return new String(LifecycleJson.encode(value), StandardCharsets.UTF_8);
    }
}
