package io.sluice.relay.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** {@code docs/topics.md}: made of the catalogue, and of records that the relay's own code makes. */
final class TopicsPage {
    /** The command that writes the page; shown on it. */
    static final String COMMAND =
            "mvn test -pl outbox-relay -am -Dtest=TopicsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.topics.write=true";

    private static final Path PAGE = Path.of("../docs/topics.md");
    private static final String SCHEMAS = "../client/src/main/resources" + TopicValue.FOLDER;

    private final Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> examples;
    private final StringBuilder text = new StringBuilder();

    /** A record shown on the page. */
    private record Shown(TopicContract contract, String title, Predicate<Seen> which) {}

    /** What a record is chosen by. */
    private record Seen(
            String key,
            Map<String, String> headers,
            @Nullable JsonNode value) {
        boolean says(String header, String text) {
            return text.equals(headers.get(header));
        }

        boolean holds(String field, String text) {
            return value != null && value.path(field).asText().equals(text);
        }
    }

    private static final List<Shown> SHOWN = List.of(
            new Shown(
                    TopicCatalogue.HISTORY,
                    "An event that came in a trace",
                    seen -> seen.headers().containsKey("traceparent")),
            new Shown(
                    TopicCatalogue.HISTORY,
                    "The end of an instance",
                    seen -> seen.says("ce_type", "io.sluice.instance.deleted")),
            new Shown(TopicCatalogue.COMMANDS, "A command that wants a reply", seen -> true),
            new Shown(TopicCatalogue.REPLIES, "It was queued", seen -> seen.holds("status", "accepted")),
            new Shown(TopicCatalogue.REPLIES, "It was refused", seen -> seen.holds("status", "rejected")),
            new Shown(TopicCatalogue.PARKED_COMMANDS, "A command waits", seen -> seen.value() != null),
            new Shown(TopicCatalogue.PARKED_COMMANDS, "It was queued, or refused", seen -> seen.value() == null),
            new Shown(TopicCatalogue.DEAD_LETTERS, "A command", seen -> seen.says("sluice-kind", "command")),
            new Shown(TopicCatalogue.DEAD_LETTERS, "An intent", seen -> seen.says("sluice-kind", "intent")),
            new Shown(TopicCatalogue.POSITIONS, "After a page", seen -> true),
            new Shown(TopicCatalogue.RELAYS, "A replica of both ranges", seen -> true),
            new Shown(TopicCatalogue.LIFECYCLE, "An activity failed", seen -> seen.holds("type", "activity-failed")),
            new Shown(TopicCatalogue.LIFECYCLE, "An instance returned", seen -> seen.holds("type", "completed")),
            new Shown(TopicCatalogue.STATUS, "An instance that failed", seen -> seen.holds("state", "FAILED")),
            new Shown(TopicCatalogue.STATUS, "One that was deleted", seen -> seen.value() == null),
            new Shown(TopicCatalogue.STATISTICS, "A window so far", seen -> seen.holds("completed", "1")),
            new Shown(TopicCatalogue.STUCK, "Nothing is heard of an instance", seen -> seen.value() != null),
            new Shown(TopicCatalogue.STUCK, "It moves again", seen -> seen.value() == null),
            new Shown(
                    TopicCatalogue.WORK_TURNS,
                    "A message",
                    seen -> seen.value() != null
                            && seen.value().at("/documents/0/kind").asText().equals("ExternalRaised")),
            new Shown(
                    TopicCatalogue.WORK_TURNS,
                    "A start",
                    seen -> seen.value() != null
                            && seen.value().at("/documents/0").has("orchestration")),
            new Shown(
                    TopicCatalogue.WORK_TURNS,
                    "Check the instance",
                    seen -> seen.value() != null && !seen.value().has("documents")),
            new Shown(TopicCatalogue.WORK_ACTIVITIES, "An activity", seen -> true),
            new Shown(TopicCatalogue.WORK_HELP, "A message waits", seen -> true),
            new Shown(TopicCatalogue.WORK_PULSE, "A range at the end of its feed", seen -> true));

    private TopicsPage(Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> examples) {
        this.examples = examples;
    }

    /** The page as it should be. */
    static String expected(Path emptyFolder) throws IOException {
        return new TopicsPage(Examples.all(emptyFolder)).render();
    }

    /** The page as it is. */
    static String actual() throws IOException {
        return Files.exists(PAGE) ? Files.readString(PAGE) : "";
    }

    static void write(String page) throws IOException {
        Files.writeString(PAGE, page);
    }

