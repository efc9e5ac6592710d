package io.sluice.durabletask.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StaticTokensTest {
    @Test
    void a_token_opens_what_the_file_says() {
        StaticTokens tokens = StaticTokens.parse("""
                [{"token": "worker-0123456789", "rights": ["worker"], "hubs": ["orders"]},
                 {"token": "admin--0123456789", "rights": ["client", "Admin"]}]
                """);

        assertThat(tokens.grantOf("worker-0123456789"))
                .contains(new Grant(Set.of(Right.WORKER), Set.of("orders"), null));
        assertThat(tokens.grantOf("admin--0123456789"))
                .contains(new Grant(Set.of(Right.CLIENT, Right.ADMIN), null, null));
        assertThat(tokens.grantOf("another")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|tokens: expected a JSON array",
                "[1]|tokens[0].token",
                "[{\"token\": \"short\", \"rights\": [\"client\"]}]|at least 16",
                "[{\"token\": \"0123456789abcdef\", \"rights\": []}]|tokens[0].rights",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"root\"]}]|'root'",
                "[{\"token\": \"0123456789abcdef\", \"rights\": \"client\"}]|tokens[0].rights: expected an array",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"], \"hubs\": []}]"
                        + "|tokens[0].hubs: expected at least one name",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"], \"hubs\": null}]|tokens[0].hubs",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"], \"hub\": [\"orders\"]}]"
                        + "|tokens[0].hub: no such key",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"], \"rights\": [\"admin\"]}]"
                        + "|tokens[0].rights: the key is there twice",
                "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"]}] [{}]|there is more at line 1, column 5",
                "[{\"token\": \"0123456789abcdef\"|expected a JSON array",
                "''|expected a JSON array",
            })
    void a_fault_is_named_by_its_place(String json, String fault) {
        assertThatThrownBy(() -> StaticTokens.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fault)
                .hasMessageNotContaining("0123456789abcdef");
    }
}
