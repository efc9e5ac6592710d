package io.sluice.testkit;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * An {@link EmbeddedKafka} with users, rights and certificates, as clusters in production have them: one listener takes
 * passwords over TLS (SCRAM-SHA-512), one takes certificates on both sides, and Kafka's own authorizer denies
 * everything that no ACL allows.
 *
 * <p>Its certificate is for {@code localhost}; a client of {@code 127.0.0.1} finds another name in it. The
 * common name of a user's certificate is the user. A third listener neither authenticates nor restricts its clients;
 * {@link #admin()} uses it. Thread-safe.
 */
public final class SecuredKafka implements AutoCloseable {
    private static final String PASSWORDS = "SASL_SSL";
    private static final String CERTIFICATES = "SSL";
    private static final int SCRAM_ITERATIONS = 4_096;

    private final TestAuthority authority;
    private final EmbeddedKafka kafka;
    private final Admin admin;

    private SecuredKafka(TestAuthority authority, EmbeddedKafka kafka) {
        this.authority = authority;
        this.kafka = kafka;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    /**
     * A broker on free ports whose data lives in a temporary folder.
     *
     * @param folder for certificates
     * @throws IllegalStateException when the broker does not start; nothing is left running
     */
    public static SecuredKafka start(Path folder) {
        TestAuthority authority = TestAuthority.create(folder, "authority of a test");
        Path keys = authority.issue("broker", BrokerNode.LOOPBACK_NAME);
        Map<String, String> settings = Map.ofEntries(
                Map.entry(
                        "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL"),
                Map.entry("authorizer.class.name", StandardAuthorizer.class.getName()),
                Map.entry("super.users", "User:ANONYMOUS"),
                Map.entry("ssl.keystore.type", "PEM"),
                Map.entry("ssl.keystore.location", keys.toString()),
                Map.entry("ssl.truststore.type", "PEM"),
                Map.entry("ssl.truststore.location", authority.certificate().toString()),
                Map.entry("ssl.principal.mapping.rules", "RULE:^CN=([^,]+)$/$1/"),
                Map.entry("listener.name.ssl.ssl.client.auth", "required"),
                Map.entry("sasl.enabled.mechanisms", ScramMechanism.SCRAM_SHA_512.mechanismName()),
                Map.entry(
                        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required;"));
        return new SecuredKafka(authority, EmbeddedKafka.start(settings, List.of(PASSWORDS, CERTIFICATES)));
    }

    /** The listener for users with passwords ({@code SASL_SSL}, {@code SCRAM-SHA-512}). */
    public String bootstrapServers() {
        return kafka.bootstrapServers(PASSWORDS);
    }

    /** The listener for users with certificates ({@code SSL}). */
    public String bootstrapServersForCertificates() {
        return kafka.bootstrapServers(CERTIFICATES);
    }

    /** The listener without authentication and restrictions, for assertions of a test. */
    public String bootstrapServersForAnybody() {
        return kafka.bootstrapServers();
    }

    /** The authority that issues the certificates of the broker and of users. */
    public TestAuthority authority() {
        return authority;
    }

    /** An admin client that may do everything; closed with the broker. */
    public Admin admin() {
        return admin;
    }

    /** Creates a user with a password and without rights. */
    public void addUser(String user, String password) {
        await(admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, SCRAM_ITERATIONS), password)))
                .all());
    }

    /** What a client needs to log in as a user with a password, the addresses included. */
    public Map<String, String> login(String user, String password) {
        return Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                ScramMechanism.SCRAM_SHA_512.mechanismName(),
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user, password),
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                authority.certificate().toString());
    }

    /** Allows a user operations on the matching resources, from every host. */
    public void allow(String user, ResourcePattern resources, Collection<AclOperation> operations) {
        await(admin.createAcls(operations.stream()
                        .map(operation -> new AclBinding(
                                resources,
                                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW)))
                        .toList())
                .all());
    }

    /** Removes all ACLs. */
    public void allowNothing() {
        await(admin.deleteAcls(List.of(AclBindingFilter.ANY)).all());
    }

    private static void await(KafkaFuture<?> done) {
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker refuses its own administrator", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a broker was asked", e);
        }
    }

    @Override
    public void close() {
        try {
            admin.close(KafkaTopics.CLOSE_LIMIT);
        } finally {
            kafka.close();
        }
    }
}
