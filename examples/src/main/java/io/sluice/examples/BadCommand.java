package io.sluice.examples;

import java.util.List;

/** A command that can't be carried out and must end among the dead letters, with a reason, while the rest goes on. */
record BadCommand(String commandId, String key, String value) {
    /** One of each kind. */
    static final List<BadCommand> ALL = List.of(
            new BadCommand("bad-not-json", "A-99901", "start A-99901 please"),
            new BadCommand("bad-no-instance", "A-99902", "{\"type\":\"start\",\"orchestration\":\"order-fulfilment\"}"),
            new BadCommand(
                    "bad-instance-id",
                    "A/99903",
                    "{\"type\":\"start\",\"instance\":\"A/99903\",\"orchestration\":\"order-fulfilment\",\"input\":\"\"}"));
}
