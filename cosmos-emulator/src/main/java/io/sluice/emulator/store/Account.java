package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/** Everything the emulator stores. Databases and containers are made and removed one at a time. Thread-safe. */
public final class Account implements AutoCloseable {
    private static final String NEXT_RID = "nextRid";

    private final Storage storage;
    private final int physicalPartitions;
    private final InstantSource clock;
    private final MVMap<String, String> counters;
    private final MVMap<String, String> storedDatabases;
    private final MVMap<String, String> storedContainers;
    private final Map<String, Database> databases = new ConcurrentSkipListMap<>();
    private final Offers offers;

    private Account(Storage storage, int physicalPartitions, InstantSource clock) {
        this.storage = storage;
        this.physicalPartitions = physicalPartitions;
        this.clock = clock;
        counters = storage.texts("account.counters");
        storedDatabases = storage.texts("account.databases");
        storedContainers = storage.texts("account.containers");
        offers = new Offers(storage.texts("account.offers"), this::nextRid);
        load();
    }

    /**
     * Opens what a folder holds, or an empty account in memory.
     *
     * @param folder where to keep everything, null for nowhere
     * @param physicalPartitions of every container made from now on
     * @throws IllegalStateException when the folder is in use or its file is damaged
     */
    public static Account open(@Nullable Path folder, int physicalPartitions, InstantSource clock) {
        return new Account(folder == null ? Storage.inMemory() : Storage.inFolder(folder), physicalPartitions, clock);
    }

    /** All databases, by name. */
    public List<Database> databases() {
        return List.copyOf(databases.values());
    }

    /**
     * The database with a name or resource id.
     *
     * @throws Refusal 404 when there is none
     */
    public Database database(String idOrRid) {
        return find(idOrRid).orElseThrow(Refusal::notFound);
    }

    /**
     * The container with a name or resource id.
     *
     * @throws Refusal 404 when there is none; with sub-status 1003 when there is not even its database
     */
    public Container container(String database, String container) {
        return find(database)
                .orElseThrow(Refusal::ownerNotFound)
                .container(container)
                .orElseThrow(Refusal::notFound);
    }

    /** The throughput bought for databases and containers. */
    public Offers offers() {
        return offers;
    }

    /**
     * Makes a database.
     *
     * @throws Refusal 409 when its name is taken, 400 when it is no name
     */
    public synchronized Database createDatabase(ObjectNode body) {
        var id = ItemRules.idOf(body);
        if (databases.containsKey(id)) {
            throw Refusal.conflict();
        }
        var database = new Database(id, nextRid(), now());
        storage.writing().lock();
        try {
            storedDatabases.put(
                    id,
                    Json.object()
                            .put("number", database.number())
                            .put("created", database.createdSeconds())
                            .toString());
        } finally {
            storage.writing().unlock();
        }
        databases.put(id, database);
        return database;
    }

    /** Removes a database with all it holds. */
    public synchronized void deleteDatabase(Database database) {
        databases.remove(database.id());
        storedDatabases.remove(database.id());
        database.containers().forEach(container -> deleteContainer(database, container));
        offers.remove(database.rid());
    }

    /**
     * Makes a container.
     *
     * @throws Refusal 409 when its name is taken, 400 when its properties are invalid
     */
    public synchronized Container createContainer(Database database, ObjectNode body) {
        int number = nextRid();
        var properties = ContainerProperties.parse(body, etag(number));
        if (database.container(properties.id()).isPresent()) {
            throw Refusal.conflict();
        }
        var identity = new Container.Identity(
                ResourceIds.container(database.number(), number), database.rid(), now(), physicalPartitions);
        var container = new Container(identity, properties, storage, clock);
        save(database, container, identity);
        database.add(container);
        return container;
    }

    /**
     * Gives a container other properties; its name and partition key stay.
     *
     * @throws Refusal 400 when it would get another partition key or name, 412 when the precondition does not hold
     */
    public synchronized void replaceContainer(
            Database database, Container container, ObjectNode body, @Nullable String ifMatch) {
        var current = container.properties();
        if (ifMatch != null && !ifMatch.equals("*") && !ifMatch.equals(current.etag())) {
            throw Refusal.preconditionFailed();
        }
        var replacement = ContainerProperties.parse(body, etag(nextRid()));
        if (!replacement.id().equals(current.id())
                || !replacement.partitionKey().equals(current.partitionKey())) {
            throw Refusal.badRequest("The id and the partition key of a container can't be changed.");
        }
        container.replaceProperties(replacement);
        var stored = Json.readObject(text(storedContainers.get(container.rid())));
        save(database, container, identity(stored, container.rid(), database));
    }

    /** Removes a container with its items. Requests under way in it are answered 404. */
    public synchronized void deleteContainer(Database database, Container container) {
        database.remove(container);
        storedContainers.remove(container.rid());
        offers.remove(container.rid());
        container.drop();
    }

    /** Removes expired items for good; they are invisible already. */
    public void removeExpiredItems() {
        for (var database : databases()) {
            for (var container : database.containers()) {
                if (container.properties().defaultTtlSeconds() != null) {
                    container.removeExpiredItems();
                }
            }
        }
    }

    @Override
    public void close() {
        storage.close();
    }

    private Optional<Database> find(String idOrRid) {
        var byName = Optional.ofNullable(databases.get(idOrRid));
        return byName.isPresent()
                ? byName
                : databases.values().stream()
                        .filter(database -> database.rid().equals(idOrRid))
                        .findFirst();
    }

    private void save(Database database, Container container, Container.Identity identity) {
        var stored = Json.object()
                .put("database", database.id())
                .put("created", identity.createdSeconds())
                .put("partitions", identity.partitions())
                .put("etag", container.properties().etag());
        stored.set("body", container.properties().body());
        storedContainers.put(container.rid(), stored.toString());
    }

    private void load() {
        storedDatabases.forEach((id, text) -> {
            var stored = Json.readObject(text(text));
            databases.put(
                    id,
                    new Database(
                            id,
                            stored.path("number").intValue(),
                            stored.path("created").longValue()));
        });
        storedContainers.forEach((rid, text) -> {
            var stored = Json.readObject(text(text));
            var database = database(stored.path("database").textValue());
            var body = (ObjectNode) stored.path("body");
            var properties = ContainerProperties.parse(body, stored.path("etag").textValue());
            database.add(new Container(identity(stored, rid, database), properties, storage, clock));
        });
    }

    private static Container.Identity identity(ObjectNode stored, String rid, Database database) {
        return new Container.Identity(
                rid,
                database.rid(),
                stored.path("created").longValue(),
                stored.path("partitions").intValue());
    }

    /** Resource ids start somewhere else in every account, so that a client that outlives it can't mistake one for another. */
    private synchronized int nextRid() {
        var stored = counters.get(NEXT_RID);
        int next =
                stored == null ? ThreadLocalRandom.current().nextInt(0x01000000, 0x3f000000) : Integer.parseInt(stored);
        counters.put(NEXT_RID, Integer.toString(next + 1));
        return next;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private static String etag(int number) {
        return "\"" + Integer.toHexString(number) + "-0000\"";
    }

    private static byte[] text(@Nullable String stored) {
        if (stored == null) {
            throw new IllegalStateException("The emulator's store lacks an entry it must have");
        }
        return stored.getBytes(StandardCharsets.UTF_8);
    }
}
