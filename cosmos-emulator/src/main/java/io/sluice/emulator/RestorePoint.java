package io.sluice.emulator;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Database;
import io.sluice.emulator.store.Partition;
import java.util.List;

/** What a container held at one moment. A test may restore it as often as it wants. Thread-safe. */
public final class RestorePoint {
    private final Account account;
    private final Database database;
    private final Container container;
    private final List<Partition> copies;

    private RestorePoint(Account account, String database, String container) {
        this.account = account;
        this.database = account.database(database);
        this.container = account.container(database, container);
        this.copies = account.replicas().copy(this.container);
    }

    static RestorePoint of(Account account, String database, String container) {
        try {
            return Uninterrupted.call(() -> new RestorePoint(account, database, container));
        } catch (StatusException e) {
            throw new IllegalArgumentException("There is no container " + database + "/" + container, e);
        }
    }

    /**
     * Restores the container, and returns when it serves requests. The container keeps its resource id, properties and
     * ranges. Its items, change feed and log sequence numbers are those of the restore point, so a feed position or
     * session token that a client got later is ahead of the container. No region is behind afterwards.
     *
     * @throws IllegalStateException when the container was deleted since
     */
    public void restore() {
        try {
            Uninterrupted.run(() -> account.replicas().restore(database, container, copies));
        } catch (StatusException e) {
            throw new IllegalStateException("The container was deleted since the restore point", e);
        }
    }
}
