package io.sluice.relay.kafka;

import io.sluice.program.FailureReason;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Why a connection to Kafka failed, and what to check.
 *
 * @param reason the last cause
 * @param remedy what to check, with the names of settings
 */
record ConnectionFailure(String reason, String remedy) {
    static ConnectionFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SaslAuthenticationException) {
                return new ConnectionFailure(
                        "it does not know this user or password: " + cause.getMessage(),
                        "KAFKA_SASL_MECHANISM, and user and password in KAFKA_SASL_JAAS_CONFIG");
            }
            if (cause instanceof SslAuthenticationException || cause instanceof SSLException) {
                return ofTls(FailureReason.last(cause));
            }
            if (cause instanceof AuthenticationException) {
                return new ConnectionFailure(
                        String.valueOf(cause.getMessage()), "the settings that begin with KAFKA_SASL_ and KAFKA_SSL_");
            }
        }
        return new ConnectionFailure(
                failure.toString(),
                "KAFKA_BOOTSTRAP_SERVERS, that the brokers are up, and the security settings (KAFKA_SECURITY_PROTOCOL first)");
    }

    private static ConnectionFailure ofTls(Throwable cause) {
        var text = String.valueOf(cause.getMessage());
        if (text.contains("certification path") || text.contains("PKIX") || text.contains("trustAnchors")) {
            return new ConnectionFailure(
                    "the broker's certificate is not signed by an authority that this process trusts: " + text,
                    "KAFKA_SSL_TRUSTSTORE_LOCATION and KAFKA_SSL_TRUSTSTORE_TYPE");
        }
        if (text.contains("subject alternative") || text.contains("No name matching")) {
            return new ConnectionFailure(
                    "the broker's certificate is for another name: " + text,
                    "that KAFKA_BOOTSTRAP_SERVERS and the brokers' advertised listeners are the names in their certificates");
        }
        return new ConnectionFailure(
                "the TLS handshake failed: " + text,
                "KAFKA_SSL_KEYSTORE_LOCATION and KAFKA_SSL_KEYSTORE_TYPE where brokers ask for a certificate, and"
                        + " KAFKA_SECURITY_PROTOCOL");
    }
}
