package io.sluice.emulator;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.ContainerCopy;

/** What a container held at one moment; it can be restored to it as often as a test wants. Thread-safe. */
public final class RestorePoint {
    private final Account account;
    private final Container container;
    private final ContainerCopy copy;

    RestorePoint(Account account, Container container) {
        this.account = account;
        this.container = container;
        this.copy = account.copy(container);
    }

    /**
     * Restores the container, and returns when it serves requests. It keeps its resource id, its properties and its
     * ranges; its items, change feed and log sequence numbers are those of the point, so positions in the feed and
     * session tokens from after the point are ahead of it.
     *
     * @throws IllegalStateException when the container was deleted since
     */
    public void restore() {
        try {
            account.restore(container, copy);
        } catch (StatusException e) {
            throw new IllegalStateException("The container was deleted since the restore point", e);
        }
    }
}
