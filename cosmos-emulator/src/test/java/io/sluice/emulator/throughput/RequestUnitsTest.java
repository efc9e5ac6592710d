package io.sluice.emulator.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestUnitsTest {
    @Test
    void a_point_read_costs_one_per_kilobyte() {
        assertThat(RequestUnits.pointRead(0)).isEqualTo(1);
        assertThat(RequestUnits.pointRead(1024)).isEqualTo(1);
        assertThat(RequestUnits.pointRead(1025)).isEqualTo(2);
        assertThat(RequestUnits.pointRead(100 * 1024)).isEqualTo(100);
    }

    @Test
    void a_write_costs_about_five_per_kilobyte() {
        assertThat(RequestUnits.write(10)).isEqualTo(5.5);
        assertThat(RequestUnits.write(2048)).isEqualTo(10.5);
    }

    @Test
    void a_query_costs_by_documents_and_bytes() {
        assertThat(RequestUnits.query(0, 0)).isEqualTo(2.8);
        assertThat(RequestUnits.query(10, 10240)).isEqualTo(7.3);
    }

    @Test
    void a_drained_change_feed_costs_one() {
        assertThat(RequestUnits.changeFeed(0)).isEqualTo(1);
        assertThat(RequestUnits.changeFeed(5000)).isEqualTo(6);
    }
}
