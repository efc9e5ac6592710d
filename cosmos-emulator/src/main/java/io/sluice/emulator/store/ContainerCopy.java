package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.Storage;
import java.util.List;

/**
 * What a container held at one moment. Immutable.
 *
 * @param partitions that no one writes to
 */
public record ContainerCopy(List<Partition> partitions) {
    static ContainerCopy of(Container container) {
        return new ContainerCopy(container.copyTo(Storage.inMemory()));
    }
}
