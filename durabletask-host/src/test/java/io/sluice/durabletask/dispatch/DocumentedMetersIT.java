package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page on metrics has every meter of a host, with its tags and their values, and no other. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentedMetersIT {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(sluice\\.host\\.[a-z.]+)` \\| [^|]* \\| ([^|]*) \\|");
    private static final Pattern QUOTED = Pattern.compile("`([a-z_]+)`");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @Test
    void every_meter_is_in_the_documentation_and_nothing_else_is() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        CosmosStoreConfig store =
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(store);
        try (CosmosProvider provider = CosmosProvider.builder().config(store).build();
                DurableTaskHost host =
                        DurableTaskHost.start(provider, HostConfig.local(0).withMeters(registry))) {
            assertThat(host.port()).isPositive();

            String page = Files.readString(Path.of("..", "docs", "metrics.md"));
            var documented = ROW.matcher(page)
                    .results()
                    .collect(Collectors.toMap(
                            row -> row.group(1), row -> quoted(row.group(2)).collect(Collectors.toSet())));
            var meters = registry.getMeters().stream()
                    .map(Meter::getId)
                    .filter(id -> id.getName().startsWith("sluice.host."))
                    .toList();

            assertThat(meters.stream().map(Meter.Id::getName).collect(Collectors.toSet()))
                    .isEqualTo(documented.keySet());
            assertThat(meters)
                    .allSatisfy(meter -> meter.getTags().forEach(tag -> {
                        assertThat(documented.get(meter.getName()))
                                .as(meter.getName())
                                .contains(tag.getKey());
                        if (!tag.getKey().equals("hub")) {
                            assertThat(page).contains("`" + tag.getValue() + "`");
                        }
                    }));
        }
    }

    private static Stream<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(found -> found.group(1));
    }
}
