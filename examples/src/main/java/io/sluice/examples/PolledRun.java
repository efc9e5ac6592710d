package io.sluice.examples;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.examples.orders.Order;
import io.sluice.examples.servers.ExampleException;
import java.util.List;
import java.util.Map;

/** The first orders once more, with runtimes that query the store for work: for comparison, and nothing is killed. */
final class PolledRun {
    private static final int ORDERS = 30;

    private PolledRun() {}

    /** Opens a pipeline of its own and measures what is asked of its store. */
    static StoreUse measure(DemoConfig config, Map<String, String> environment, String runName, List<Order> orders) {
        List<Order> first = orders.subList(0, Math.min(ORDERS, orders.size()));
        try (Pipeline pipeline = Pipeline.open(config, environment, runName, false);
                OrderFlow flow = OrderFlow.start(pipeline, first, config.ordersPerSecond(), event -> {})) {
            if (!flow.awaitEnd(config.timeLimit(), () -> {})) {
                throw new ExampleException("orders of the polled run have not ended: "
                        + flow.board().stuck());
            }
            CosmosEmulator emulator = pipeline.cosmos().emulator().orElseThrow();
            return StoreUse.measure(emulator, first.size(), pipeline);
        }
    }
}
