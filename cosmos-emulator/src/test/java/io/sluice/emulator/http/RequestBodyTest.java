package io.sluice.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.sluice.emulator.document.StatusException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {
    private static final int LIMIT = 5 * 1024 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 6, 100, Integer.MAX_VALUE})
    void it_is_what_came_whatever_was_announced(int announced) {
        var body = new RequestBody(announced);

        body.append(Unpooled.wrappedBuffer(new byte[] {1, 2}));
        body.append(Unpooled.EMPTY_BUFFER);
        body.append(Unpooled.wrappedBuffer(new byte[] {3}));
        body.append(Unpooled.wrappedBuffer(new byte[] {4, 5, 6}));

        assertThat(body.bytes()).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LIMIT, Integer.MAX_VALUE})
    void it_takes_5_megabytes_and_no_byte_more(int announced) {
        var body = new RequestBody(announced);

        body.append(Unpooled.wrappedBuffer(new byte[LIMIT - 1]));
        body.append(Unpooled.wrappedBuffer(new byte[1]));

        assertThat(body.bytes()).hasSize(LIMIT);
        assertThatThrownBy(() -> body.append(Unpooled.wrappedBuffer(new byte[1])))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(413));
    }
}
