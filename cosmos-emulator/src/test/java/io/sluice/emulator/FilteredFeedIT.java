package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The feed of a part of a physical partition: the service reads the whole partition's, charges for what it reads, and
 * may end a page before it finds anything. See Azure/azure-cosmos-dotnet-v3#3017 and linkedin/ambry#1461.
 */
class FilteredFeedIT {
    private static final int KB = 1024;
    /** What a page may differ by because it rounds to whole KB, and because its own documents have a number more. */
    private static final double ROUNDING = 4;

    @RegisterExtension
    static final RunningEmulator EMULATOR = new RunningEmulator(
            EmulatorConfig.inMemory().withPhysicalPartitions(1).withContinuousBackup(true));

    private CosmosContainer container;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void each_part_is_charged_for_the_whole_partition(int parts) {
        write(64, KB);
        double whole = chargeOf(fromBeginning(FeedRange.forFullRange()));

        var items = new ArrayList<JsonNode>();
        for (var part : FeedRanges.cut(parts)) {
            items.addAll(read(fromBeginning(part)));
            assertThat(chargeOf(fromBeginning(part))).isCloseTo(whole, within(ROUNDING));
        }

        assertThat(whole).isGreaterThan(64);
        assertThat(ids(items)).hasSize(64).doesNotHaveDuplicates();
    }

    @Test
    void one_partition_key_is_charged_for_all_others_and_afterwards_for_what_is_new() {
        write(64, KB);
        var key = FeedRange.forLogicalPartition(new PartitionKey("key-0"));
        double whole = chargeOf(fromBeginning(FeedRange.forFullRange()));

        var pages = pages(fromBeginning(key));
        write(64, 8, KB);
        var later = pages(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                pages.get(pages.size() - 1).getContinuationToken()));

