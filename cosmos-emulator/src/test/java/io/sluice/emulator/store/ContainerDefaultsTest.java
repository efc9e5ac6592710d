package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerDefaultsTest {
    private static final String CONFLICTS = "conflictResolutionPolicy";
    private static final String BY_TIME =
            "{'mode':'LastWriterWins','conflictResolutionPath':'/_ts','conflictResolutionProcedure':''}";
    private static final String BY_RANK =
            "{'mode':'LastWriterWins','conflictResolutionPath':'/rank','conflictResolutionProcedure':''}";
    private static final String GEOGRAPHY = "{'type':'Geography'}";

    @TempDir
    Path folder;

    @Test
    void what_a_client_omits_has_the_values_of_the_service() {
        try (var account = account()) {
            var described = create(account, "'partitionKey':{'paths':['/pk'],'version':2}");

            assertHasDefaults(described);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'conflictResolutionPath':'/rank'}                      | LastWriterWins | /rank | ``
            {'mode':'LastWriterWins'}                               | LastWriterWins | /_ts  | ``
            {'mode':'Custom'}                                       | Custom         | ``    | ``
            {'mode':'Custom','conflictResolutionProcedure':'dbs/d'} | Custom         | ``    | dbs/d
            """)
    void a_conflict_resolution_policy_is_completed(String given, String mode, String path, String procedure) {
        try (var account = account()) {
            var policy = create(account, "'partitionKey':{'paths':['/pk']},'" + CONFLICTS + "':" + given)
                    .path(CONFLICTS);

            assertThat(List.of(
                            policy.path("mode").asText(),
                            policy.path("conflictResolutionPath").asText(),
                            policy.path("conflictResolutionProcedure").asText()))
                    .containsExactly(mode, path, procedure);
        }
    }

    @Test
    void a_replacement_keeps_the_conflict_resolution_policy_and_may_change_the_space() {
        try (var account = account()) {
            create(account, "'partitionKey':{'paths':['/pk']},'" + CONFLICTS + "':" + BY_RANK);

            replace(account, "'partitionKey':{'paths':['/pk'],'kind':'Hash'},'geospatialConfig':{'type':'Geometry'}");

            assertThat(described(account).path(CONFLICTS)).isEqualTo(json(BY_RANK));
            assertThat(described(account).path("geospatialConfig")).isEqualTo(json("{'type':'Geometry'}"));
            replace(account, "'partitionKey':{'paths':['/pk']},'" + CONFLICTS + "':" + BY_RANK);
            assertThat(described(account).path("geospatialConfig")).isEqualTo(json(GEOGRAPHY));
            assertRefused(account, "'partitionKey':{'paths':['/pk']},'" + CONFLICTS + "':" + BY_TIME);
            assertRefused(account, "'partitionKey':{'paths':['/other']}");
        }
    }

    @Test
    void containers_of_an_older_folder_get_them_too_and_can_be_replaced() {
        try (var account = account()) {
            create(account, "'partitionKey':{'paths':['/pk'],'version':2},'defaultTtl':5");
        }
        forgetDefaults();

        try (var account = account()) {
            assertHasDefaults(described(account));
            assertThat(described(account).path("defaultTtl").intValue()).isEqualTo(5);
            replace(account, "'partitionKey':{'paths':['/pk'],'version':2},'" + CONFLICTS + "':" + BY_TIME);
        }
        try (var account = account()) {
            assertHasDefaults(described(account));
        }
    }

    @Test
    void a_folder_with_a_longer_name_than_a_new_container_may_have_is_opened() {
        var name = "n".repeat(ItemRules.MAX_NAME_CHARACTERS + 1);
        try (var account = account()) {
            create(account, "'partitionKey':{'paths':['/pk']}");
        }
        rewrite(body -> body.put("id", name));

        try (var account = account()) {
            assertThat(account.container("db", name).describe().path("id").asText())
                    .isEqualTo(name);
        }
    }

    @Test
    void a_folder_with_computed_properties_that_are_refused_today_is_opened_without_them() {
        try (var account = account()) {
            create(account, "'partitionKey':{'paths':['/pk']}");
        }
        rewrite(body -> body.putArray("computedProperties").addObject().put("name", "id"));

        try (var account = account()) {
            assertThat(described(account).has("computedProperties")).isFalse();
        }
    }

    @Test
    void what_a_container_held_when_it_was_read_is_no_property_of_its_replacement() {
        try (var account = account()) {
            create(account, "'partitionKey':{'paths':['/pk']}");

            replace(account, "'partitionKey':{'paths':['/pk']},'statistics':[{'documentCount':7}]");

            assertThat(described(account).has("statistics")).isFalse();
        }
    }

    @Test
    void excluded_paths_that_are_no_array_are_refused() {
        try (var account = account()) {
            var policy = "'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':5}";

            assertThatThrownBy(() -> create(account, "'partitionKey':{'paths':['/pk']}," + policy))
                    .isInstanceOf(StatusException.class)
                    .hasMessageContaining("must be an array");
        }
    }

    private static void assertHasDefaults(ObjectNode described) {
        assertThat(described.path("partitionKey")).isEqualTo(json("{'paths':['/pk'],'version':2,'kind':'Hash'}"));
        assertThat(described.path("geospatialConfig")).isEqualTo(json(GEOGRAPHY));
        assertThat(described.path(CONFLICTS)).isEqualTo(json(BY_TIME));
    }

    /** Makes the stored container one of a version that did not add them. */
    private void forgetDefaults() {
        rewrite(body -> {
            body.remove(List.of("geospatialConfig", CONFLICTS));
            ((ObjectNode) body.path("partitionKey")).remove("kind");
        });
    }

    private void rewrite(Consumer<ObjectNode> change) {
        try (var storage = Storage.inFolder(folder, null)) {
            var containers = storage.texts("account.containers");
            containers.replaceAll((rid, text) -> {
                var stored = json(text);
                change.accept((ObjectNode) stored.path("body"));
                return stored.toString();
            });
            storage.commit();
        }
    }

    private Account account() {
        return Account.open(folder, 1, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000));
    }

    private static ObjectNode create(Account account, String properties) {
        var database = account.createDatabase(Json.object().put("id", "db"), null);
        return account.createContainer(database, body(properties), null).describe();
    }

    private static void replace(Account account, String properties) {
        account.replaceContainer(
                account.database("db"), account.container("db", "things"), body(properties), Precondition.NONE);
    }

    private static void assertRefused(Account account, String properties) {
        assertThatThrownBy(() -> replace(account, properties))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("can't be changed");
    }

    private static ObjectNode described(Account account) {
        return account.container("db", "things").describe();
    }

    private static ObjectNode body(String properties) {
        return json("{'id':'things'," + properties + "}");
    }

    private static ObjectNode json(String text) {
        return Json.readObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
