package io.sluice.relay.soak;

import io.sluice.testkit.EmbeddedKafka;

/** A broker as a process of its own, until SIGTERM; its data is gone then. */
final class BrokerProgram {
    static final String LISTENS = "broker listens at ";

    private BrokerProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var kafka = EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS);
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "broker-close"));
        System.out.println(LISTENS + kafka.bootstrapServers());
        Thread.currentThread().join();
    }
}
