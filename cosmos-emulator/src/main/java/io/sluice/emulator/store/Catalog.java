package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.mvstore.MVMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stored properties of databases and containers, from which an account is opened again. Thread-safe. */
final class Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);
    private static final String NEXT_RID = "nextRid";
    private static final String COMPUTED = "computedProperties";

    private final Storage storage;
    private final RetentionClock retention;
    private final MVMap<String, String> counters;
    private final MVMap<String, String> databases;
    private final MVMap<String, String> containers;

    Catalog(Storage storage, RetentionClock retention) {
        this.storage = storage;
        this.retention = retention;
        counters = storage.texts("account.counters");
        databases = storage.texts("account.databases");
        containers = storage.texts("account.containers");
    }

    /**
     * A number for a new resource id. The first is random in every account, so that a client that outlives an account
     * can't mistake a resource of the next account for one that it knew.
     */
    synchronized int nextNumber() {
        var stored = counters.get(NEXT_RID);
        int next =
                stored == null ? ThreadLocalRandom.current().nextInt(0x01000000, 0x3f000000) : Integer.parseInt(stored);
        counters.put(NEXT_RID, Integer.toString(next + 1));
        return next;
    }

    void put(Database database) {
        var stored = Json.object().put("number", database.number()).put("created", database.createdSeconds());
        databases.put(database.id(), stored.toString());
    }

    void remove(Database database) {
        databases.remove(database.id());
    }

    void put(Database database, Container container, PartitionLayout layout) {
        var stored = Json.object()
                .put("database", database.id())
                .put("created", container.identity().createdSeconds())
                .put("etag", container.properties().etag());
        stored.set("body", container.properties().body());
        stored.set("layout", layout.toJson());
        containers.put(container.rid(), stored.toString());
    }

    void remove(Container container) {
        containers.remove(container.rid());
    }

    /** All databases with their containers. */
    Collection<Database> load() {
        Map<String, Database> loaded = new TreeMap<>();
        databases.forEach((id, text) -> {
            var stored = parse(text);
            int number = stored.path("number").intValue();
            loaded.put(id, new Database(id, number, stored.path("created").longValue()));
        });
        containers.forEach((rid, text) -> {
            var stored = parse(text);
            var database = loaded.get(stored.path("database").textValue());
            if (database == null) {
                throw new IllegalStateException("The store has no database for its container " + rid);
            }
            database.add(container(rid, database, stored));
        });
        return loaded.values();
    }

    private Container container(String rid, Database database, ObjectNode stored) {
        var body = (ObjectNode) stored.path("body");
        var properties = properties(rid, body, stored.path("etag").textValue());
        var identity = new Container.Identity(
                rid, database.rid(), stored.path("created").longValue());
        var layout = PartitionLayout.parse(stored.path("layout"));
        return new Container(identity, layout, properties, storage, retention);
    }

    /** An earlier version stored computed properties unread; some that it took can be none. */
    private static ContainerProperties properties(String rid, ObjectNode body, String etag) {
        try {
            return ContainerProperties.parse(body, etag);
        } catch (StatusException e) {
            if (!body.has(COMPUTED)) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("container", rid)
                    .addKeyValue("reason", e.getMessage())
                    .log("a container has computed properties that this emulator does not support; they are ignored");
            return ContainerProperties.parse(body.deepCopy().without(COMPUTED), etag);
        }
    }

    private static ObjectNode parse(String text) {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }
}