        assertThat(charge(pages)).isCloseTo(whole, within(ROUNDING));
        assertThat(charge(later)).isCloseTo(8 * itemKb(KB), within(ROUNDING));
        assertThat(later).flatExtracting(FeedResponse::getResults).isEmpty();
    }

    @Test
    void the_parts_of_a_continuation_are_each_charged_for_what_merged() {
        var id = container.getId();
        var partitions = EMULATOR.emulator().partitions();
        var children = partitions.split("tests", id, "0");
        var start = pages(fromBeginning(FeedRange.forFullRange()));
        partitions.merge("tests", id, children.get(0).id(), children.get(1).id());
        write(32, KB);

        double both = chargeOf(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                start.get(start.size() - 1).getContinuationToken()));

        assertThat(both).isCloseTo(2 * chargeOf(fromBeginning(FeedRange.forFullRange())), within(2 * ROUNDING));
    }

    @Test
    void all_versions_of_a_part_are_charged_like_those_of_the_partition() {
        var parts = FeedRanges.cut(2);
        var starts = parts.stream().map(this::allVersionsFromNow).toList();
        var start = allVersionsFromNow(FeedRange.forFullRange());
        write(40, KB);
        double whole = chargeOf(allVersions(start));

        var charges = starts.stream()
                .map(FilteredFeedIT::allVersions)
                .map(this::chargeOf)
                .toList();

        assertThat(whole).isGreaterThan(40);
        assertThat(charges).allSatisfy(charge -> assertThat(charge).isCloseTo(whole, within(2 * ROUNDING)));
    }

    @Test
    void the_log_counts_what_a_page_was_chosen_from() {
        write(30, KB);
        var log = EMULATOR.emulator().requests();
        log.clear();

        read(fromBeginning(FeedRange.forLogicalPartition(new PartitionKey("key-0"))));

        assertThat(log.all())
                .filteredOn(request -> request.itemCount() > 0)
                .singleElement()
                .returns(1, LoggedRequest::itemCount)
                .returns(30L, LoggedRequest::itemsRead);
    }

    @Test
    void a_page_ends_without_items_once_enough_was_read_for_it() throws IOException {
        int bytes = 1_900 * KB;
        write(0, 7, bytes);
        container.createItem(item("wanted", "last"));

        var first = page("wanted", null, 100);
        var second = page("wanted", first.headers().get("etag"), 100);
        var third = page("wanted", second.headers().get("etag"), 100);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.headers()).containsEntry("x-ms-item-count", "0");
        assertThat(first.text()).contains("\"_count\":0");
        assertThat(Double.parseDouble(Objects.requireNonNull(first.headers().get("x-ms-request-charge"))))
                .as("10 MB, and the item that is read last")
                .isBetween(10_000.0, 12_000.0);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.text()).contains("\"last\"");
        assertThat(third.status()).isEqualTo(304);
        assertThat(third.headers()).containsEntry("x-ms-request-charge", "1.0");
    }

    @Test
    void the_sdk_shows_such_a_page_and_reads_on() {
        write(0, 7, 1_900 * KB);
        container.createItem(item("wanted", "last"));

        var pages = pages(fromBeginning(FeedRange.forLogicalPartition(new PartitionKey("wanted"))));

        assertThat(pages.get(0).getResults()).isEmpty();
        assertThat(pages).flatExtracting(FeedResponse::getResults).hasSize(1);
    }

    @Test
    void a_whole_partition_has_no_such_page() {
        write(0, 7, 1_900 * KB);

        var pages = pages(fromBeginning(FeedRange.forFullRange()));

        assertThat(pages)
                .filteredOn(page -> !page.getResults().isEmpty())
                .as("three items exceed 4 MB")
                .hasSize(3);
        assertThat(pages.get(0).getResults()).hasSize(3);
    }

    private void write(int count, int bytes) {
        write(0, count, bytes);
    }

    private void write(int from, int count, int bytes) {
        var text = "x".repeat(bytes);
        IntStream.range(from, from + count)
                .forEach(i -> container.createItem(item("key-" + i, "" + i).put("text", text)));
    }

    /** An item's size in KB, its system properties included. */
    private static double itemKb(int bytes) {
        return (bytes + 250) / (double) KB;
    }

    private static CosmosChangeFeedRequestOptions fromBeginning(FeedRange range) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range);
    }

    private String allVersionsFromNow(FeedRange range) {
        var now = pages(
                CosmosChangeFeedRequestOptions.createForProcessingFromNow(range).allVersionsAndDeletes());
        return now.get(now.size() - 1).getContinuationToken();
    }

    private static CosmosChangeFeedRequestOptions allVersions(String continuation) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation)
                .allVersionsAndDeletes();
    }

    private List<FeedResponse<JsonNode>> pages(CosmosChangeFeedRequestOptions options) {
        var pages = new ArrayList<FeedResponse<JsonNode>>();
        container.queryChangeFeed(options, JsonNode.class).iterableByPage().forEach(pages::add);
        return pages;
    }

    private List<JsonNode> read(CosmosChangeFeedRequestOptions options) {
        return pages(options).stream()
                .flatMap(page -> page.getResults().stream())
                .toList();
    }

    private double chargeOf(CosmosChangeFeedRequestOptions options) {
        return charge(pages(options));
    }

    private static double charge(List<FeedResponse<JsonNode>> pages) {
        return pages.stream().mapToDouble(FeedResponse::getRequestCharge).sum();
    }

    private RawConnection.Answer page(String key, @Nullable String etag, int maxItems) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-ms-documentdb-partitionkey", "[\"" + key + "\"]");
        headers.put("A-IM", "Incremental Feed");
        headers.put("x-ms-max-item-count", Integer.toString(maxItems));
        if (etag != null) {
            headers.put("If-None-Match", etag);
        }
        var emulator = EMULATOR.emulator();
        var request = RawRequest.of("GET", "dbs/tests/colls/" + container.getId() + "/docs", headers, "");
        try (var connection = new RawConnection(URI.create(emulator.endpoint()))) {
            return Objects.requireNonNull(connection.send(request.bytes(emulator.key())));
        }
    }
}
