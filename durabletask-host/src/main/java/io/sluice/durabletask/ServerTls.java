package io.sluice.durabletask;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of a host, in PEM. They are read again when the files change.
 *
 * @param certificate of the host, with what follows it up to the authority
 * @param key of the host, PKCS #8 without password
 * @param clientAuthorities whose certificates clients must show; null asks for none
 */
public record ServerTls(
        Path certificate, Path key, @Nullable Path clientAuthorities) {
    public ServerTls {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
    }
}
