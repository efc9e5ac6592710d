package io.sluice.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ListingTest {
    @Test
    void text_is_found_as_it_is() {
        assertThat(new Listing("all is (well)").isIn("before\nall is (well)\nafter"))
                .isTrue();
        assertThat(new Listing("all is (well)").isIn("all is bad")).isFalse();
    }

    @Test
    void what_is_left_out_is_any_text_and_pieces_keep_their_order() {
        assertThat(new Listing("{\"a\":1,…,\"c\":3}").isIn("{\"a\":1,\"b\":2,\"c\":3}"))
                .isTrue();
        assertThat(new Listing("second … first").isIn("first second")).isFalse();
    }

    @Test
    void times_and_long_numbers_may_be_others() {
        assertThat(new Listing("2026-11-22T03:17:43.153 at 1795317510084")
                        .isIn("2027-01-02T00:00:00.001 at 1795317519999"))
                .isTrue();
        assertThat(new Listing("published 4").isIn("published 5")).isFalse();
    }

    @Test
    void lines_may_be_broken_elsewhere() {
        assertThat(new Listing("{\"a\":1,\n\"b\":2}").isIn("{\"a\":1,\"b\":2}")).isTrue();
    }
}
