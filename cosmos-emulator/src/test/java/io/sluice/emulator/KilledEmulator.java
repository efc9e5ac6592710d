package io.sluice.emulator;

import java.nio.file.Path;

/** An emulator in a process of its own, which says where it listens and waits to be killed. */
final class KilledEmulator {
    private KilledEmulator() {}

    /**
     * Runs until it is killed.
     *
     * @param args the folder
     */
    public static void main(String[] args) throws InterruptedException {
        var emulator = CosmosEmulator.start(EmulatorConfig.inFolder(Path.of(args[0])));
        System.out.println(emulator.endpoint());
        System.out.flush();
        Thread.currentThread().join();
    }
}
