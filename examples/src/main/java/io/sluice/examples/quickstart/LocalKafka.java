package io.sluice.examples.quickstart;

import io.sluice.testkit.EmbeddedKafka;
import java.nio.file.Path;

/**
 * A Kafka broker as a process of its own, for who has none: {@code LocalKafka <folder> <port>}. It keeps its data in
 * the folder.
 */
public final class LocalKafka {
    private static final int USAGE = 2;

    private LocalKafka() {}

    /**
     * Runs until the process is asked to end.
     *
     * @param arguments folder and port
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 2 || !arguments[1].matches("\\d{1,5}")) {
            System.err.println("give a folder and a port, such as: target/quick-start/kafka 9092");
            System.exit(USAGE);
        }
        QuietLogs.choose();
        var kafka = EmbeddedKafka.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "local-kafka-close"));
        System.out.println("Kafka listens at " + kafka.bootstrapServers());
        Thread.currentThread().join();
    }
}
