package io.sluice.emulator.store.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Forces writes from the operating system's cache to the disk. A test replaces it to fail or to count. Thread-safe. */
public interface Disk {
    /** The disk of this machine. */
    Disk REAL = new Disk() {
        @Override
        public void force(FileChannel file) throws IOException {
            file.force(false);
        }

        @Override
        public void forceNames(Path folder) throws IOException {
            // Windows can't open a folder, and does not need it: it writes the name with the file.
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        }
    };

    /** Returns when everything written to a file survives a crash of the machine. */
    void force(FileChannel file) throws IOException;

    /** Returns when the names of new files in a folder survive a crash of the machine. */
    void forceNames(Path folder) throws IOException;
}
