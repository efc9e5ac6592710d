package io.sluice.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Replicas of the streams over one history topic, and what they answer. */
public final class StreamsReplicas implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final KafkaCluster kafka;
    private final Path folder;
    private final Map<String, String> settings;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<StreamsOnlyReplica> replicas = new ArrayList<>();

    /**
     * None yet.
     *
     * @param folder of their states, each in one of its name
     * @param settings of all of them, beside what each needs
     */
    StreamsReplicas(KafkaCluster kafka, Path folder, Map<String, String> settings) {
        this.kafka = kafka;
        this.folder = folder;
        this.settings = settings;
    }

    void makeHistory(int partitions) throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(admin, new NewTopic(kafka.prefix() + ".history", partitions, (short) 1));
        }
    }

    /** Starts one in this process. */
    StreamsOnlyReplica start(String name) {
        var replica = new StreamsOnlyReplica(RelayConfig.loadStreamsOnly(environment(name, freePort()), null));
        replicas.add(replica);
        replica.start();
        return replica;
    }

    Map<String, String> environment(String name, int port) {
        var environment = new HashMap<>(settings);
        environment.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        environment.put("SLUICE_PREFIX", kafka.prefix());
        environment.put("SLUICE_STREAMS_STATE", folder.resolve(name).toString());
        environment.put("SLUICE_STREAMS_STANDBYS", "1");
        environment.put("SLUICE_STREAMS_ADVERTISED", "127.0.0.1:" + port);
        environment.put("SLUICE_OPS_PORT", String.valueOf(port));
        return environment;
    }

    HttpResponse<String> get(int port, String path) throws InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + port + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        replicas.forEach(StreamsOnlyReplica::close);
    }
}