    private String render() throws IOException {
        line("# Topics");
        line("");
        line(
                "What the relay's topics hold and promise. Written by a test from the catalogue in `io.sluice.relay.contract`, by which topics are made and");
        line("checked; the examples are records that the relay's own code made. Do not edit. To write it again:");
        line("");
        line("```");
        line(COMMAND);
        line("```");
        overview();
        consumers();
        compatibility();
        for (var contract : all()) {
            topic(contract);
        }
        return text.toString();
    }

    private static List<TopicContract> all() {
        var all = new ArrayList<>(TopicCatalogue.CORE);
        all.add(2, TopicCatalogue.REPLIES);
        all.addAll(TopicCatalogue.STREAMS);
        all.addAll(TopicCatalogue.DISPATCH);
        all.add(TopicCatalogue.REPLAY);
        return all;
    }

    private void overview() {
        line("");
        line(
                "`<prefix>` is `SLUICE_PREFIX` (`sluice`). Only the relay writes the history and the topics derived from it, and every application may read them; every application may write commands.");
        line("");
        line("| topic | what | key | written by | cleanup |");
        line("|---|---|---|---|---|");
        for (var contract : all()) {
            line("| [" + shortName(contract) + "](#" + anchor(contract) + ") | " + contract.purpose() + " | "
                    + contract.key() + " | " + contract.writer() + " | "
                    + contract.storage().cleanup().setting() + " |");
        }
    }

    private void consumers() {
        line("");
        line("## What a consumer does");
        line(
                "- It sets `isolation.level=read_committed`. Otherwise it also reads records of aborted transactions, which are written again.");
        line(
                "- It sets `auto.offset.reset=earliest` for its first start, and `allow.auto.create.topics=false`. A record may have 4 MB (`fetch.max.bytes` and `max.partition.fetch.bytes`");
        line("  let a larger one through, one at a time).");
        line(
                "- It commits its offsets after its work, so that a crash repeats records instead of losing them, and recognizes by a record's identity the work that it has done already.");
        line(
                "- It ignores headers, fields and types (`ce_type`, `type`, `sluice-kind`) that it does not know. An unknown type is no error and no reason to stop.");
        line(
                "- Values are JSON. The values of lifecycle, status, statistics and stuck are Avro if an operator configured that (`SLUICE_STREAMS_AVRO_SERIALIZER`); their schemas are the `.avsc` files next to the JSON Schemas.");
        line("- It treats a record without a value as a tombstone only where this page says so.");
        line(
                "- Records of one instance have one key and are in one partition, in order. Between instances there is no order. The number of partitions does not change while a topic lives.");
        line(
                "- Records that are CloudEvents (binary mode of the Kafka binding) can be read by any CloudEvents SDK; the headers contain everything that is needed to route them without reading the value.");
    }

    private void compatibility() {
        line("");
        line("## What may change");
        line("Within a major version:");
        line("");
        line("| never | may |");
        line("|---|---|");
        line("| names of topics, keys, how keys choose partitions | topics are added |");
        line("| order, identity, repetition of records | headers are added |");
        line(
                "| a required field is removed, or gets another type or meaning | fields are added, and optional fields are present more often |");
        line(
                "| a type of event, fact, command or reply is removed or gets another meaning | types are added where this page says so |");
        line("| a value of `state` or of a failure's `category` is removed or added | limits are raised |");
        line("");
        line("The JSON Schemas (2020-12) are in the [client's jar](" + SCHEMAS.replaceAll("/$", "") + ") under `"
                + TopicValue.FOLDER.substring(1)
                + "`. They follow the same rules: they accept fields they don't name and,");
        line(
                "where types may be added, types they don't know (`$defs/later`), so a copy of today accepts records of a later relay. The relay's tests check its own records against the");
        line(
                "schemas without these exceptions. A change that a schema of today would reject is a new major version, with another `$id` (`urn:sluice:<name>:<major>`).");
    }

