package io.sluice.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker, with its controller, as a program: the process of a {@link BrokerCluster}'s member. Ends when its
 * standard input does, which is when the process that started it has ended, however it ended.
 */
final class BrokerProgram {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerProgram.class);

    private BrokerProgram() {}

    /** Takes one argument, the file with the broker's settings. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        endWith(System.in);
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            settings.load(file);
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        server.startup();
        server.awaitShutdown();
    }

    private static void endWith(InputStream parent) {
        Thread watch = new Thread(() -> awaitEnd(parent), "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(InputStream parent) {
        try {
            parent.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("the pipe from the parent process broke");
        }
        Runtime.getRuntime().halt(0);
    }
}
