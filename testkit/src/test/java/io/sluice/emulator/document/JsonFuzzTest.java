package io.sluice.emulator.document;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.emulator.store.key.PartitionKeyDefinition;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Documents and partition keys of clients: each is read and written the same again, or refused. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonFuzzTest {
    private static final List<String> DOCUMENTS = List.of(
            "{\"id\":\"b\",\"pk\":\"a\",\"n\":[1,{\"x\":null},-0.0,1e300,9223372036854775807,18446744073709551616],\"ttl\":5}",
            "{\"id\":\"\\ud83d\\ude00\",\"text\":\"\u00e9\\u0000\\\"\\\\/\",\"o\":{\"\":{\"a\":[[],{}]},\"t\":true}}");

    @Test
    void a_damaged_document_is_refused_or_kept() {
        Fuzz.of("documents in UTF-8", DOCUMENTS)
                .refusedBy(StatusException.class)
                .runs(4_000)
                .rewritten(text -> new String(Json.bytes(Json.readObject(text.getBytes(UTF_8))), UTF_8));
        Fuzz.of("documents in other bytes", DOCUMENTS.subList(0, 1))
                .refusedBy(StatusException.class)
                .read(text -> Json.bytes(Json.readObject(text.getBytes(ISO_8859_1))));
    }

    @Test
    void a_damaged_partition_key_is_refused_or_hashed() {
        var hash = PartitionKeyDefinition.parse(Json.readObject("{\"paths\":[\"/a\"],\"version\":2}".getBytes(UTF_8)));
        Fuzz.of(
                        "partition keys",
                        List.of("[\"a\"]", "[{}]", "[-1.5e3]", "[null]", "[true]", "[\"\u00e9\\ud83d\\ude00\"]"))
                .refusedBy(StatusException.class)
                .read(text -> {
                    var key = PartitionKey.parse(text);
                    hash.check(key);
                    EffectivePartitionKey.of(hash, key);
                });
    }
}
