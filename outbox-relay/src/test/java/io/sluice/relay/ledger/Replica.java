package io.sluice.relay.ledger;

import io.sluice.relay.RelayProcess;

/** One relay of the fleet; its number tells it from all others of the run. */
final class Replica {
    private final int number;
    private final RelayProcess process;
    private volatile boolean paused;

    Replica(int number, RelayProcess process) {
        this.number = number;
        this.process = process;
    }

    int number() {
        return number;
    }

    RelayProcess process() {
        return process;
    }

    boolean isPaused() {
        return paused;
    }

    void setPaused(boolean isPaused) {
        paused = isPaused;
    }

    /** Whether it has begun to work. */
    boolean isRunning() {
        return process.output().stream().anyMatch(line -> line.contains("relay is running"));
    }

    @Override
    public String toString() {
        return "replica " + number;
    }
}
