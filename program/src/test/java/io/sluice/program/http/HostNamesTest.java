package io.sluice.program.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostNamesTest {
    private final HostNames names = new HostNames(List.of("Ops.example.com", ".shop.example.com"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:8080",
                "[::1]:8080",
                "10.1.2.3",
                "localhost:1",
                "relay-1:8080",
                "relay.sluice.svc.cluster.local:8080",
                "relay.sluice.svc",
                "OPS.example.com:8080",
                "ops.example.com.",
                "relay-2.shop.example.com"
            })
    void addresses_names_without_a_dot_and_what_was_told_are_known(String host) {
        assertThat(names.isKnown(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rebound.example.net",
                "rebound.example.net:8080",
                "127.0.0.1.example.net",
                "ops.example.com.example.net",
                "localhost.example.net",
                "xshop.example.com"
            })
    void a_name_that_a_stranger_can_have_is_not(String host) {
        assertThat(names.isKnown(host)).isFalse();
    }
}
