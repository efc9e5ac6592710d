package io.sluice.relay.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.implementation.routing.PartitionKeyInternal;
import com.azure.cosmos.implementation.routing.PartitionKeyInternalHelper;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import io.sluice.relay.feed.KeyRange;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public class StorePartitionsTest {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /** Where an instance lies, for tests of other packages. */
    public static String place(String instance) {
        return StorePartitions.place(instance);
    }

    /** The name of a range, for tests of other packages. */
    public static String name(String min, String max) {
        return new KeyRange(min, max).name();
    }

    static Stream<String> instances() {
        var lengths = IntStream.rangeClosed(0, 40).mapToObj("x"::repeat);
        var letters = Stream.of("order-1", "größe", "注文", "😀 smile", "tab\tand \"quote\"", "ü".repeat(255));
        return Stream.concat(lengths, letters);
    }

    @ParameterizedTest
    @MethodSource("instances")
    void an_instance_lies_where_the_sdk_routes_it(String instance) {
        var definition = new PartitionKeyDefinition()
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2)
                .setPaths(List.of("/instanceId"));

        assertThat(StorePartitions.place(instance))
                .isEqualTo(PartitionKeyInternalHelper.getEffectivePartitionKeyString(
                        PartitionKeyInternal.fromObjectArray(List.of(instance), true), definition));
    }

    @Test
    void the_partition_of_an_instance_is_the_range_that_has_its_place() {
        try (var partitions = new StorePartitions(() -> KeyRange.cut(16), DRAIN)) {
            assertThat(partitions.of("order-1")).as("before it was read").isEqualTo(new KeyRange("", "FF"));
            partitions.start();
            await().until(() -> partitions.count() == 16);

            for (int i = 0; i < 1_000; i++) {
                var place = StorePartitions.place("order-" + i);
                var range = partitions.of("order-" + i);
                assertThat(range.min()).isLessThanOrEqualTo(place);
                assertThat(range.max()).isGreaterThan(place);
            }
        }
    }
}
