package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.contract.Covers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("the default locale is the JVM's")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentIdsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"a/b", "a\\b", "a?b", "a#b", "a\u0000b", "a\u007fb", "a\ud800b", "b\udc00", "a%20b", "a%fF"})
    void characters_the_store_refuses_are_named_with_their_place(String id) {
        assertThatThrownBy(() -> DocumentIds.checkInstanceId("op", id))
                .isInstanceOfSatisfying(ProviderException.class, e -> {
                    assertThat(e.retryable()).isFalse();
                    assertThat(e.operation()).isEqualTo("op");
                })
                .hasMessageContaining("instance id")
                .hasMessageContaining("position 1");
    }

    @Test
    void an_id_of_any_other_characters_passes() {
        DocumentIds.checkInstanceId("op", "100%: %1 %g0 órder::sub::2 'x\" \ud83d\ude00");
    }

    @Test
    void an_empty_id_is_refused() {
        assertThatThrownBy(() -> DocumentIds.checkInstanceId("op", "")).hasMessageContaining("empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"receipt:cmd:x", "receipt:req:orchestrator:x", "__leases__:jobs", "sluice:store"})
    void an_id_whose_partition_or_documents_are_the_stores_own_is_refused(String id) {
        assertThatThrownBy(() -> DocumentIds.checkInstanceId("op", id))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("instance id")
                .hasMessageContaining("reserved")
                .hasMessageContaining(id);
    }

    @Test
    void an_id_that_no_stranger_can_turn_into_the_id_of_a_head_passes() {
        DocumentIds.checkInstanceId("op", "receipt:4711");
        DocumentIds.checkInstanceId("op", "deletion:tenant-5");
    }

    @Test
    void the_limit_counts_bytes_of_utf8_not_characters() {
        String fits = "é".repeat(500);
        String tooLong = "é".repeat(510);

        DocumentIds.checkInstanceId("op", fits);

        assertThatThrownBy(() -> DocumentIds.checkInstanceId("op", tooLong))
                .hasMessageContaining("1029 bytes")
                .hasMessageContaining("limit is 1023");
    }

    @Test
    void an_instance_id_over_the_partition_keys_limit_is_told_so() {
        assertThatThrownBy(() -> DocumentIds.checkInstanceId("op", "x".repeat(2_049)))
                .hasMessageContaining("2049")
                .hasMessageContaining("2048");
    }

    @Test
    void keys_are_written_plainly_and_encoded_only_where_the_store_would_refuse_them() {
        assertThat(DocumentIds.keyValue("i", "plain key é")).isEqualTo("i:kv:plain key é");
        assertThat(DocumentIds.keyValue("i", "path/like/key")).isEqualTo("i:kv~:cGF0aC9saWtlL2tleQ");
        assertThat(DocumentIds.keyValue("i", "space ")).isEqualTo("i:kv~:c3BhY2Ug");
        assertThat(DocumentIds.keyValue("i", "a%20b")).isEqualTo("i:kv~:YSUyMGI");
        assertThat(DocumentIds.keyValueDelta("i", "path/like/key")).isEqualTo("i:kv_delta~:cGF0aC9saWtlL2tleQ");
        assertThat(bytes(DocumentIds.keyValue("i", "k".repeat(5_000)))).isLessThanOrEqualTo(1_023);
    }

    @Covers({"wire 1", "wire 2"})
    @Test
    void a_repeated_ack_has_the_same_intent_keys_and_another_turn_has_others() {
        String first = DocumentIds.intentKey("src", 1, "token-a", 0);

        assertThat(first)
                .isEqualTo(DocumentIds.intentKey("src", 1, "token-a", 0))
                .matches("src:1:[0-9a-f]{16}\\.000000");
        assertThat(DocumentIds.intentKey("src", 1, "token-b", 0)).isNotEqualTo(first);
        assertThat(DocumentIds.intentKey("src", 1, "token-a", 1)).endsWith(".000001");
    }

    @Test
    void a_key_of_a_long_source_is_hashed_so_that_every_id_made_of_it_fits() {
        String key = DocumentIds.intentKey("s".repeat(1_000), 1, "token", 7);

        assertThat(key).matches("[0-9a-f]{64}\\.000007");
        assertThat(bytes(DocumentIds.outboxTarget(key) + ":failed")).isLessThanOrEqualTo(1_023);
    }

    @Test
    void command_ids_of_strangers_are_hashed_where_the_store_would_refuse_them() {
        assertThat(DocumentIds.commandReceipt("orders-0-17")).isEqualTo("receipt:cmd:orders-0-17");
        assertThat(DocumentIds.commandReceipt("http://x/1?y#z")).matches("receipt:cmd~:[0-9a-f]{64}");
    }

    @Test
    void keys_are_the_same_whatever_digits_this_machine_writes() {
        Locale usual = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(DocumentIds.intentKey("src", 1, "token", 12)).endsWith(".000012");
        } finally {
            Locale.setDefault(usual);
        }
    }

    private static int bytes(String id) {
        return id.getBytes(StandardCharsets.UTF_8).length;
    }
}
