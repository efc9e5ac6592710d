package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Disk;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.throughput.PartitionLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The account: its databases, containers and offers. Databases and containers change one at a time. Thread-safe. */
public final class Account implements AutoCloseable {
    private final Storage storage;
    private final RetentionClock retention;
    private final Catalog catalog;
    private final Map<String, Database> databases = new ConcurrentSkipListMap<>();
    private final Offers offers;
    private final Replicas replicas;
    private final Repartitioning repartitioning;
    private final PartitionLimits partitionLimits = new PartitionLimits();

    Account(Storage storage, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        this.storage = storage;
        retention = new RetentionClock(clock, versions);
        catalog = new Catalog(storage, retention);
        offers = new Offers(storage.texts("account.offers"), catalog::nextNumber, retention::nowSeconds);
        catalog.load().forEach(database -> databases.put(database.id(), database));
        storage.recover(this::replay);
        replicas = new Replicas(this, storage, clock, databases::values);
        repartitioning = new Repartitioning(this, storage, catalog, physicalPartitions);
    }

    /**
     * Opens the account in a folder, or an empty one in memory.
     *
     * @param folder of the files, null to keep everything in memory
     * @param physicalPartitions of every container created from now on
     * @param versions how long containers keep all versions
     * @throws IllegalStateException when the folder is in use or its files are damaged
     */
    public static Account open(
            @Nullable Path folder, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        return open(folder, null, physicalPartitions, versions, clock);
    }

    /**
     * As {@link #open}, but every write is forced to the disk before it is answered or read, so that it survives a
     * crash of the machine.
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
     * The database of a request for its containers.
     *
     * @throws StatusException 404 with sub-status 1003 when there is none
     */
    public Database owner(String database) {
        return find(database).orElseThrow(StatusException::ownerNotFound);
    }

    /**
     * The container of a request for its items or partition key ranges.
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

    /** What regions that are behind have, and what containers held earlier. */
    public Replicas replicas() {
        return replicas;
    }

    /** Splits and merges of physical partitions. */
    public Repartitioning repartitioning() {
        return repartitioning;
    }

    /** The throughput that tests limit partitions to. */
    public PartitionLimits partitionLimits() {
        return partitionLimits;
    }

    /**
     * Creates a database.
     *
     * @param offer the content of the offer for it, null for none
     * @throws StatusException 409 when its name is taken, 400 when its name is invalid
     */
    public synchronized Database createDatabase(ObjectNode body, @Nullable ObjectNode offer) {
        var id = ItemRules.nameOf(body);
        if (databases.containsKey(id)) {
            throw StatusException.conflict();
        }
        var database = new Database(id, catalog.nextNumber(), retention.nowSeconds());
        storage.transact(() -> {
            catalog.put(database);
            offers.put(database.rid(), database.selfLink(), offer);
        });
        databases.put(id, database);
        storage.commit();
        return database;
    }

    /**
     * Deletes a database with everything in it.
     *
     * @throws StatusException 404 when it is gone, 412 when the precondition does not hold
     */
    public synchronized void deleteDatabase(Database database, Precondition precondition) {
        if (!isPresent(database)) {
            throw StatusException.notFound();
        }
        precondition.check(database.etag());
        databases.remove(database.id());
        database.containers().forEach(container -> deleteContainer(database, container, Precondition.NONE));
        storage.transact(() -> {
            catalog.remove(database);
            offers.remove(database.rid());
        });
        storage.commit();
    }

