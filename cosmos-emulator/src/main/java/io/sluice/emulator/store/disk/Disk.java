package io.sluice.emulator.store.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The disk beneath a folder, on which what was written is only when it was forced there. Thread-safe. */
public interface Disk {
    /** The one there is. */
    Disk REAL = new Disk() {
        @Override
        public void force(FileChannel file) throws IOException {
            file.force(false);
        }

        @Override
        public void forceNames(Path folder) throws IOException {
            // Windows opens no folders, and needs none: it writes names with the file.
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        }
    };

    /** Returns when what has been written to a file outlives the machine. */
    void force(FileChannel file) throws IOException;

    /** Returns when the files made in a folder are found in it after the machine has died. */
    void forceNames(Path folder) throws IOException;
}
