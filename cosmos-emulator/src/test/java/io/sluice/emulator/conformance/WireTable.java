package io.sluice.emulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables {@code conformance/headers.json} and {@code conformance/errors.json}: requests on the wire, and what is
 * answered.
 */
final class WireTable {
    static final WireTable HEADERS = new WireTable("headers");
    static final WireTable ERRORS = new WireTable("errors");

    private final String file;
    private final JsonNode table;

    private WireTable(String file) {
        this.file = file;
        try (InputStream in = WireTable.class.getResourceAsStream("/conformance/" + file + ".json")) {
            table = new ObjectMapper().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One request and its answer.
     *
     * @param table it stands in
     * @param name the header, or the status and sub-status, it is about
     * @param says what it shows, in words
     * @param source the page that says so, or a constant of the Java SDK where none does
     * @param exceptions who is not asked and why: {@code account}
     * @param setup what happens before, in order
     */
    record Row(
            String table,
            String name,
            String says,
            String source,
            Map<String, String> exceptions,
            List<Step> setup,
            Call request,
            Answer expected) {
        @Override
        public String toString() {
            return table + ": " + name + ", " + says;
        }
    }

    /** What happens before the request of a row. */
    sealed interface Step permits Call, Fault {}

    /**
     * A signed request. Path, headers and body may hold variables: {@code ${name}}.
     *
     * @param region it is sent to, empty for the one that takes writes
     * @param kept variables it sets, each to a header of the answer or, with a slash before it, to a place in the body
     */
    record Call(
            String method,
            String path,
            Map<String, String> headers,
            String body,
            String region,
            Map<String, String> kept)
            implements Step {}

    /** The row's next request is refused. */
    record Fault(int status, int subStatus) implements Step {}

    /**
     * The expected answer.
     *
     * @param subStatus 0 for none
     * @param headers and {@code body}, by name and by JSON pointer: a value, a pattern that is found in it after
     *     {@code ~}, null for nothing
     */
    record Answer(int status, int subStatus, Map<String, JsonNode> headers, Map<String, JsonNode> body) {}

    List<Row> rows() {
        var rows = new ArrayList<Row>();
        table.path("rows").forEach(row -> rows.add(row(row)));
        return rows;
    }

    /** What the pages of the service list: names of headers, or statuses. */
    Set<String> documented() {
        var documented = new TreeSet<String>();
        for (var page : table.path("documented")) {
            page.path("names").forEach(name -> documented.add(name.asText()));
        }
        return documented;
    }

    private Row row(JsonNode row) {
        var setup = new ArrayList<Step>();
        row.path("setup").forEach(step -> setup.add(step(step)));
        var expect = row.path("expect");
        return new Row(
                file,
                row.path("name").asText(),
                row.path("says").asText(),
                row.path("source").asText(),
                texts(row.path("except")),
                setup,
                call(row.path("request")),
                new Answer(
                        expect.path("status").asInt(),
                        expect.path("substatus").asInt(),
                        nodes(expect.path("headers")),
                        nodes(expect.path("body"))));
    }

    private static Step step(JsonNode step) {
        var fault = step.path("fault");
        return fault.isMissingNode()
                ? call(step)
                : new Fault(
                        fault.path("status").asInt(), fault.path("substatus").asInt());
    }

    private static Call call(JsonNode call) {
        var body = call.path("body");
        return new Call(
                call.path("method").asText(),
                call.path("path").asText(),
                texts(call.path("headers")),
                body.isValueNode() || body.isMissingNode() ? body.asText() : body.toString(),
                call.path("region").asText(),
                texts(call.path("keep")));
    }

    private static Map<String, String> texts(JsonNode object) {
        var texts = new LinkedHashMap<String, String>();
        object.properties()
                .forEach(one -> texts.put(one.getKey(), one.getValue().asText()));
        return texts;
    }

    private static Map<String, JsonNode> nodes(JsonNode object) {
        var nodes = new LinkedHashMap<String, JsonNode>();
        object.properties().forEach(one -> nodes.put(one.getKey(), one.getValue()));
        return nodes;
    }
}
