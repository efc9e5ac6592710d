package io.sluice.relay;

import io.sluice.relay.cli.Main;
import io.sluice.testkit.KafkaCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** A run of the command line in this process. */
public record CommandRun(int code, String out, String err) {
    public static CommandRun of(Map<String, String> environment, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new CommandRun(code, out.toString(), err.toString());
    }

    /** Settings for a container and a broker. */
    public static Map<String, String> environment(TestStore store, KafkaCluster kafka) {
        var environment = store.relayEnvironment(kafka);
        environment.put("SLUICE_OPS_TOKEN", OpsClient.TOKEN);
        return environment;
    }

    public List<String> lines() {
        return out.lines().toList();
    }
}
