package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContainerDifferencesTest {
    private final CosmosContainerProperties container = ContainerDefinition.of("duroxide");

    @Test
    void what_we_create_has_none() {
        assertThat(ContainerDifferences.of(container)).isEmpty();
    }

    @Test
    void expiry_that_is_off_is_named_with_the_change_to_make() {
        container.setDefaultTimeToLiveInSeconds(null);

        assertThat(ContainerDifferences.of(container))
                .singleElement()
                .asString()
                .contains("defaultTtl", "-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/type/?", "/visibleAt/?", "/lockToken/?", "/parentInstanceId/?"})
    void each_path_that_is_not_indexed_is_named(String path) {
        policy().setIncludedPaths(without(ContainerDefinition.INCLUDED, path)
                .map(IncludedPath::new)
                .toList());

        assertThat(ContainerDifferences.of(container))
                .singleElement()
                .asString()
                .contains(path, "includedPaths");
    }

    @Test
    void a_path_covered_by_a_wider_one_is_no_difference() {
        List<IncludedPath> paths = new ArrayList<>(without(ContainerDefinition.INCLUDED, "/type/?")
                .map(IncludedPath::new)
                .toList());
        paths.add(new IncludedPath("/type/*"));
        policy().setIncludedPaths(paths);

        assertThat(ContainerDifferences.of(container)).isEmpty();
    }

    @Test
    void the_default_policy_of_a_container_made_by_hand_is_told_path_by_path() {
        container.setIndexingPolicy(new IndexingPolicy()
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/\"_etag\"/?"))));

        assertThat(ContainerDifferences.of(container))
                .hasSize(ContainerDefinition.EXCLUDED.size() + ContainerDefinition.COMPOSITE.size())
                .anyMatch(text -> text.contains("/eventData/*"))
                .anyMatch(text -> text.contains("/workItem/*"))
                .anyMatch(text -> text.contains("[/type, /status]"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LAZY", "NONE"})
    void an_index_that_is_not_kept_up_is_named(IndexingMode mode) {
        container.setIndexingPolicy(new IndexingPolicy().setIndexingMode(mode).setAutomatic(mode != IndexingMode.NONE));

        assertThat(ContainerDifferences.of(container).get(0)).contains("indexing mode", "consistent");
    }

    @Test
    void indexing_by_hand_is_named() {
        policy().setAutomatic(false);

        assertThat(ContainerDifferences.of(container))
                .singleElement()
                .asString()
                .contains("automatic");
    }

    @Test
    void short_partition_keys_are_named() {
        PartitionKeyDefinition key = new PartitionKeyDefinition()
                .setPaths(List.of("/instanceId"))
                .setVersion(PartitionKeyDefinitionVersion.V1);
        var made = new CosmosContainerProperties("duroxide", key)
                .setIndexingPolicy(policy())
                .setDefaultTimeToLiveInSeconds(-1);

        assertThat(ContainerDifferences.of(made)).singleElement().asString().contains("version 1");
    }

    private IndexingPolicy policy() {
        return container.getIndexingPolicy();
    }

    private static Stream<String> without(List<String> paths, String path) {
        return paths.stream().filter(other -> !other.equals(path));
    }
}
