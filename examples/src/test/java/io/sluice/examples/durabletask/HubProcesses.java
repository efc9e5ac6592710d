package io.sluice.examples.durabletask;

import io.sluice.examples.servers.ProcessFleet;
import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.Servers;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.process.JavaProgram;
import io.sluice.testkit.seed.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two relays, and three hosts with a worker each, all of them processes. Each host has an address that its successor
 * takes over. Not thread-safe.
 */
final class HubProcesses implements AutoCloseable {
    static final int HOSTS = 3;
    private static final int RELAYS = 2;
    private static final int LOCK_SECONDS = 10;
    private static final Path HOST = Path.of("../durabletask-host/target/sluice-durabletask-host-0.1.0-SNAPSHOT.jar");

    private final List<Integer> ports;
    private final List<ProcessFleet> hosts = new ArrayList<>();
    private final List<ProcessFleet> workers = new ArrayList<>();
    private final ProcessFleet relays;

    private HubProcesses(Servers servers, List<Integer> ports) {
        this.ports = ports;
        this.relays = RelayFleet.start(RELAYS, servers, Map.of("SLUICE_DISPATCH_ENABLED", "true"));
        for (int i = 0; i < ports.size(); i++) {
            hosts.add(host(servers, i, ports.get(i)));
            workers.add(worker(i, ports.get(i)));
        }
    }

    /** Starts all of them, and waits until the hosts serve. */
    static HubProcesses start(Servers servers) throws IOException {
        if (!Files.isReadable(HOST)) {
            throw new IllegalStateException("the host's program " + HOST + " is not there; build it with mvn package");
        }
        HubProcesses processes = new HubProcesses(servers, FreePorts.of(HOSTS));
        try {
            processes.hosts.forEach(host -> host.awaitPrinted("serving DurableTask SDKs"));
            return processes;
        } catch (RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    private static ProcessFleet host(Servers servers, int number, int port) {
        Map<String, String> settings = new HashMap<>(servers.settings());
        settings.put("SLUICE_HOST_PORT", Integer.toString(port));
        settings.put("SLUICE_HOST_OPS_PORT", "-1");
        settings.put("SLUICE_HOST_LOCK_TIMEOUT", Integer.toString(LOCK_SECONDS));
        settings.put("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", servers.kafka().bootstrapServers());
        settings.put("SLUICE_HOST_PREFIX", servers.kafka().prefix());
        return oneOf(JavaProgram.ofJar(HOST, "serve").named("host-" + number).with(settings));
    }

    private static ProcessFleet worker(int number, int port) {
        return oneOf(
                JavaProgram.of(HubWorkerProgram.class, Integer.toString(port)).named("worker-" + number));
    }

    private static ProcessFleet oneOf(JavaProgram program) {
        ProcessFleet fleet = new ProcessFleet(program);
        fleet.startOne();
        return fleet;
    }

    /** Where clients find the hosts. */
    List<Integer> ports() {
        return ports;
    }

    /** SIGKILL; another process takes its place. Returns the killed one's name. */
    String replace(Step<KillPlan.Part> kill) {
        ProcessFleet fleet = switch (kill.action()) {
            case HOST -> hosts.get(kill.choice() % hosts.size());
            case WORKER -> workers.get(kill.choice() % workers.size());
            case RELAY -> relays;
        };
        fleet.requireAlive();
        String killed = fleet.killOne().name();
        fleet.startOne();
        return killed;
    }

    /** Fails when one has ended by itself. */
    void requireAlive() {
        relays.requireAlive();
        hosts.forEach(ProcessFleet::requireAlive);
        workers.forEach(ProcessFleet::requireAlive);
    }

    @Override
    public void close() {
        workers.forEach(ProcessFleet::close);
        hosts.forEach(ProcessFleet::close);
        relays.close();
    }
}
