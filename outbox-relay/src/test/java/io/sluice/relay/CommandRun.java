package io.sluice.relay;

import io.sluice.testkit.KafkaCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A run of the command line in this process. */
record CommandRun(int code, String out, String err) {
    static CommandRun of(Map<String, String> environment, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new CommandRun(code, out.toString(), err.toString());
    }

    /** Settings for a container and a broker. */
    static Map<String, String> environment(TestStore store, KafkaCluster kafka) {
        var environment = new HashMap<String, String>();
        environment.put("COSMOS_ENDPOINT", store.config().endpoint());
        environment.put("COSMOS_KEY", store.config().key());
        environment.put("COSMOS_DATABASE", store.config().database());
        environment.put("COSMOS_CONTAINER", store.config().container());
        environment.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        environment.put("SLUICE_PREFIX", kafka.prefix());
        environment.put("SLUICE_OPS_TOKEN", OpsClient.TOKEN);
        environment.put("SLUICE_TOPIC_REPLICATION", "1");
        environment.put("SLUICE_TOPIC_PARTITIONS", "2");
        return environment;
    }

    List<String> lines() {
        return out.lines().toList();
    }
}
