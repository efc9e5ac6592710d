package io.sluice.relay.cli;

import io.sluice.program.setting.KafkaSecuritySettings;
import io.sluice.provider.cosmos.StoreVariable;
import io.sluice.relay.config.RelaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** {@code docs/configuration.md}: generated from the settings' own texts. */
final class ConfigurationPage {
    /** The command that writes the page; shown on it. */
    static final String COMMAND =
            "mvn test -pl outbox-relay -am -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.configuration.record=true";

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final String MILLISECONDS = " ms";

    /** The groups of settings: title, and prefixes of their keys. The last group has all other settings. */
    private static final Map<String, List<String>> GROUPS = groups();

    private final StringBuilder text = new StringBuilder();

    private ConfigurationPage() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Cosmos DB", List.of("cosmos."));
        groups.put(
                "Kafka and its topics",
                List.of("kafka.", "sluice.prefix", "sluice.provision.", "sluice.topic.", "sluice.transaction."));
        groups.put("Reading the change feed", List.of("sluice.feed.", "sluice.sweep."));
        groups.put("Announcing work to runtimes", List.of("sluice.dispatch."));
        groups.put(
                "Delivering intents and taking commands",
                List.of("sluice.delivery.", "sluice.intent.", "sluice.command.", "sluice.fleet"));
        groups.put(
                "Topics derived from the history",
                List.of("sluice.streams", "sluice.statistics.", "sluice.stuck.", "sluice.instance.", "sluice.value."));
        groups.put("Operations and everything else", List.of(""));
        return groups;
    }

    /** The page as it should be. */
    static String expected() throws IOException {
        return new ConfigurationPage().render();
    }

    /** The page as it is. */
    static String actual() throws IOException {
        return Files.exists(PAGE) ? Files.readString(PAGE) : "";
    }

    /** Writes the page. */
    static void write() throws IOException {
        Files.writeString(PAGE, expected());
    }

    private String render() throws IOException {
        line("# Configuration");
        line("");
        line(
                "Every setting of relay and provider. A test generates this page from the code that reads the settings; do not edit it. To generate it again:");
        line("");
        line("```");
        line(COMMAND);
        line("```");
        line("");
        relay();
        passedOn();
        provider();
        program();
        return text.toString();
    }

    private void relay() {
        line("## The relay");
        line("Settings come from environment variables, or by their keys from a properties file (`--config`, or `"
                + RelaySettings.FILE_VARIABLE
                + "`); the environment takes precedence. All settings are checked at start, every");
        line(
                "fault is reported at once, and a key in the file or a variable `SLUICE_…` that is no setting is a fault. The command `settings` prints this list. Values of secrets are never shown.");
        var left = new ArrayList<>(RelaySettings.CATALOG.all());
        GROUPS.forEach((title, prefixes) -> {
            var here = left.stream()
                    .filter(setting -> prefixes.stream().anyMatch(setting.key()::startsWith))
                    .toList();
            left.removeAll(here);
            line("");
            line("### " + title);
            line("| variable | key | allowed | default | |");
            line("|---|---|---|---|---|");
            here.forEach(setting -> row(
                    code(setting.variable()),
                    code(setting.key()),
                    setting.type().range(),
                    shownDefault(setting.defaultText(), setting.type().range()),
                    setting.sentence().replace(" (milliseconds)", "")));
        });
        line("");
        line("Names that begin with " + code("COSMOS_") + " are accepted with " + code("COSMOSDB_")
                + " too, and apply if the other name is missing: "
                + List.of(StoreVariable.values()).stream()
                        .map(variable -> code(variable.otherVariable()))
                        .collect(Collectors.joining(", "))
                + ".");
    }

    private void passedOn() {
        line("");
        line("### Passed on to Kafka's clients");
        line(
                "These settings go unchanged to every client of the relay (producers, consumers, admin, streams); [Kafka's documentation](https://kafka.apache.org/documentation/#adminclientconfigs)");
        line("explains them. In a file their names begin with `kafka.`. [Security](security.md#kafka) has examples.");
        line(
                "Any other setting of the clients is given as `SLUICE_KAFKA_…` (in a file `sluice.kafka.…`), such as `SLUICE_KAFKA_COMPRESSION_TYPE`, `SLUICE_KAFKA_CLIENT_ID`, `SLUICE_KAFKA_CLIENT_RACK`; the settings on");
        line(
                "which the relay's promises rest (acks, isolation, timeouts, ids of groups and transactions, interceptors) are refused by name. `batch.size` may be 1 MiB at most, `fetch.max.wait.ms` 2500, and");
        line("`max.poll.interval.ms` 60000 to 3600000.");
        line("");
        line("| variable | Kafka's name | type | Kafka's default |");
        line("|---|---|---|---|");
        Map<String, ConfigDef.ConfigKey> known = AdminClientConfig.configDef().configKeys();
        for (String name : new TreeSet<>(KafkaSecuritySettings.names())) {
            var key = known.get(name);
            if (key == null) {
                throw new IllegalStateException("Kafka's clients know no setting " + name);
            }
            row(
                    code(KafkaSecuritySettings.variable(name)),
                    code(name),
                    key.type().name().toLowerCase(Locale.ROOT),
                    kafkasDefault(key));
        }
    }

    private static String kafkasDefault(ConfigDef.ConfigKey key) {
        var text = key.defaultValue == null ? "" : ConfigDef.convertToString(key.defaultValue, key.type());
        return text == null || text.isEmpty() ? "–" : code(text);
    }

    private void provider() throws IOException {
        line("");
        line("## The provider");
        line(
                "`CosmosStoreConfig.fromEnvironment` reads these; a config can also be [made in code](../provider/README.md#opening-a-store). The names with "
                        + code("COSMOSDB_") + " apply here as well.");
        line("");
        line("| variable | allowed | default | |");
        line("|---|---|---|---|");
        for (StoreVariable variable : StoreVariable.values()) {
            row(
                    code(variable.variable()),
                    variable.range(),
                    shownDefault(variable.defaultText(), variable.range()),
                    variable.sentence());
        }
        line("");
        line("`CosmosProvider.builder()` takes the rest; there are no variables for it:");
        line("");
        line("| option | |");
        line("|---|---|");
        for (BuilderOptions.Option option : BuilderOptions.ofProvider()) {
            row(code(option.signature()), option.description());
        }
    }

    private void program() throws IOException {
        line("");
        line("## Exit codes of the relay's program");
        line("| code | means |");
        line("|---|---|");
        new RelayCommand(Map.of())
                .commandLine()
                .getCommandSpec()
                .usageMessage()
                .exitCodeList()
                .forEach(this::row);
        line("");
        line("## Logging");
        line(
                "The program logs to its standard error by Logback, a line an entry, figures as `key=\"value\"` at its end. Give it another configuration with");
        line(
                "`java -Dlogback.configurationFile=<file> -jar …`; this is its own. An application that embeds relay or provider has its own logging, by SLF4J.");
        line("");
        line("| logger | level |");
        line("|---|---|");
        LogLevels.ofProgram().forEach((logger, level) -> row(code(logger), level));
        line("");
        line(
                "Of lines that Kafka's clients repeat, whatever client, node or number they name, the first passes at once. Those that follow within a minute are counted, and one line says how many: `suppressed repeated log lines of Kafka's client`, with `logger`, `words` and `count`.");
        line("");
        line(
                "`Got error produce response … CONCURRENT_TRANSACTIONS` is no problem: brokers answer a commit before it stands in every partition, and a transaction of the same id that begins meanwhile is sent again by the client until it does. A range that publishes page after page meets it often, streams too.");
        line("");
        line("## Elsewhere");
        line("- [The verbs of the program](../outbox-relay/README.md), or `--help` behind any of them.");
        line(
                "- Variables of [the DurableTask host](durabletask-configuration.md), of [the demo](../examples/README.md) and"
                        + " of [the tests](../testkit/README.md).");
        line(
                "- [Metrics](metrics.md), [what operations cost](performance.md), [sizing](sizing.md), [limits](limits.md).");
    }

    private static String shownDefault(@Nullable String text, String range) {
        if (text == null) {
            return "required";
        }
        if (text.isEmpty()) {
            return "–";
        }
        return code(text) + (range.endsWith(MILLISECONDS) ? inWords(Duration.ofMillis(Long.parseLong(text))) : "");
    }

    /** Long times in a unit that can be read; nothing for short ones. */
    private static String inWords(Duration time) {
        if (time.toDays() > 0 && time.equals(Duration.ofDays(time.toDays()))) {
            return " (" + time.toDays() + " d)";
        }
        if (time.toHours() > 0 && time.equals(Duration.ofHours(time.toHours()))) {
            return " (" + time.toHours() + " h)";
        }
        if (time.toMinutes() > 0 && time.equals(Duration.ofMinutes(time.toMinutes()))) {
            return " (" + time.toMinutes() + " min)";
        }
        return time.toSeconds() > 0 && time.equals(Duration.ofSeconds(time.toSeconds()))
                ? " (" + time.toSeconds() + " s)"
                : "";
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private void row(String... cells) {
        line(List.of(cells).stream()
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |")));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
