package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** A deletion holds an instance and its child, and its document is malformed, or of a newer release. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnreadableDeletionIT {
    private static final String UUID = "00000000-0000-4000-8000-000000000001";
    private static final String ID = "deletion:" + UUID;
    private static final Damage NEWER = new Damage("schemaVersion", "2");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
        beginInstance(provider, "held");
        beginChild(provider, "child", "held");
        beginInstance(provider, "other");
        lock("held");
        lock("child");
    }

    static Stream<Damage> malformed() {
        return Stream.of(
                new Damage("state", "\"maybe\""),
                new Damage("state", ""),
                new Damage("deadline", "\"soon\""),
                new Damage("schemaVersion", "\"1\""));
    }

    static Stream<Damage> unreadable() {
        return Stream.concat(malformed(), Stream.of(NEWER));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void its_members_are_in_every_list_and_hide_no_other(Damage damage) {
        write(damage.done(deletion("open")));

        assertThat(admin.listInstances()).containsExactlyInAnyOrder("held", "child", "other");
        assertThat(admin.listInstancesByStatus("Running")).containsExactlyInAnyOrder("held", "child", "other");
        assertThat(admin.listChildren("held")).containsExactly("child");
        assertThat(admin.getInstanceTree("held").allIds()).containsExactlyInAnyOrder("held", "child");
        assertThat(provider.queries().query(InstanceQuery.ALL, 10, null).instances())
                .extracting(InstanceSummary::instanceId)
                .containsExactlyInAnyOrder("held", "child", "other");
        assertThat(provider.queries().get("held")).isPresent();
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void what_works_on_many_goes_on_with_the_others(Damage damage) {
        write(damage.done(deletion("open")));
        List.of("held", "other")
                .forEach(instance -> write(document(instance, "instance").put("status", "Completed")));
        provider.enqueueForOrchestrator(raised("held", "x"), null);
        provider.enqueueForOrchestrator(raised("other", "x"), null);

        assertThat(takeTurn(provider).item().instance()).isEqualTo("other");
        assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                .isEqualTo(1);
        assertThat(admin.listInstances()).containsExactlyInAnyOrder("held", "child");
        assertThat(new StoreSweep(store).finishDeletions()).isZero();
    }

    @Test
    void is_told_of_once_and_named_with_the_remedy_by_what_is_about_a_member_alone() {
        write(deletion("maybe"));
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.provider.cosmos.deletion");
        logged.start();
        logger.addAppender(logged);
        try {
            admin.listInstances();
            admin.listInstances();
            provider.queries().query(InstanceQuery.ALL, 10, null);
        } finally {
            logger.detachAppender(logged);
        }

        assertThat(logged.list)
                .filteredOn(line -> line.getFormattedMessage().contains("a deletion can't be read"))
                .hasSizeLessThanOrEqualTo(1);
        assertRefused(() -> admin.getInstanceInfo("held"), "delete its members by force");
        assertRefused(() -> admin.pruneExecutions("child", PruneOptions.ALL_FINISHED), "delete its members by force");
        assertRefused(() -> admin.deleteInstance("held", false), "delete its members by force");
        assertRefused(
                () -> admin.deleteInstancesIf(List.of("held", "child"), head -> true), "delete its members by force");
        assertThat(admin.listInstances()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void is_given_up_once_a_member_is_deleted_by_force(Damage damage) {
        write(damage.done(deletion("committed")));

        assertThat(admin.deleteInstance("held", true).instancesDeleted()).isEqualTo(2);

        assertThat(admin.listInstances()).containsExactly("other");
        assertThat(document("held", "deletion").path("state").asText()).isEqualTo("aborted");
        assertThat(new StoreSweep(store).finishDeletions()).isEqualTo(1);
        assertThat(fixture.documents(store, "held", "deletion")).isEmpty();
    }

    @Test
    void leaves_its_other_members_as_instances_once_it_is_given_up() {
        beginInstance(provider, "alone");
        lock("alone");
        write(deletion("maybe"));
        provider.enqueueForOrchestrator(raised("held", "x"), null);

        assertThat(admin.deleteInstancesAtomic(List.of("alone"), true).instancesDeleted())
                .isEqualTo(1);

        assertThat(admin.getInstanceInfo("child").status()).isEqualTo("Running");
        assertThat(takeTurn(provider).item().instance()).isEqualTo("held");
    }

    @Test
    void of_a_newer_release_is_left_to_it_by_force_too() {
        write(NEWER.done(deletion("open")));
        ObjectNode newer = document("held", "deletion");

        assertRefused(() -> admin.deleteInstance("held", true), "schema version 2");
        assertRefused(() -> admin.deleteInstancesAtomic(List.of("held", "child"), true), "schema version 2");

        assertThat(document("held", "deletion")).isEqualTo(newer);
        assertThat(admin.listInstances()).hasSize(3);
    }

    @Test
    void is_carried_out_where_its_document_is_repaired_before_it_is_given_up() {
        write(deletion("maybe"));
        var repair = account.requireEmulator()
                .faults()
                .runBefore(
                        request ->
                                StoreFixture.isBatch(request) && request.body().contains(ID),
                        0,
                        request -> write(deletion("committed")));

        admin.deleteInstance("held", true);

        repair.remove();
        assertThat(admin.listInstances()).containsExactly("other");
        assertThat(fixture.documents(store, "held", "deletion")).isEmpty();
    }

    private static void assertRefused(ThrowingCallable call, String remedy) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(ID)
                .hasMessageContaining(remedy);
    }

    private static ObjectNode deletion(String state) {
        ObjectNode deletion = WrittenDocuments.document(ID, "held", "deletion")
                .put("state", state)
                .put("deadline", Long.MAX_VALUE / 4)
                .put("tombstones", false);
        deletion.putArray("members").add("child").add("held");
        return deletion;
    }

    private void lock(String instance) {
        write(document(instance, "instance")
                .put("lockToken", ID + ":held")
                .put("lockedUntil", InstanceDocument.LOCKED_FAR));
    }

    private ObjectNode document(String instance, String type) {
        return fixture.documents(store, instance, type).get(0);
    }

    private void write(ObjectNode document) {
        store.container().upsertItem(document).block();
    }
}
