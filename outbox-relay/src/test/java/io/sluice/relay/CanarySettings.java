package io.sluice.relay;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.relay.streams.SingleObjects;
import io.sluice.testkit.SecuredKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * Configurations by their keys in a file, with a canary for every secret: two that work, and one for each way to be wrong about a secret.
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
        var password = canaries.word("password in sasl.jaas.config");
        kafka.addUser(USER, password);
        var pem = kafka.authority().issue(USER);
        var common = new HashMap<String, String>();
        common.put("cosmos.endpoint", cosmos.endpoint());
        common.put("cosmos.key", cosmos.key());
        common.put("cosmos.database", DATABASE);
        common.put("cosmos.container", DATABASE);
        common.put("sluice.prefix", PREFIX);
        common.put("sluice.topic.partitions", "2");
        common.put("sluice.start.timeout", "0");
        common.put("sluice.ops.token", canaries.word("sluice.ops.token"));

        var byPassword = new HashMap<>(common);
        var storePassword = canaries.word("ssl.keystore.password");
        var keyPassword = canaries.word("ssl.key.password");
        var trustPassword = canaries.word("ssl.truststore.password");
        byPassword.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        byPassword.put("kafka.security.protocol", "SASL_SSL");
        byPassword.put("kafka.sasl.mechanism", "SCRAM-SHA-512");
        byPassword.put("kafka.sasl.jaas.config", login("password", password));
        byPassword.put("kafka.ssl.keystore.type", "PKCS12");
        byPassword.put(
                "kafka.ssl.keystore.location",
                PasswordStores.keys(pem, folder.resolve("keys.p12"), storePassword, keyPassword)
                        .toString());
        byPassword.put("kafka.ssl.keystore.password", storePassword);
        byPassword.put("kafka.ssl.key.password", keyPassword);
        byPassword.put("kafka.ssl.truststore.type", "PKCS12");
        byPassword.put(
                "kafka.ssl.truststore.location",
                PasswordStores.trusting(kafka.authority().certificate(), folder.resolve("trust.p12"), trustPassword)
                        .toString());
        byPassword.put("kafka.ssl.truststore.password", trustPassword);
        // Nobody asks for these here; Kafka's clients read and log them all the same.
        for (var unused : new String[] {
            "sasl.oauthbearer.client.credentials.client.secret", "sasl.oauthbearer.assertion.private.key.passphrase"
        }) {
            byPassword.put("kafka." + unused, canaries.word(unused));
        }
        byPassword.put("sluice.streams.avro.serializer", SingleObjects.class.getName());
        byPassword.put(
                "sluice.streams.avro.properties",
                Files.writeString(
                                folder.resolve("registry.properties"),
                                "basic.auth.user.info=user:" + canaries.word("sluice.streams.avro.properties"))
                        .toString());

        var byCertificate = new HashMap<>(common);
        var privateKey = PasswordStores.privateKey(pem);
        privateKey
                .lines()
                .filter(line -> line.length() > 30 && !line.startsWith("-----"))
                .forEach(line -> canaries.watched("ssl.keystore.key", line));
        byCertificate.put("kafka.bootstrap.servers", kafka.bootstrapServersForCertificates());
        byCertificate.put("kafka.security.protocol", "SSL");
        byCertificate.put("kafka.ssl.keystore.type", "PEM");
        byCertificate.put("kafka.ssl.keystore.key", privateKey);
        byCertificate.put("kafka.ssl.keystore.certificate.chain", PasswordStores.certificates(pem));
        byCertificate.put("kafka.ssl.truststore.type", "PEM");
        byCertificate.put(
                "kafka.ssl.truststore.certificates",
                Files.readString(kafka.authority().certificate()));
        return new CanarySettings(byPassword, byCertificate, faulty(canaries, byPassword, byCertificate, folder));
    }

    private static String login(String option, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + USER + "\" " + option
                + "=\"" + password + "\";";
    }

    private static Map<String, Map<String, String>> faulty(
            Canaries canaries, Map<String, String> byPassword, Map<String, String> byCertificate, Path folder)
            throws IOException {
        Map<String, Map<String, String>> faulty = new LinkedHashMap<>();
        var key = byPassword.getOrDefault("cosmos.key", "");
        faulty.put("another-account-key", with(byPassword, "cosmos.key", canaries.key("another account key")));
        faulty.put("account-key-torn", with(byPassword, "cosmos.key", canaries.word("torn account key") + "?"));
        faulty.put("account-key-over-http", with(byPassword, "cosmos.endpoint", "http://store.example:8081/"));
        faulty.put(
                "connection-string-for-endpoint",
                with(byPassword, "cosmos.endpoint", "AccountEndpoint=https://a.example/;AccountKey=" + key + ";"));
        faulty.put("account-key-in-prefix", with(byPassword, "sluice.prefix", "key=" + key));
        faulty.put(
                "short-token",
                with(
                        byPassword,
                        "sluice.ops.token",
                        canaries.word("short token").substring(0, 15)));
        var tokenFile = Files.writeString(folder.resolve("token"), "two words " + canaries.word("token in a file"));
        faulty.put("token-twice", with(byPassword, "sluice.ops.token.file", tokenFile.toString()));
        faulty.put(
                "token-file-of-words",
                with(with(byPassword, "sluice.ops.token", ""), "sluice.ops.token.file", tokenFile.toString()));

        var wrong = canaries.word("wrong password");
        faulty.put("wrong-password", with(byPassword, "kafka.sasl.jaas.config", login("password", wrong)));
        faulty.put("no-such-option", with(byPassword, "kafka.sasl.jaas.config", login("passwort", wrong)));
        faulty.put("torn-login", with(byPassword, "kafka.sasl.jaas.config", login("password", wrong) + " and \""));
        faulty.put("no-login-module", with(byPassword, "kafka.sasl.jaas.config", "Scram required password=" + wrong));
        faulty.put("login-is-a-password", with(byPassword, "kafka.sasl.jaas.config", wrong));
        faulty.put("another-mechanism", with(byPassword, "kafka.sasl.mechanism", "PLAIN"));
        faulty.put(
                "token-endpoint-not-allowed",
                with(
                        with(
                                with(byPassword, "kafka.sasl.mechanism", "OAUTHBEARER"),
                                "kafka.sasl.oauthbearer.token.endpoint.url",
                                "http://127.0.0.1:1/"),
                        "kafka.sasl.jaas.config",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"me\" clientSecret=\""
                                + wrong + "\";"));
        faulty.put("no-such-protocol", with(byPassword, "kafka.security.protocol", "password=" + wrong));
        for (var store : new String[] {"keystore", "key", "truststore"}) {
            faulty.put("wrong-password-of-" + store, with(byPassword, "kafka.ssl." + store + ".password", wrong));
        }
        faulty.put("key-store-is-none", with(byPassword, "kafka.ssl.keystore.location", tokenFile.toString()));
        var pem = byCertificate.getOrDefault("kafka.ssl.keystore.key", "");
        faulty.put("half-a-key", with(byCertificate, "kafka.ssl.keystore.key", pem.substring(0, pem.length() / 2)));
        faulty.put(
                "key-without-frame", with(byCertificate, "kafka.ssl.keystore.key", pem.replaceAll("-----[^\n]*", "")));
        faulty.put("key-of-another-kind", with(byCertificate, "kafka.ssl.keystore.key", pem.replace("M", "A")));
        faulty.put("key-for-certificates", with(byCertificate, "kafka.ssl.truststore.certificates", pem));
        return faulty;
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
