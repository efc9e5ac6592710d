package io.sluice.accountkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.emulator.CosmosEmulator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** One call of the program, and what it printed and wrote. */
record KitRun(int code, String out, String err, Path markdownFile, Path jsonFile) {
    /** Of the account that an emulator is; the person's answer is what standard input has. */
    static KitRun of(CosmosEmulator emulator, Path folder, Map<String, String> further, String answer, String... args) {
        Map<String, String> environment = new HashMap<>(settings(emulator));
        environment.putAll(further);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Path markdown = folder.resolve("table.md");
        Path json = folder.resolve("table.json");
        String[] all = Stream.concat(
                        Arrays.stream(args), Stream.of("--markdown", markdown.toString(), "--json", json.toString()))
                .toArray(String[]::new);
        int code = Main.commandLine(environment, new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all);
        return new KitRun(code, out.toString(), err.toString(), markdown, json);
    }

    /** That is begun without a question. */
    static KitRun begun(CosmosEmulator emulator, Path folder, String... args) {
        return of(
                emulator,
                folder,
                Map.of(),
                "",
                Stream.concat(Stream.of("--yes"), Arrays.stream(args)).toArray(String[]::new));
    }

    static Map<String, String> settings(CosmosEmulator emulator) {
        return Map.of("COSMOS_ENDPOINT", emulator.endpoint(), "COSMOS_KEY", emulator.key());
    }

    /** The outcome of each assumption by its name, in order. */
    Map<String, String> outcomes() throws IOException {
        Map<String, String> outcomes = new LinkedHashMap<>();
        for (JsonNode row : new ObjectMapper().readTree(json()).path("findings")) {
            outcomes.put(row.path("assumption").asText(), row.path("outcome").asText());
        }
        return outcomes;
    }

    String markdown() throws IOException {
        return Files.readString(markdownFile);
    }

    String json() throws IOException {
        return Files.readString(jsonFile);
    }
}
