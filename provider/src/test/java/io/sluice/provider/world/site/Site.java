package io.sluice.provider.world.site;

import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.http.EmulatorServer;
import io.sluice.emulator.http.ServerSettings;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.VersionRetention;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.feed.QueueChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Where worlds are played, one after the other: an emulator with a real socket, and an SDK client for each process.
 * Used by one thread.
 */
public final class Site implements AutoCloseable {
    private static final String DATABASE = "simulation";
    private static final String CONTAINER = "world";
    private static final String REGION = "Emulator";
    private static final int MOST_OPENINGS = 5;

    private final VirtualTime time = new VirtualTime();
    private final Wire wire = new Wire(CONTAINER);
    private final Account account = Account.open(null, 1, new VersionRetention(true), time);
    private final EmulatorServer server;
    private final List<CosmosStore> stores = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** A site for so many processes. */
    public Site(int processes) {
        var settings = new ServerSettings(
                "127.0.0.1", 0, List.of(REGION), null, EmulatorConfig.WELL_KNOWN_KEY, false, 0, true, false, time);
        server = EmulatorServer.start(settings, account, wire);
        var config = new CosmosStoreConfig(
                server.topology().endpoint(REGION), EmulatorConfig.WELL_KNOWN_KEY, DATABASE, CONTAINER);
        patiently(() -> {
            CosmosStore.provision(config);
            return true;
        });
        for (int i = 0; i < processes; i++) {
            stores.add(patiently(() -> CosmosStore.open(config)));
        }
    }

    /** The first client of a JVM takes long to open where much else is under way. */
    private static <T> T patiently(Supplier<T> opening) {
        for (int i = 1; ; i++) {
            try {
                return opening.get();
            } catch (ProviderException e) {
                if (!e.retryable() || i == MOST_OPENINGS) {
                    throw e;
                }
            }
        }
    }

    /** The emulator's time. */
    public VirtualTime time() {
        return time;
    }

    public Wire wire() {
        return wire;
    }

    /** The store as this process reaches it. */
    public CosmosStore store(int process) {
        return stores.get(process);
    }

    public ExecutorService threads() {
        return threads;
    }

    /** Empties the store. */
    public void clear() {
        wire.grant(null);
        var left = new ArrayList<StoredItem>();
        partition().view().items(0).forEachRemaining(left::add);
        partition().write(transaction -> {
            left.forEach(
                    item -> transaction.delete(PartitionKey.parse(item.partitionKey()), item.id(), Precondition.NONE));
            return left.size();
        });
        time.nextWorld();
        account.sweep();
    }

    /** How many documents of a type lie in an instance's partition. */
    public int count(String instance, String type) {
        int count = 0;
        var items = partition().view().items(0);
        while (items.hasNext()) {
            var document = items.next().document();
            if (document.path("instanceId").asText().equals(instance)
                    && document.path("type").asText().equals(type)) {
                count++;
            }
        }
        return count;
    }

    /** How many transactions the store has seen. */
    public long lsn() {
        return partition().lsn();
    }

    /** What changed after this transaction, in order. */
    public List<LoggedChange> changesAfter(long lsn) {
        var changes = new ArrayList<LoggedChange>();
        partition().view().versionsAfter(lsn).forEachRemaining(changes::add);
        return changes;
    }

    /** What is written to the queues from now on, read without a request. */
    public QueueChanges queueChanges() {
        return new PartitionChanges(this::partition);
    }

    private Partition partition() {
        return account.container(DATABASE, CONTAINER).partitions().get(0);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        stores.forEach(CosmosStore::close);
        server.close();
        account.close();
    }
}
