package io.sluice.provider.announcement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a later version says by the fields of this one, it says "check this instance". */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LaterAnnouncementTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> KNOWN = List.of("horizon", "documents", "token");
    private static final List<String> OF_DOCUMENTS =
            List.of("id", "kind", "visibleAt", "attemptCount", "etag", "tag", "orchestration", "more");
    private static final int MOST_DEPTH = 3;

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatever_it_holds_it_says_look(long seed) {
        Random random = new Random(seed);
        String instanceId = instanceId(random);
        String json = later(random, instanceId);

        Announcement read = Announcement.fromJson(json.getBytes(StandardCharsets.UTF_8));

        assertThat(read.isCheck()).as(json).isTrue();
        assertThat(read.instanceId()).as(json).isEqualTo(instanceId);
        assertThat(read.horizon()).as(json).isZero();
        assertThat(read.token()).as(json).isNull();
    }

    @Test
    void it_may_be_deeper_than_any_of_this_version() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);

        assertThat(Announcement.fromJson(bytes("{\"more\":" + deep + ",\"version\":2,\"instanceId\":\"a\"}")))
                .isEqualTo(new Announcement(2, "a", 0, List.of(), null));
    }

    @Test
    void its_numbers_may_be_longer_than_any_of_this_version() {
        assertThat(Announcement.fromJson(
                        bytes("{\"version\":2,\"instanceId\":\"a\",\"horizon\":" + "9".repeat(5_000) + "}")))
                .isEqualTo(new Announcement(2, "a", 0, List.of(), null));
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String instanceId(Random random) {
        return random.nextBoolean() ? "order-" + random.nextInt(100) : "ö".repeat(1 + random.nextInt(1_023));
    }

    /** Its fields in any order. */
    private static String later(Random random, String instanceId) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        fields.put("version", JSON.numberNode(2 + random.nextInt(Integer.MAX_VALUE - 2)));
        fields.put("instanceId", JSON.textNode(instanceId));
        for (String known : KNOWN) {
            if (random.nextBoolean()) {
                fields.put(known, value(random, 0));
            }
        }
        fields.put("more", value(random, 0));
        List<String> names = new ArrayList<>(fields.keySet());
        Collections.shuffle(names, random);
        ObjectNode json = JSON.objectNode();
        names.forEach(name -> json.set(name, fields.get(name)));
        return json.toString();
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth < MOST_DEPTH ? 9 : 7)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(random.nextBoolean());
            case 2 -> JSON.numberNode(random.nextLong());
            case 3 -> JSON.numberNode(random.nextDouble());
            case 4 -> JSON.numberNode(new BigInteger(100, random));
            case 5 -> JSON.textNode("");
            case 6 -> JSON.textNode("x\"é".repeat(random.nextInt(2_000)));
            case 7 -> array(random, depth);
            default -> object(random, depth);
        };
    }

    private static ArrayNode array(Random random, int depth) {
        ArrayNode array = JSON.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(value(random, depth + 1));
        }
        return array;
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = JSON.objectNode();
        for (String field : OF_DOCUMENTS) {
            if (random.nextBoolean()) {
                object.set(field, value(random, depth + 1));
            }
        }
        return object;
    }
}
