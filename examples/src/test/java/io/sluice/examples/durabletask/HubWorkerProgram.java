package io.sluice.examples.durabletask;

import io.sluice.durabletask.replay.ReplayingWorker;

/** A worker as a process of its own. It does {@link HubWork} for the host at a port until it is killed. */
public final class HubWorkerProgram {
    private HubWorkerProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        HubWork.on(new ReplayingWorker(Integer.parseInt(arguments[0])))
                .reconnects()
                .connect();
        // The worker's threads are daemons.
        Thread.currentThread().join();
    }
}
