package io.sluice.emulator.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestUnitsTest {
    private static final int KB = 1024;

    /**
     * Sizes, reads and writes as in "Understand request unit consumption" and "Optimize request cost" on
     * learn.microsoft.com.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 1.00, 4.95",
        "2, 1.04, 6.29",
        "4, 1.14, 6.67",
        "8, 1.33, 7.04",
        "16, 1.67, 9.52",
        "32, 2.19, 11.23",
        "64, 4.76, 22.67",
        "100, 10, 50",
        "128, 9.95, 48.19",
        "256, 20.28, 98.29",
        "512, 40.95, 184.57",
        "1024, 145.90, 625.00",
        "2048, 291.80, 1250.00"
    })
    void point_operations_are_within_a_twentieth_of_every_published_figure(int kilobytes, double read, double write) {
        var tolerance = Percentage.withPercentage(5);
        assertThat(RequestUnits.pointRead((long) kilobytes * KB)).isCloseTo(read, tolerance);
        assertThat(RequestUnits.insert((long) kilobytes * KB)).isCloseTo(write, tolerance);
        assertThat(RequestUnits.delete((long) kilobytes * KB)).isCloseTo(write, tolerance);
    }

    @Test
    void between_two_published_sizes_a_charge_grows_evenly() {
        assertThat(RequestUnits.pointRead(0)).isEqualTo(1);
        assertThat(RequestUnits.pointRead(6 * KB)).isCloseTo((1.14 + 1.33) / 2, within(0.01));
        assertThat(RequestUnits.insert(3 * KB)).isCloseTo((6.29 + 6.67) / 2, within(0.01));
        assertThat(RequestUnits.insert(3 * 1024 * KB)).isGreaterThan(1250);
    }

    @Test
    void a_replacement_costs_two_insertions() {
        assertThat(RequestUnits.replace(KB)).isEqualTo(9.9);
    }

    @Test
    void a_query_costs_by_documents_and_bytes() {
        assertThat(RequestUnits.query(0, 0, 0, 0)).isEqualTo(2.8);
        assertThat(RequestUnits.query(10, 10240, 0, 0)).isEqualTo(7.3);
        assertThat(RequestUnits.query(10, 10240, 20, 20 * KB)).isEqualTo(8.3);
    }

    /** The example of a scan in "Troubleshoot query issues when using Azure Cosmos DB" on learn.microsoft.com. */
    @Test
    void a_scan_is_within_a_twentieth_of_the_published_figure() {
        int returned = 7;

        double charge = RequestUnits.query(returned, 510, 60_951 - returned, 399_998_938);

        assertThat(charge).isCloseTo(4_059.95, Percentage.withPercentage(5));
    }

    @Test
    void a_drained_change_feed_costs_one() {
        assertThat(RequestUnits.changeFeed(0)).isEqualTo(1);
        assertThat(RequestUnits.changeFeed(5000)).isEqualTo(6);
    }
}
