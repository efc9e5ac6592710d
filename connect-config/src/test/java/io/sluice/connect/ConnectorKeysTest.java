package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table {@code keys.csv}: of every key a value that the connector takes and one that it must not get. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectorKeysTest {
    private static final String ABSENT = "-";
    /** Any text will do, so there is nothing to refuse. */
    private static final Set<String> FREE = Set.of("azure.cosmos.application.name");

    private record Row(String key, String good, String bad, Set<Setup> setups, String complaint) {}

    /** What else a configuration says, so that a key is read. */
    @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable; its type does not say so
    private enum Setup {
        KEY(Map.of()),
        PRINCIPAL(Map.of(
                "azure.cosmos.auth.type", "ServicePrincipal",
                "azure.cosmos.account.tenantId", "contoso.com",
                "azure.cosmos.auth.aad.clientId", "${env:COSMOS_CLIENT_ID}",
                "azure.cosmos.auth.aad.clientSecret", "${env:COSMOS_CLIENT_SECRET}")),
        CONTROL(Map.of(
                "azure.cosmos.throughputControl.enabled", "true",
                "azure.cosmos.throughputControl.group.name", "connect",
                "azure.cosmos.throughputControl.targetThroughput", "400",
                "azure.cosmos.throughputControl.globalControl.database.name", "control",
                "azure.cosmos.throughputControl.globalControl.container.name", "control")),
        OTHER(Map.of(
                "azure.cosmos.throughputControl.account.endpoint", "https://y.documents.azure.com:443/",
                "azure.cosmos.throughputControl.account.key", "${env:COSMOS_CONTROL_KEY}")),
        OTHER_PRINCIPAL(Map.of(
                "azure.cosmos.throughputControl.auth.type", "ServicePrincipal",
                "azure.cosmos.throughputControl.account.tenantId", "contoso.com",
                "azure.cosmos.throughputControl.auth.aad.clientId", "${env:COSMOS_CLIENT_ID}",
                "azure.cosmos.throughputControl.auth.aad.clientSecret", "${env:COSMOS_CLIENT_SECRET}")),
        ALL(Map.of("azure.cosmos.source.containers.includeAll", "true")),
        VERSIONS(Map.of("azure.cosmos.source.changeFeed.mode", "AllVersionsAndDeletes")),
        NO_KEY(Map.of("azure.cosmos.source.messageKey.enabled", "false")),
        NO_BULK(Map.of("azure.cosmos.sink.bulk.enabled", "false")),
        TEMPLATE(Map.of("azure.cosmos.sink.id.strategy", "TemplateStrategy")),
        PATCH(Map.of("azure.cosmos.sink.write.strategy", "ItemPatch"));

        private final Map<String, String> values;

        Setup(Map<String, String> values) {
            this.values = values;
        }
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @MethodSource("refusals")
    void what_a_key_must_not_get_is_refused_by_its_name(ConnectorKind kind, String key, String bad, Row row) {
        var config = base(kind, row);
        config.put(key, bad);
        if (bad.equals(ABSENT)) {
            config.remove(key);
        }

        assertThat(ConnectorCheck.faultsOf(config)).as("faults of %s", config).anySatisfy(fault -> {
            assertThat(fault.key()).startsWith(key);
            assertThat(fault.complaint()).contains(row.complaint());
        });
    }

    @ParameterizedTest(name = "{0} {1} = {2}")
    @MethodSource("values")
    void what_a_key_takes_is_no_fault(ConnectorKind kind, String key, String good, Row row) {
        var config = base(kind, row);
        config.put(key, good);

        assertThat(ConnectorCheck.faultsOf(config)).as("faults of %s", config).isEmpty();
    }

    @Test
    void every_key_of_the_connector_has_a_row() {
        Set<String> known = new TreeSet<>(ConnectorKeys.OF_CONNECT.keySet());
        for (ConnectorKind kind : ConnectorKind.values()) {
            known.addAll(ConnectorKeys.rulesOf(kind).keySet());
        }
        known.removeAll(FREE);

        assertThat(rows().map(Row::key).collect(Collectors.toSet())).containsAll(known);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void a_key_that_does_not_exist_is_refused(ConnectorKind kind) {
        var config = base(kind, Set.of());
        config.put(kind.keyPrefix() + "database", "duroxide");

        assertThat(ConnectorCheck.faultsOf(config))
                .singleElement()
                .satisfies(fault -> assertThat(fault.complaint()).startsWith("is not a key of the"));
    }

    private static Stream<Arguments> refusals() {
        return combinations(Row::bad);
    }

    private static Stream<Arguments> values() {
        return combinations(Row::good).filter(arguments -> !arguments.get()[2].equals(ABSENT));
    }

    private static Stream<ConnectorKind> kinds() {
        return Stream.of(ConnectorKind.values());
    }

    private static Stream<Arguments> combinations(Function<Row, String> value) {
        return kinds().flatMap(kind -> rows().filter(row -> isKeyOf(kind, row.key()))
                .map(row -> Arguments.of(kind, row.key(), value.apply(row), row)));
    }

    private static boolean isKeyOf(ConnectorKind kind, String key) {
        return Arrays.stream(ConnectorKind.values())
                        .noneMatch(other -> other != kind && key.startsWith(other.keyPrefix()))
                && !(kind == ConnectorKind.SINK && key.equals("exactly.once.support"));
    }

    private static Map<String, String> base(ConnectorKind kind, Row row) {
        return base(kind, row.setups());
    }

    private static Map<String, String> base(ConnectorKind kind, Set<Setup> setups) {
        var config = new HashMap<String, String>();
        config.put("connector.class", kind.className());
        config.put("azure.cosmos.account.endpoint", "https://sluice.documents.azure.com:443/");
        config.put(kind.keyPrefix() + "database.name", "duroxide");
        if (!setups.contains(Setup.PRINCIPAL)) {
            config.put("azure.cosmos.account.key", "${env:COSMOS_KEY}");
        }
        if (kind == ConnectorKind.SINK) {
            config.put("topics", "sluice.history");
            config.put("azure.cosmos.sink.containers.topicMap", "sluice.history#sluice-audit");
        } else if (!setups.contains(Setup.ALL)) {
            config.put("azure.cosmos.source.containers.includedList", "duroxide");
        }
        setups.forEach(setup -> config.putAll(setup.values));
        if (setups.contains(Setup.OTHER_PRINCIPAL)) {
            config.remove("azure.cosmos.throughputControl.account.key");
        }
        return config;
    }

    private static Stream<Row> rows() {
        try (var stream = ConnectorKeysTest.class.getResourceAsStream("keys.csv")) {
            var text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(ConnectorKeysTest::row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String line) {
        var cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        assertThat(cells).as("cells of '%s'", line).hasSize(5);
        var setups = EnumSet.noneOf(Setup.class);
        Arrays.stream(cells.get(3).split(" "))
                .filter(name -> !name.isEmpty())
                .map(Setup::valueOf)
                .forEach(setups::add);
        return new Row(cells.get(0), cells.get(1), cells.get(2), setups, cells.get(4));
    }
}
