package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Disk;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.throughput.PartitionLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The account: its databases, containers and offers. Databases and containers change one at a time. Thread-safe. */
public final class Account implements AutoCloseable {
    private final Storage storage;
    /** What a partition gets of a new container's throughput, so that it can grow. */
    private static final int INITIAL_THROUGHPUT_OF_A_PARTITION = 6_000;
    /** What a partition can serve at most. */
    private static final int MAX_THROUGHPUT_OF_A_PARTITION = 10_000;

    private static final int MAX_PARTITIONS = 256;

    private final int physicalPartitions;
    private final RetentionClock retention;
    private final Catalog catalog;
    private final Map<String, Database> databases = new ConcurrentSkipListMap<>();
    private final Offers offers;
    private final Replicas replicas;
    private final PartitionLimits partitionLimits = new PartitionLimits();

    private Account(Storage storage, int physicalPartitions, VersionRetention versions, InstantSource clock) {
        this.storage = storage;
        this.physicalPartitions = physicalPartitions;
        retention = new RetentionClock(clock, versions);
        catalog = new Catalog(storage, retention);
        offers = new Offers(
                storage.texts("account.offers"), catalog::nextNumber, retention::nowSeconds, storage::commit);
        catalog.load().forEach(database -> databases.put(database.id(), database));
        storage.recover(this::replay);
        replicas = new Replicas(storage, clock, databases::values);
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

    /** The regions that are behind. */
    public Replicas replicas() {
        return replicas;
    }

    /**
     * Lets the writes from now on arrive in a region after a delay.
     *
     * @param delay null for never
     */
    public synchronized void delayReplica(String region, @Nullable Duration delay) {
        replicas.delay(region, delay);
    }

    /** A copy of what a container holds now. */
    public synchronized ContainerCopy copy(Container container) {
        return ContainerCopy.of(container);
    }

    /**
     * Makes a container hold what it held at the time of a copy, with the log sequence numbers of then. No region is
     * behind afterwards.
     *
     * @throws StatusException 404 when it was deleted since
     */
    public synchronized void restore(Container container, ContainerCopy copy) {
        container(container.databaseRid(), container.rid());
        container.restore(copy.partitions());
        replicas.catchUp();
    }

    /** Makes all containers hold what a region has. No region is behind afterwards. */
    public synchronized void loseAllBut(Replica replica) {
        databases()
                .forEach(database ->
                        database.containers().forEach(container -> container.restore(replica.of(container))));
        replicas.catchUp();
    }

    /** The throughput that tests limit partitions to. */
    public PartitionLimits partitionLimits() {
        return partitionLimits;
    }

    /**
     * Creates a database.
     *
     * @throws StatusException 409 when its name is taken, 400 when its name is invalid
     */
    public synchronized Database createDatabase(ObjectNode body) {
        var id = ItemRules.nameOf(body);
        if (databases.containsKey(id)) {
            throw StatusException.conflict();
        }
        var database = new Database(id, catalog.nextNumber(), retention.nowSeconds());
        catalog.put(database);
        databases.put(id, database);
        storage.commit();
        return database;
    }

    /** Deletes a database with everything in it. */
    public synchronized void deleteDatabase(Database database) {
        databases.remove(database.id());
        database.containers().forEach(container -> deleteContainer(database, container));
        catalog.remove(database);
        offers.remove(database.rid());
        storage.commit();
    }

    /**
     * Creates a container without throughput of its own.
     *
     * @throws StatusException as with throughput
     */
    public Container createContainer(Database database, ObjectNode body) {
        return createContainer(database, body, 0);
    }

    /**
     * Creates a container. As on the service, one has a physical partition for each 6 000 request units per second, and
     * at least as many as every container has here.
     *
     * @param throughput bought for it, in request units per second
     * @throws StatusException 409 when its name is taken, 400 when its properties are invalid
     */
    public synchronized Container createContainer(Database database, ObjectNode body, int throughput) {
        int number = catalog.nextNumber();
        var properties = ContainerProperties.parse(body, etag(number));
        if (database.container(properties.id()).isPresent()) {
            throw StatusException.conflict();
        }
        var identity = new Container.Identity(
                ResourceIds.container(database.number(), number), database.rid(), retention.nowSeconds());
        int parts = Math.max(physicalPartitions, partitionsFor(throughput, INITIAL_THROUGHPUT_OF_A_PARTITION));
        var layout = PartitionLayout.equalParts(properties.partitionKey(), parts);
        var container = new Container(identity, layout, properties, storage, retention);
        catalog.put(database, container, layout);
        database.add(container);
        storage.commit();
        return container;
    }

    /**
     * Replaces the properties of a container; its name, keys and conflict resolution policy can't change.
     *
     * @throws StatusException 400 when it would get others of these, 412 when the precondition does not hold
     */
    public synchronized void replaceContainer(
            Database database, Container container, ObjectNode body, @Nullable String ifMatch) {
        var current = container.properties();
        if (ifMatch != null && !ifMatch.equals("*") && !ifMatch.equals(current.etag())) {
            throw StatusException.preconditionFailed();
        }
        container.replaceProperties(current.replacedBy(body, etag(catalog.nextNumber())));
        catalog.put(database, container, container.layout());
        storage.commit();
    }

    /**
     * Splits a physical partition in two. Requests to it wait meanwhile, and get 410 afterwards.
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
        return changeLayout(database, container, container.layout().split(partition.index(), cut));
    }

    /**
     * Merges two neighbouring physical partitions.
     *
     * @param firstId of the range that comes first in the key space
     * @param secondId of the one behind it
     * @return the new partition
     * @throws StatusException 410 when one is gone, 400 when they are not neighbours
     */
    public synchronized Partition merge(Database database, Container container, String firstId, String secondId) {
        int first = partition(container, firstId).index();
        int second = partition(container, secondId).index();
        return changeLayout(database, container, container.layout().merge(first, second))
                .get(0);
    }

    /**
     * Splits the partitions of a container, where it has fewer than can serve its throughput. On the service this takes
     * minutes to hours.
     *
     * @param containerRid of the container; nothing happens when it is a database's
     * @throws StatusException 400 while a region is behind
     */
    public synchronized void grow(String containerRid, int throughput) {
        for (var database : databases()) {
            database.container(containerRid).ifPresent(container -> {
                int needed = partitionsFor(throughput, MAX_THROUGHPUT_OF_A_PARTITION);
                while (container.partitions().size() < needed) {
                    split(database, container, leastSplit(container).id(), null);
                }
            });
        }
    }

    private static Partition leastSplit(Container container) {
        return Collections.min(
                container.partitions(),
                Comparator.comparingInt(partition -> partition.ancestors().size()));
    }

    private static int partitionsFor(int throughput, int ofPartition) {
        return Math.min((throughput + ofPartition - 1) / ofPartition, MAX_PARTITIONS);
    }

    private List<Partition> changeLayout(Database database, Container container, PartitionLayout changed) {
        if (storage.isFollowed()) {
            throw StatusException.badRequest("Partitions can't split or merge while a region is behind.");
        }
        var added = container.changeLayout(changed, () -> catalog.put(database, container, changed));
        storage.commit();
        return added;
    }

    private static Partition partition(Container container, String rangeId) {
        return container
                .partition(rangeId)
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + rangeId));
    }

    /** Deletes a container with its items. Requests that are still running in it get 404. */
    public synchronized void deleteContainer(Database database, Container container) {
        database.remove(container);
        catalog.remove(container);
        offers.remove(container.rid());
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
