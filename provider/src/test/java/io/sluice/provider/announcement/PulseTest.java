package io.sluice.provider.announcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PulseTest {
    private static final WorkStore STORE = new WorkStore("orders.documents.azure.com", "sluice", "orders", "abc=");
    private static final Pulse PULSE = Pulse.of(STORE, "10", "20", 1_700L, 12L, 61_700L);

    @Test
    void itsJsonIsTheContractWithRuntimes() {
        assertThat(new String(PULSE.toJson(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"version\":3,\"min\":\"10\",\"max\":\"20\",\"at\":1700,\"lagMillis\":12,\"horizon\":61700,"
                                + "\"store\":{\"account\":\"orders.documents.azure.com\",\"database\":\"sluice\","
                                + "\"container\":\"orders\",\"rid\":\"abc=\"}}");
    }

    @Test
    void isReadAsItWasWritten() {
        assertThat(Pulse.fromJson(PULSE.toJson())).isEqualTo(PULSE);
    }

    @Test
    void aLaterVersionsFurtherFieldsAreIgnored() {
        Pulse read = Pulse.fromJson(
                bytes(
                        "{\"version\":4,\"min\":\"\",\"max\":\"FF\",\"at\":5,\"lagMillis\":0,\"more\":{},"
                                + "\"store\":{\"account\":\"a\",\"database\":\"d\",\"container\":\"c\",\"rid\":\"r\",\"more\":1}}"));

        assertThat(read).isEqualTo(new Pulse(4, "", "FF", 5, 0, 0, new WorkStore("a", "d", "c", "r")));
    }

    @Test
    void aStoreIsTheSameByEveryEndpointOfItsAccount() {
        assertThat(STORE.isSame(new WorkStore("orders-westeurope.documents.azure.com", "sluice", "orders", "abc=")))
                .isTrue();
        assertThat(STORE.isSame(new WorkStore(STORE.account(), "other", "orders", "abc=")))
                .isFalse();
        assertThat(STORE.isSame(new WorkStore(STORE.account(), "sluice", "other", "abc=")))
                .isFalse();
        assertThat(STORE.isSame(new WorkStore(STORE.account(), "sluice", "orders", "made again")))
                .isFalse();
    }

    @Test
    void whatAPulseNamesStaysOnOneLine() {
        assertThat(new WorkStore("a", "d", "c\nERROR", "r"))
                .asString()
                .isEqualTo("container 'c?ERROR' (r) in database 'd' at a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{| well-formed",
                "null| found null",
                "{\"version\":3,\"max\":\"FF\"}| min must be up to 64 hexadecimal digits, was null",
                "{\"version\":3,\"min\":\"\"}| max must be up to 64 hexadecimal digits, was null",
                "{\"version\":3,\"min\":\"1f\",\"max\":\"FF\"}| min must be up to 64 hexadecimal digits, was 1f",
                "{\"version\":3,\"min\":\"20\",\"max\":\"10\"}| max must be above min, was 10, min 20",
                "{\"version\":2,\"range\":0,\"ranges\":4}| version must be at least 3, was 2: the relay is older",
                "{\"version\":3,\"min\":\"\",\"max\":\"FF\",\"lagMillis\":-5}| lagMillis must be at least 0",
                "{\"version\":3,\"min\":[],\"max\":\"FF\"}| min: not of the type",
                "{\"version\":3,\"min\":\"\",\"max\":\"FF\"}| store is required, but missing",
                "{\"version\":3,\"min\":\"\",\"max\":\"FF\",\"store\":{\"account\":\"a\",\"database\":\"d\",\"container\":\"c\"}}"
                        + "| store: rid is required, but missing or empty",
                "{\"version\":3,\"min\":\"\",\"max\":\"FF\",\"store\":\"c\"}| store: not of the type",
            })
    void whatIsNoneIsRefusedByName(String json, String why) {
        assertThatThrownBy(() -> Pulse.fromJson(bytes(json)))
                .isInstanceOf(MalformedAnnouncementException.class)
                .hasMessageContaining(why);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
