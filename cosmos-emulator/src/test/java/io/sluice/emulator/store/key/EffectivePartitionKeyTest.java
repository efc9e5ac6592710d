package io.sluice.emulator.store.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.implementation.routing.PartitionKeyInternal;
import com.azure.cosmos.implementation.routing.PartitionKeyInternalHelper;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compared with the SDK's own hashing, key by key. */
class EffectivePartitionKeyTest {
    private static final PartitionKeyDefinition VERSION_1 =
            new PartitionKeyDefinition(List.of(List.of("pk")), false, 1);
    private static final PartitionKeyDefinition VERSION_2 =
            new PartitionKeyDefinition(List.of(List.of("pk")), false, 2);
    private static final PartitionKeyDefinition HIERARCHICAL =
            new PartitionKeyDefinition(List.of(List.of("a"), List.of("b"), List.of("c")), true, 2);

    static Stream<String> keys() {
        var lengths = Stream.of(1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 99, 100, 101, 255, 2000)
                .map(length -> "[\"" + "x".repeat(length) + "\"]");
        var letters = Stream.of(
                "[\"\"]",
                "[\"order-1\"]",
                "[\"größe\"]",
                "[\"注文\"]",
                "[\"😀 smile\"]",
                "[\"" + "ü".repeat(70) + "\"]",
                "[\"tab\\tand \\\"quote\\\"\"]",
                "[\"00000000-0000-0000-0000-000000000000\"]");
        var others = Stream.of(
                "[0]",
                "[1]",
                "[-1]",
                "[1.5]",
                "[-0.25]",
                "[1e300]",
                "[9007199254740993]",
                "[true]",
                "[false]",
                "[null]",
                "[{}]");
        return Stream.of(lengths, letters, others).flatMap(stream -> stream);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void version_2_places_a_key_where_the_sdk_does(String key) {
        assertThat(EffectivePartitionKey.of(VERSION_2, PartitionKey.parse(key)))
                .isEqualTo(bySdk(key, PartitionKind.HASH, PartitionKeyDefinitionVersion.V2, "/pk"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void version_1_places_a_key_where_the_sdk_does(String key) {
        assertThat(EffectivePartitionKey.of(VERSION_1, PartitionKey.parse(key)))
                .isEqualTo(bySdk(key, PartitionKind.HASH, PartitionKeyDefinitionVersion.V1, "/pk"));
    }

    @Test
    void a_hierarchical_key_is_placed_where_the_sdk_does() {
        var key = "[\"tenant\",7,null]";

        assertThat(EffectivePartitionKey.of(HIERARCHICAL, PartitionKey.parse(key)))
                .isEqualTo(bySdk(key, PartitionKind.MULTI_HASH, PartitionKeyDefinitionVersion.V2, "/a", "/b", "/c"));
    }

    @ParameterizedTest
    @MethodSource("partitionCounts")
    void ranges_cover_the_key_space_without_gaps_and_share_it_evenly(int count) {
        var ranges = EpkRange.split(VERSION_2, count);

        assertThat(ranges).hasSize(count);
        assertThat(ranges.get(0).min()).isEmpty();
        assertThat(ranges.get(count - 1).max()).isEqualTo("FF");
        for (int i = 1; i < count; i++) {
            assertThat(ranges.get(i).min())
                    .isEqualTo(ranges.get(i - 1).max())
                    .isGreaterThan(ranges.get(i - 1).min());
        }
        var counts = Stream.iterate(0, i -> i + 1)
                .limit(2000L * count)
                .map(i -> EffectivePartitionKey.of(VERSION_2, PartitionKey.parse("[\"instance-" + i + "\"]")))
                .collect(Collectors.groupingBy(
                        epk -> ranges.stream()
                                .filter(range -> range.contains(epk))
                                .toList(),
                        Collectors.counting()));
        assertThat(counts.values())
                .hasSize(count)
                .allSatisfy(share -> assertThat(share).isBetween(1700L, 2300L));
    }

    static Stream<Integer> partitionCounts() {
        return Stream.of(1, 2, 3, 4, 7, 16);
    }

    @Test
    void four_partitions_begin_at_quarters_of_the_hash() {
        assertThat(EpkRange.split(VERSION_2, 4).get(1).min()).isEqualTo("10000000000000000000000000000000");
        assertThat(EpkRange.split(VERSION_2, 4).get(3).min()).isEqualTo("30000000000000000000000000000000");
    }

    @Test
    void version_1_ranges_share_the_keys_too() {
        var ranges = EpkRange.split(VERSION_1, 4);

        var counts = Stream.iterate(0, i -> i + 1)
                .limit(4000)
                .map(i -> EffectivePartitionKey.of(VERSION_1, PartitionKey.parse("[\"instance-" + i + "\"]")))
                .collect(Collectors.groupingBy(
                        epk -> ranges.stream()
                                .filter(range -> range.contains(epk))
                                .toList(),
                        Collectors.counting()));
        assertThat(counts.values())
                .hasSize(4)
                .allSatisfy(share -> assertThat(share).isBetween(850L, 1150L));
    }

    private static String bySdk(
            String key, PartitionKind kind, PartitionKeyDefinitionVersion version, String... paths) {
        var definition = new com.azure.cosmos.models.PartitionKeyDefinition()
                .setPaths(List.of(paths))
                .setKind(kind)
                .setVersion(version);
        return PartitionKeyInternalHelper.getEffectivePartitionKeyString(
                PartitionKeyInternal.fromJsonString(key), definition);
    }
}
