package io.sluice.benchmarks.dispatch;

import io.sluice.provider.cosmos.CosmosProvider;

/** A process that starts orchestrations and runs none. */
final class Client implements AutoCloseable {
    private final CosmosProvider provider;

    Client(Site site) {
        this.provider = site.client();
    }

    /** Reads where the container is, so that its first write is no slower than others. */
    void warmUp() {
        provider.read("nothing");
    }

    /** Starts an orchestration with so many activities. */
    void start(String instance, int activities) {
        provider.enqueueForOrchestrator(Order.start(instance, activities), null);
    }

    /** Queues an activity that no orchestration waits for. */
    void queueActivity(String instance) {
        provider.enqueueForWorker(Order.loneActivity(instance));
    }

    @Override
    public void close() {
        provider.close();
    }
}
