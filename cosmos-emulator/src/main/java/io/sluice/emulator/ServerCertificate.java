package io.sluice.emulator;

/**
 * What an emulator shows of itself under TLS.
 *
 * @param chainPem its certificate, and those that signed it
 * @param keyPem its private key in PKCS#8, without a password
 */
public record ServerCertificate(String chainPem, String keyPem) {
    /** Without the key. */
    @Override
    public String toString() {
        return "ServerCertificate[" + chainPem.length() + " characters]";
    }
}