    private void topic(TopicContract contract) throws IOException {
        var storage = contract.storage();
        var promises = contract.promises();
        line("");
        line("## " + title(contract));
        line(sentence(contract.purpose()) + ". Written by: " + contract.writer() + "."
                + (contract.cloudEvents() ? " CloudEvents in binary mode." : ""));
        line("");
        line("| | |");
        line("|---|---|");
        row("key", contract.key());
        row("order", promises.order());
        row("repetition", promises.repetition());
        row("identity", promises.identity());
        row("without a value", promises.removal());
        row("may be added", promises.changes());
        row("partitions", storage.partitions().words());
        row(
                "`cleanup.policy`",
                storage.partitions() == TopicStorage.Partitions.OF_ITS_MAKER
                        ? "chosen at its creation"
                        : storage.cleanup().setting()
                                + (contract.storageFault() == null ? "" : "; " + contract.storageFault()));
        row("retention", retention(storage));
        row("largest record", storage.records().words());
        if (!storage.more().isEmpty()) {
            row("created with", created(storage));
        }
        line("");
        if (contract.equals(TopicCatalogue.REPLAY)) {
            line("Values and headers are the same as in [history](#history).");
            return;
        }
        line("| value of | schema | |");
        line("|---|---|---|");
        for (var form : contract.values()) {
            line("| " + form.which() + " | "
                    + (form.schema() == null ? "none" : "[" + form.schema() + "](" + SCHEMAS + form.schema() + ")")
                    + " | " + form.meaning() + " |");
        }
        headers(contract);
        for (var shown : SHOWN) {
            if (shown.contract().equals(contract)) {
                example(shown);
            }
        }
    }

    private static String retention(TopicStorage storage) {
        if (storage.retention() != null) {
            return days(storage.retention());
        }
        return storage.cleanup() == TopicStorage.Cleanup.COMPACT
                ? "the last record of each key, for ever"
                : "the broker's `retention.ms`";
    }

    private static String created(TopicStorage storage) {
        return new TreeMap<>(storage.more())
                .entrySet().stream()
                        .map(setting -> "`" + setting.getKey() + "=" + setting.getValue() + "`")
                        .collect(Collectors.joining(", "));
    }

    private static String days(Duration duration) {
        return duration.toDays() > 0 ? duration.toDays() + " days" : duration.toHours() + " h";
    }

    private void headers(TopicContract contract) {
        line("");
        if (contract.headers().isEmpty()) {
            line("No headers.");
            return;
        }
        if (contract.equals(TopicCatalogue.DEAD_LETTERS)) {
            line(
                    "Dead letters of commands keep the command's own headers, unless `sluice-headers-bytes` says otherwise; a `sluice-…` header of an earlier end is replaced.");
            line("");
        }
        line("| header | | there | |");
        line("|---|---|---|---|");
        for (var header : contract.headers()) {
            line("| `" + header.name() + "` | " + header.form().words() + " | "
                    + (header.isAlwaysThere() ? "always" : header.when()) + " | " + header.meaning() + " |");
        }
    }

    private void example(Shown shown) throws IOException {
        var message = Optional.ofNullable(examples.get(shown.contract())).orElseThrow().stream()
                .filter(each -> shown.which().test(seen(each)))
                .findFirst()
                .orElseThrow();
        var seen = seen(message);
        line("");
        line(shown.title() + ":");
        line("");
        line("```");
        line("key     " + seen.key());
        seen.headers().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing((String name) -> !name.startsWith("ce_"))
                        .thenComparing(Comparator.naturalOrder())))
                .forEach(header -> line("header  " + header.getKey() + ": " + header.getValue()));
        line("value   " + (message.value() == null ? "none" : shownValue(message.value())));
        line("```");
    }

    private static Seen seen(ProducerRecord<byte[], byte[]> message) {
        var headers = Arrays.stream(message.headers().toArray())
                .collect(Collectors.toMap(header -> header.key(), header -> new String(header.value(), UTF_8)));
        return new Seen(
                message.key() == null ? "none" : new String(message.key(), UTF_8), headers, json(message.value()));
    }

    private static @Nullable JsonNode json(byte @Nullable [] value) {
        try {
            return value == null ? null : Schemas.JSON.readTree(value);
        } catch (IOException e) {
            return null;
        }
    }

    /** Indented for reading; the bytes have no white space. */
    private static String shownValue(byte[] value) throws JsonProcessingException {
        var json = json(value);
        return json == null
                ? new String(value, UTF_8)
                : Schemas.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }

    private void row(String name, String says) {
        line("| " + name + " | " + says + " |");
    }

    private static String shortName(TopicContract contract) {
        return contract.suffix() == null ? "replies" : "`<prefix>" + contract.suffix() + "`";
    }

    private static String title(TopicContract contract) {
        return contract.suffix() == null ? "replies" : contract.suffix().substring(1);
    }

    private static String anchor(TopicContract contract) {
        return title(contract).replace(".", "");
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
