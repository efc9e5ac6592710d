package io.sluice.relay;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.program.http.OpsToken;
import io.sluice.relay.streams.SingleObjects;
import io.sluice.testkit.SecuredKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * Configurations by their keys in a file, with a canary for every secret: two that work, and one for each way to be
 * wrong about a secret.
 *
 * @param byPassword whoever comes with a password, and has stores of files with passwords
 * @param byCertificate whoever comes with a certificate, given as text
 * @param faulty by what is wrong
 */
record CanarySettings(
        Map<String, String> byPassword, Map<String, String> byCertificate, Map<String, Map<String, String>> faulty) {
    static final String USER = "relay";
    static final String DATABASE = "canary";
    static final String PREFIX = "canary";

    static CanarySettings of(Canaries canaries, SecuredKafka kafka, CosmosEmulator cosmos, Path folder)
            throws IOException, GeneralSecurityException {
        var common = Map.of(
                "cosmos.endpoint",
                cosmos.endpoint(),
                "cosmos.key",
                cosmos.key(),
                "cosmos.database",
                DATABASE,
                "cosmos.container",
                DATABASE,
                "sluice.prefix",
                PREFIX,
                "sluice.topic.partitions",
                "2",
                "sluice.start.timeout",
                "0",
                "sluice.ops.token",
                canaries.word("sluice.ops.token"));
        var pem = kafka.authority().issue(USER);
        var byPassword = new HashMap<>(common);
        byPassword.putAll(login(canaries, kafka));
        byPassword.putAll(stores(canaries, pem, kafka.authority().certificate(), folder));
        byPassword.putAll(registry(canaries, folder));
        var byCertificate = new HashMap<>(common);
        byCertificate.putAll(certificates(canaries, kafka, pem));
        Map<String, Map<String, String>> faulty = new HashMap<>();
        faulty.putAll(wrongAboutTheStore(canaries, byPassword));
        faulty.putAll(wrongAboutTokens(canaries, byPassword, folder));
        faulty.putAll(wrongAboutLogins(canaries, byPassword));
        faulty.putAll(wrongAboutKeys(canaries, byPassword, byCertificate));
        return new CanarySettings(byPassword, byCertificate, faulty);
    }

    private static Map<String, String> login(Canaries canaries, SecuredKafka kafka) {
        var password = canaries.word("password in sasl.jaas.config");
        kafka.addUser(USER, password);
        var unused = List.of(
                "sasl.oauthbearer.client.credentials.client.secret",
                "sasl.oauthbearer.assertion.private.key.passphrase");
        return Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrapServers(),
                "kafka.security.protocol",
                "SASL_SSL",
                "kafka.sasl.mechanism",
                "SCRAM-SHA-512",
                "kafka.sasl.jaas.config",
                login("password", password),
                // Nobody asks for these here; Kafka's clients read and log them all the same.
                "kafka." + unused.get(0),
                canaries.word(unused.get(0)),
                "kafka." + unused.get(1),
                canaries.word(unused.get(1)));
    }

    private static String login(String option, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + USER + "\" " + option
                + "=\"" + password + "\";";
    }

    private static Map<String, String> stores(Canaries canaries, Path pem, Path authority, Path folder)
            throws IOException, GeneralSecurityException {
        var storePassword = canaries.word("ssl.keystore.password");
        var keyPassword = canaries.word("ssl.key.password");
        var trustPassword = canaries.word("ssl.truststore.password");
        var keys = PasswordStores.keys(pem, folder.resolve("keys.p12"), storePassword, keyPassword);
        var trust = PasswordStores.trusting(authority, folder.resolve("trust.p12"), trustPassword);
        return Map.of(
                "kafka.ssl.keystore.type",
                "PKCS12",
                "kafka.ssl.keystore.location",
                keys.toString(),
                "kafka.ssl.keystore.password",
                storePassword,
                "kafka.ssl.key.password",
                keyPassword,
                "kafka.ssl.truststore.type",
                "PKCS12",
                "kafka.ssl.truststore.location",
                trust.toString(),
                "kafka.ssl.truststore.password",
                trustPassword);
    }

    private static Map<String, String> registry(Canaries canaries, Path folder) throws IOException {
        var properties = Files.writeString(
                folder.resolve("registry.properties"),
                "basic.auth.user.info=user:" + canaries.word("sluice.streams.avro.properties"));
        return Map.of(
                "sluice.streams.avro.serializer", SingleObjects.class.getName(),
                "sluice.streams.avro.properties", properties.toString());
    }

    private static Map<String, String> certificates(Canaries canaries, SecuredKafka kafka, Path pem)
            throws IOException {
        var privateKey = watched(canaries, PasswordStores.privateKey(pem));
        return Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrapServersForCertificates(),
                "kafka.security.protocol",
                "SSL",
                "kafka.ssl.keystore.type",
                "PEM",
                "kafka.ssl.keystore.key",
                privateKey,
                "kafka.ssl.keystore.certificate.chain",
                PasswordStores.certificates(pem),
                "kafka.ssl.truststore.type",
                "PEM",
                "kafka.ssl.truststore.certificates",
                Files.readString(kafka.authority().certificate()));
    }

    /** Each line of a private key tells a part of it. */
    private static String watched(Canaries canaries, String pem) {
        pem.lines()
                .filter(line -> line.length() > 30 && !line.startsWith("-----"))
                .forEach(line -> canaries.watched("ssl.keystore.key", line));
        return pem;
    }

    private static Map<String, Map<String, String>> wrongAboutTheStore(Canaries canaries, Map<String, String> good) {
        var key = good.getOrDefault("cosmos.key", "");
        return Map.of(
                "another-account-key",
                with(good, "cosmos.key", canaries.key("another account key")),
                "account-key-torn",
                with(good, "cosmos.key", canaries.word("torn account key") + "?"),
                "account-key-over-http",
                with(good, "cosmos.endpoint", "http://store.example:8081/"),
                "connection-string-for-endpoint",
                with(good, "cosmos.endpoint", "AccountEndpoint=https://a.example/;AccountKey=" + key + ";"),
                "account-key-in-prefix",
                with(good, "sluice.prefix", "key=" + key));
    }

    private static Map<String, Map<String, String>> wrongAboutTokens(
            Canaries canaries, Map<String, String> good, Path folder) throws IOException {
        var tooShort = canaries.word("long token").substring(0, OpsToken.SHORTEST - 1);
        var file = Files.writeString(folder.resolve("token"), "two words " + canaries.word("token in a file"))
                .toString();
        return Map.of(
                "short-token",
                with(good, "sluice.ops.token", canaries.watched("short token", tooShort)),
                "token-twice",
                with(good, "sluice.ops.token.file", file),
                "token-file-of-words",
                with(with(good, "sluice.ops.token", ""), "sluice.ops.token.file", file),
                "token-file-for-keys",
                with(good, "kafka.ssl.keystore.location", file));
    }

    private static Map<String, Map<String, String>> wrongAboutLogins(Canaries canaries, Map<String, String> good) {
        var wrong = canaries.word("wrong password");
        var setting = "kafka.sasl.jaas.config";
        var byToken = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"me\" "
                + "clientSecret=\"" + wrong + "\";";
        return Map.of(
                "wrong-password",
                with(good, setting, login("password", wrong)),
                "no-such-option",
                with(good, setting, login("passwort", wrong)),
                "torn-login",
                with(good, setting, login("password", wrong) + " and \""),
                "no-login-module",
                with(good, setting, "Scram required password=" + wrong),
                "login-is-a-password",
                with(good, setting, wrong),
                "another-mechanism",
                with(good, "kafka.sasl.mechanism", "PLAIN"),
                "token-endpoint-not-allowed",
                with(
                        with(with(good, "kafka.sasl.mechanism", "OAUTHBEARER"), setting, byToken),
                        "kafka.sasl.oauthbearer.token.endpoint.url",
                        "http://127.0.0.1:1/"),
                "no-such-protocol",
                with(good, "kafka.security.protocol", "password=" + wrong));
    }

    private static Map<String, Map<String, String>> wrongAboutKeys(
            Canaries canaries, Map<String, String> byPassword, Map<String, String> byCertificate) {
        var wrong = canaries.word("wrong password of a store");
        var setting = "kafka.ssl.keystore.key";
        var pem = byCertificate.getOrDefault(setting, "");
        return Map.of(
                "wrong-password-of-key-store",
                with(byPassword, "kafka.ssl.keystore.password", wrong),
                "wrong-password-of-key",
                with(byPassword, "kafka.ssl.key.password", wrong),
                "wrong-password-of-trust-store",
                with(byPassword, "kafka.ssl.truststore.password", wrong),
                "half-a-key",
                with(byCertificate, setting, pem.substring(0, pem.length() / 2)),
                "key-without-frame",
                with(byCertificate, setting, pem.replaceAll("-----[^\n]*", "")),
                "key-of-another-kind",
                with(byCertificate, setting, watched(canaries, pem.replace("M", "A"))),
                "key-for-certificates",
                with(byCertificate, "kafka.ssl.truststore.certificates", pem));
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String text) {
        var changed = new HashMap<>(settings);
        changed.put(key, text);
        return changed;
    }

    /** The same as variables of an environment. */
    static Map<String, String> environment(Map<String, String> settings) {
        var environment = new HashMap<String, String>();
        settings.forEach(
                (key, text) -> environment.put(key.toUpperCase(Locale.ROOT).replace('.', '_'), text));
        return environment;
    }

    /** The same as a file. */
    static Path write(Map<String, String> settings, Path file) throws IOException {
        var properties = new Properties();
        properties.putAll(settings);
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (var out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return file;
    }
}
