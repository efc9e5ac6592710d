package io.sluice.testkit;

import java.util.stream.Collectors;

/** Starts two brokers, freezes one of them, prints the numbers of their processes and waits to be killed. */
final class ClusterProgram {
    static final String PIDS = "processes: ";

    private ClusterProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        BrokerCluster cluster = BrokerCluster.start(2);
        cluster.freeze(2);
        System.out.println(PIDS + cluster.pids().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        Thread.currentThread().join();
    }
}
