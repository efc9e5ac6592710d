package io.sluice.emulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.emulator.RawConnection;
import io.sluice.emulator.RawRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requests of one row, in turn, and what they keep of their answers for those behind them. */
final class WireDialogue {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::(\\d+))?}");
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final int FIRST_FAILURE = 400;
    /** An account takes no request without. */
    private static final String VERSION = "2020-07-15";

    private final Store store;
    private final String id;
    private final Map<String, String> variables = new HashMap<>();

    /** For a store, with an id that no other row has. */
    WireDialogue(Store store, String id) {
        this.store = store;
        this.id = id;
        variables.put("id", id);
        variables.put("db", "dbs/" + store.database());
        variables.put("items", "dbs/" + store.database() + "/colls/items");
    }

    /** A step that must succeed. */
    void prepare(WireTable.Step step) throws IOException {
        if (step instanceof WireTable.Fault fault) {
            store.emulator()
                    .orElseThrow()
                    .faults()
                    .refuse(request -> request.path().contains(id), 1, fault.status(), fault.subStatus());
        } else if (step instanceof WireTable.Call call) {
            var answer = ask(call);
            assertThat(answer.status()).as("%s: %s", call, answer).isLessThan(FIRST_FAILURE);
            call.kept().forEach((name, place) -> variables.put(name, found(answer, place)));
        }
    }

    /** Sends a request on a connection of its own. */
    RawConnection.Answer ask(WireTable.Call call) throws IOException {
        var endpoint = URI.create(endpoint(call.region()));
        var headers = new LinkedHashMap<String, String>();
        headers.put("x-ms-version", VERSION);
        call.headers().forEach((name, value) -> headers.put(name, filled(value)));
        var request = RawRequest.of(call.method(), filled(call.path()), headers, filled(call.body()));
        try (var connection = new RawConnection(endpoint)) {
            var answer =
                    connection.send(request.bytes(store.key(), endpoint.getRawAuthority(), DATE.format(Instant.now())));
            if (answer == null) {
                throw new AssertionError("no answer to " + call);
            }
            return answer;
        }
    }

    /** Compares an answer with the expected one. */
    void check(WireTable.Row row, RawConnection.Answer answer) {
        var told = "%s, by %s; was %s".formatted(row, row.source(), answer);
        assertThat(answer.status()).as(told).isEqualTo(row.expected().status());
        if (row.expected().subStatus() != 0) {
            assertThat(answer.headers())
                    .as(told)
                    .containsEntry(
                            "x-ms-substatus", Integer.toString(row.expected().subStatus()));
        } else if (store.isOurs()) {
            assertThat(answer.headers()).as(told).doesNotContainKey("x-ms-substatus");
        }
        row.expected()
                .headers()
                .forEach((name, wanted) -> check(
                        told + ": header " + name, wanted, answer.headers().get(name.toLowerCase(Locale.ROOT))));
        row.expected().body().forEach((place, wanted) -> {
            var value = json(answer).at(place);
            check(told + ": " + place, wanted, value.isMissingNode() ? null : text(value));
        });
        if (store.isOurs() && answer.status() >= FIRST_FAILURE) {
            assertThat(json(answer).path("code").asText()).as(told).isNotEmpty();
            assertThat(json(answer).path("message").asText())
                    .as(told)
                    .contains("ActivityId: ")
                    .doesNotContain("Exception");
        }
    }

    private void check(String told, JsonNode wanted, @Nullable String actual) {
        if (wanted.isNull()) {
            assertThat(actual).as(told).isNull();
        } else if (wanted.asText().startsWith("~")) {
            assertThat(actual).as(told).containsPattern(wanted.asText().substring(1));
        } else {
            assertThat(actual).as(told).isEqualTo(filled(wanted.asText()));
        }
    }

    private String endpoint(String region) {
        return region.isEmpty()
                ? store.endpoint()
                : store.emulator().orElseThrow().topology().endpoint(region);
    }

    private static String found(RawConnection.Answer answer, String place) {
        var value = place.startsWith("/")
                ? text(json(answer).at(place))
                : answer.headers().getOrDefault(place, "");
        assertThat(value).as("%s of %s", place, answer).isNotEmpty();
        return value;
    }

    private static String text(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }

    private static JsonNode json(RawConnection.Answer answer) {
        try {
            return JSON.readTree(answer.text());
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + answer, e);
        }
    }

    /** With its variables; {@code ${x:100}} is a hundred times that letter. */
    private String filled(String text) {
        return VARIABLE.matcher(text).replaceAll(found -> {
            var times = found.group(2);
            var value = times == null
                    ? variables.get(found.group(1))
                    : found.group(1).repeat(Integer.parseInt(times));
            assertThat(value).as("the variable %s of %s", found.group(), text).isNotNull();
            return Matcher.quoteReplacement(value);
        });
    }
}
