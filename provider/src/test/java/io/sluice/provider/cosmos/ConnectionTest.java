package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sluice.provider.ProviderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private static final CosmosStoreConfig CONFIG =
            new CosmosStoreConfig("https://store.example:443/", "c2VjcmV0", "orders", "instances");

    @Test
    void a_store_that_is_too_slow_for_a_handshake_is_not_taken_for_an_untrusted_one() {
        var slow = new SslHandshakeTimeoutException("handshake timed out after 10000ms");

        ProviderException explained = Connection.explained("openStore", CONFIG, new RuntimeException(slow));

        assertThat(explained).hasMessageContaining("can't reach").hasMessageNotContaining("certificate");
        assertThat(explained.retryable()).as("it may be faster the next time").isTrue();
    }

    @Test
    void a_store_that_breaks_off_a_handshake_is_not_taken_for_an_untrusted_one() {
        var broken = new SSLHandshakeException("Remote host terminated the handshake");

        ProviderException explained = Connection.explained("openStore", CONFIG, broken);

        assertThat(explained.retryable()).isTrue();
    }

    @Test
    void a_certificate_that_is_refused_is_named() {
        var refused = new SSLHandshakeException("PKIX path building failed");
        refused.initCause(new CertificateException("unable to find valid certification path"));

        ProviderException explained = Connection.explained("openStore", CONFIG, refused);

        assertThat(explained).hasMessageContaining("certificate this machine does not trust");
        assertThat(explained.retryable()).isFalse();
    }
}
