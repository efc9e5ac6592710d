package io.sluice.relay;

import io.sluice.program.setting.SettingsException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.cli.Main;
import io.sluice.relay.config.RelayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What can be done with secrets besides running a replica, one after another in a process of its own, whose output is
 * all there is to see of it. Takes a line to log, a folder of good configurations, and one of faulty ones.
 */
final class CanaryProgram {
    private static final Logger LOG = LoggerFactory.getLogger(CanaryProgram.class);
    private static final Duration LOCK = Duration.ofSeconds(30);

    private CanaryProgram() {}

    public static void main(String[] args) throws IOException {
        LOG.trace(args[0]);
        for (var good : filesIn(args[1])) {
            for (var verb : List.of("check", "run --dry-run", "provision", "prefix show", "dead-letters list")) {
                report(good, verb);
            }
            aloneWithProvider(RelayConfig.load(Map.of(), good).cosmos());
        }
        for (var faulty : filesIn(args[2])) {
            report(faulty, "check");
            asEmbedded(faulty);
        }
    }

    private static List<Path> filesIn(String folder) throws IOException {
        try (var files = Files.list(Path.of(folder))) {
            return files.sorted().toList();
        }
    }

    private static void report(Path config, String verb) {
        var arguments = (verb + " --config " + config).split(" ");
        System.out.println("did " + verb + " of " + config.getFileName() + ": " + Main.run(Map.of(), arguments));
    }

    /** An application logs all there is of an exception, and prints what its configuration says of itself. */
    private static void asEmbedded(Path faulty) {
        try {
            var config = RelayConfig.load(Map.of(), faulty);
            System.out.println(config);
            try (var relay = OutboxRelay.builder().config(config).build()) {
                relay.start();
            }
        } catch (SettingsException | RelayStartException e) {
            LOG.atError().setCause(e).log("an application logs all there is of it");
        }
    }

    private static void aloneWithProvider(CosmosStoreConfig config) {
        System.out.println(config);
        try (var provider = CosmosProvider.builder()
                .config(config)
                .slowOperationThreshold(Duration.ZERO)
                .build()) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration("alone", "Order", "{}", null, null, null, null, 1), null);
            provider.fetchOrchestrationItem(LOCK, LOCK, null)
                    .ifPresent(turn -> provider.abandonOrchestrationItem(turn.lockToken(), null, true));
            provider.renewOrchestrationItemLock("nobody's", LOCK);
        } catch (ProviderException e) {
            LOG.atError().setCause(e).log("an application logs all there is of it");
        }
    }
}