    /**
     * Creates a container. As on the service, one has a physical partition for each 6 000 request units per second, and
     * at least as many as every container has here.
     *
     * @param offer the content of the offer for it, null for none
     * @throws StatusException 404 when the database is gone, 409 when its name is taken, 400 when its properties are
     *     invalid
     */
    public synchronized Container createContainer(Database database, ObjectNode body, @Nullable ObjectNode offer) {
        if (!isPresent(database)) {
            throw StatusException.ownerNotFound();
        }
        // Only of a new one: a folder may have longer names, of a version that took them.
        ItemRules.nameOf(body);
        int number = catalog.nextNumber();
        var properties = ContainerProperties.parse(body, etag(number));
        if (database.container(properties.id()).isPresent()) {
            throw StatusException.conflict();
        }
        var identity = new Container.Identity(
                ResourceIds.container(database.number(), number), database.rid(), retention.nowSeconds());
        int partitions = repartitioning.initialPartitions(offer == null ? 0 : Offers.requestUnits(offer));
        var layout = PartitionLayout.equalParts(properties.partitionKey(), partitions);
        var container = new Container(identity, layout, properties, storage, retention);
        storage.transact(() -> {
            catalog.put(database, container, layout);
            offers.put(container.rid(), container.selfLink(), offer);
        });
        // Before anyone finds it and writes to it: the journal of a container that the file lacks is not replayed.
        storage.commit();
        database.add(container);
        return container;
    }

    /**
     * Replaces the properties of a container; its name, keys and conflict resolution policy can't change.
     *
     * @throws StatusException 400 when it would get others of these, 404 when it is gone, 412 when the precondition
     *     does not hold
     */
    public synchronized void replaceContainer(
            Database database, Container container, ObjectNode body, Precondition precondition) {
        database.checkPresent(container);
        var current = container.properties();
        precondition.check(current.etag());
        container.replaceProperties(current.replacedBy(body, etag(catalog.nextNumber())));
        catalog.put(database, container, container.layout());
        storage.commit();
    }

    /**
     * Replaces the content of an offer. A container that needs more partitions for its throughput gets them first.
     *
     * @throws StatusException 404 if it is gone, 412 if the precondition does not hold, 400 if a region is behind then
     */
    public synchronized ObjectNode replaceOffer(String id, ObjectNode content, Precondition precondition) {
        var offer = offers.find(id).orElseThrow(StatusException::notFound);
        precondition.check(offer.path("_etag").asText());
        grow(offer.path("offerResourceId").asText(), Offers.requestUnits(content));
        offers.replace(offer, content);
        storage.commit();
        return offer;
    }

    /** Splits the partitions of a container, where it has fewer than can serve its throughput; of a database, none. */
    private void grow(String resourceRid, int throughput) {
        for (var database : databases.values()) {
            database.containerByRid(resourceRid)
                    .ifPresent(container -> repartitioning.grow(database, container, throughput));
        }
    }

    /**
     * Deletes a container with its items. Requests that are still running in it get 404.
     *
     * @throws StatusException 404 when it is gone, 412 when the precondition does not hold
     */
    public synchronized void deleteContainer(Database database, Container container, Precondition precondition) {
        database.checkPresent(container);
        precondition.check(container.properties().etag());
        database.remove(container);
        storage.transact(() -> {
            catalog.remove(container);
            offers.remove(container.rid());
        });
        partitionLimits.set(container.rid(), 0);
        container.drop();
        storage.commit();
    }

    /** Removes expired items, old versions, and partitions that have split or merged. */
    public void sweep() {
        databases().forEach(database -> database.containers().forEach(Container::sweep));
    }

    @Override
    public void close() {
        storage.close();
    }

    /** Whether a database that a request found is still there: it may have waited for the deletion. */
    private boolean isPresent(Database database) {
        return databases.get(database.id()) == database;
    }

    private Optional<Database> find(String idOrRid) {
        var byName = Optional.ofNullable(databases.get(idOrRid));
        return byName.isPresent()
                ? byName
                : databases.values().stream()
                        .filter(database -> database.rid().equals(idOrRid))
                        .findFirst();
    }

    /** An entry of a partition that is gone is skipped: the store has had all its items since the partition went. */
    private void replay(JournalEntry entry) {
        for (var database : databases()) {
            for (var container : database.containers()) {
                container.partitions().stream()
                        .filter(partition -> partition.mapPrefix().equals(entry.partition()))
                        .forEach(partition -> partition.replay(entry));
            }
        }
    }

    private static String etag(int number) {
        return "\"" + Integer.toHexString(number) + "-0000\"";
    }
}
