package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Disk;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.key.EffectivePartitionKey;
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
    private final Container.Surroundings surroundings;
    private final MVMap<String, String> counters;
    private final MVMap<String, String> storedDatabases;
    private final MVMap<String, String> storedContainers;
    private final Map<String, Database> databases = new ConcurrentSkipListMap<>();
    private final Offers offers;

    private Account(Storage storage, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        this.storage = storage;
        this.physicalPartitions = physicalPartitions;
        this.clock = clock;
        surroundings = new Container.Surroundings(clock, versions);
        counters = storage.texts("account.counters");
        storedDatabases = storage.texts("account.databases");
        storedContainers = storage.texts("account.containers");
        offers = new Offers(storage.texts("account.offers"), this::nextRid, storage::commit);
        load();
        storage.recover(this::replay);
    }

    /**
     * Opens what a folder holds, or an empty account in memory.
     *
     * @param folder where to keep everything, null for nowhere
     * @param physicalPartitions of every container made from now on
     * @param versions how long they keep all versions
     * @throws IllegalStateException when the folder is in use or its files are damaged
     */
    public static Account open(
            @Nullable Path folder, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        return open(folder, null, physicalPartitions, versions, clock);
    }

    /**
     * As {@link #open}, but what is written is forced to the disk before anybody is told of it, so that it outlives the machine.
     *
     * @throws IllegalStateException when the folder is in use or its files are damaged
     */
    public static Account openForced(
            Path folder, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        return open(folder, Disk.REAL, physicalPartitions, versions, clock);
    }

    static Account open(
            @Nullable Path folder,
            @Nullable Disk disk,
            int physicalPartitions,
            VersionRetention versions,
            InstantSource clock) {
        var storage = folder == null ? Storage.inMemory() : Storage.inFolder(folder, disk);
        return new Account(storage, physicalPartitions, versions, clock);
    }

    /** All databases, by name. */
    public List<Database> databases() {
        return List.copyOf(databases.values());
    }

    /**
     * The database with a name or resource id.
     *
     * @throws StatusException 404 when there is none
     */
    public Database database(String idOrRid) {
        return find(idOrRid).orElseThrow(StatusException::notFound);
    }

    /**
     * The container with a name or resource id.
     *
     * @throws StatusException 404 when there is none; with sub-status 1003 when there is not even its database
     */
    public Container container(String database, String container) {
        return owner(database).container(container).orElseThrow(StatusException::notFound);
    }

    /**
     * The database whose containers are asked for.
     *
     * @throws StatusException 404 with sub-status 1003 when there is none
     */
    public Database owner(String database) {
        return find(database).orElseThrow(StatusException::ownerNotFound);
    }

    /**
     * The container whose items or ranges are asked for.
     *
     * @throws StatusException 404 with sub-status 1003 when there is none
     */
    public Container owner(String database, String container) {
        return owner(database).container(container).orElseThrow(StatusException::ownerNotFound);
    }

    /** The throughput bought for databases and containers. */
    public Offers offers() {
        return offers;
    }

    /**
     * Makes a database.
     *
     * @throws StatusException 409 when its name is taken, 400 when it is no name
     */
    public synchronized Database createDatabase(ObjectNode body) {
        var id = ItemRules.idOf(body);
        if (databases.containsKey(id)) {
            throw StatusException.conflict();
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
        storage.commit();
        return database;
    }

    /** Removes a database with all it holds. */
    public synchronized void deleteDatabase(Database database) {
        databases.remove(database.id());
        database.containers().forEach(container -> deleteContainer(database, container));
        storedDatabases.remove(database.id());
        offers.remove(database.rid());
        storage.commit();
    }

    /**
     * Makes a container.
     *
     * @throws StatusException 409 when its name is taken, 400 when its properties are invalid
     */
    public synchronized Container createContainer(Database database, ObjectNode body) {
        int number = nextRid();
        var properties = ContainerProperties.parse(body, etag(number));
        if (database.container(properties.id()).isPresent()) {
            throw StatusException.conflict();
        }
        var identity = new Container.Identity(ResourceIds.container(database.number(), number), database.rid(), now());
        var layout = PartitionLayout.equalParts(properties.partitionKey(), physicalPartitions);
        var container = new Container(identity, layout, properties, storage, surroundings);
        save(database, container, layout);
        database.add(container);
        storage.commit();
        return container;
    }

    /**
     * Gives a container other properties; its name and partition key stay.
     *
     * @throws StatusException 400 when it would get another partition key or name, 412 when the precondition does not hold
     */
    public synchronized void replaceContainer(
            Database database, Container container, ObjectNode body, @Nullable String ifMatch) {
        var current = container.properties();
        if (ifMatch != null && !ifMatch.equals("*") && !ifMatch.equals(current.etag())) {
            throw StatusException.preconditionFailed();
        }
        var replacement = ContainerProperties.parse(body, etag(nextRid()));
        if (!replacement.id().equals(current.id())
                || !replacement.partitionKey().equals(current.partitionKey())) {
            throw StatusException.badRequest("The id and the partition key of a container can't be changed.");
        }
        if (!replacement.uniqueKeys().equals(current.uniqueKeys())) {
            throw StatusException.badRequest("The unique keys of a container can't be changed.");
        }
        container.replaceProperties(replacement);
        save(database, container, container.layout());
        storage.commit();
    }

    /**
     * Cuts a physical partition in two. Requests to it wait meanwhile, and are answered 410 afterwards.
     *
     * @param rangeId of the partition
     * @param at the first effective partition key of the second part, null for the middle of the key space
     * @return the new partitions
     * @throws StatusException 410 when it is gone, 400 when {@code at} is not within it
     */
    public synchronized List<Partition> split(
            Database database, Container container, String rangeId, @Nullable String at) {
        var partition = partition(container, rangeId);
        var keys = partition.range();
        var cut =
                at == null ? EffectivePartitionKey.middle(container.properties().partitionKey(), keys) : at;
        if (cut.compareTo(keys.min()) <= 0 || cut.compareTo(keys.max()) >= 0) {
            throw StatusException.badRequest("The key " + cut + " is not within " + keys + ".");
        }
        return reshape(database, container, container.layout().split(partition.index(), cut));
    }

    /**
     * Makes two neighbouring physical partitions one.
     *
     * @param firstId of the range that comes first in the key space
     * @param secondId of the one behind it
     * @return the new partition
     * @throws StatusException 410 when one is gone, 400 when they are no neighbours
     */
    public synchronized Partition merge(Database database, Container container, String firstId, String secondId) {
        int first = partition(container, firstId).index();
        int second = partition(container, secondId).index();
        return reshape(database, container, container.layout().merge(first, second))
                .get(0);
    }

    private List<Partition> reshape(Database database, Container container, PartitionLayout changed) {
        var coming = container.reshape(changed, () -> save(database, container, changed));
        storage.commit();
        return coming;
    }

    private static Partition partition(Container container, String rangeId) {
        return container
                .partition(rangeId)
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + rangeId));
    }

    /** Removes a container with its items. Requests under way in it are answered 404. */
    public synchronized void deleteContainer(Database database, Container container) {
        database.remove(container);
        storedContainers.remove(container.rid());
        offers.remove(container.rid());
        container.drop();
        storage.commit();
    }

    /** Removes for good what nobody sees any more: expired items, and partitions that split or merged. */
    public void sweep() {
        databases().forEach(database -> database.containers().forEach(Container::sweep));
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

    private void save(Database database, Container container, PartitionLayout layout) {
        var stored = Json.object()
                .put("database", database.id())
                .put("created", container.identity().createdSeconds())
                .put("etag", container.properties().etag());
        stored.set("body", container.properties().body());
        stored.set("layout", layout.toJson());
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
            var identity = new Container.Identity(
                    rid, database.rid(), stored.path("created").longValue());
            database.add(new Container(
                    identity, PartitionLayout.parse(stored.path("layout")), properties, storage, surroundings));
        });
    }

    /** A partition that is not there any more had all it held stored when it went. */
    private void replay(JournalEntry entry) {
        for (var database : databases()) {
            for (var container : database.containers()) {
                container.partitions().stream()
                        .filter(partition -> partition.mapPrefix().equals(entry.partition()))
                        .forEach(partition -> partition.replay(entry));
            }
        }
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
