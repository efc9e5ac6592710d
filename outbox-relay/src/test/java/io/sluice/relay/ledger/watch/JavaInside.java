package io.sluice.relay.ledger.watch;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A Java process of ours seen from inside, by JMX: attached once, for its whole life. Not thread-safe. */
final class JavaInside implements AutoCloseable {
    private static final double MEGABYTE = 1 << 20;

    private final JMXConnector connector;
    private final MemoryMXBean memory;
    private final BufferPoolMXBean direct;

    private JavaInside(JMXConnector connector, MemoryMXBean memory, BufferPoolMXBean direct) {
        this.connector = connector;
        this.memory = memory;
        this.direct = direct;
    }

    @SuppressWarnings("BanJNDI") // a process that this one has started says where, on this machine
    static JavaInside of(long pid) throws IOException {
        try {
            var machine = VirtualMachine.attach(String.valueOf(pid));
            try {
                var connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                var connection = connector.getMBeanServerConnection();
                return new JavaInside(
                        connector,
                        ManagementFactory.getPlatformMXBean(connection, MemoryMXBean.class),
                        ManagementFactory.getPlatformMXBeans(connection, BufferPoolMXBean.class).stream()
                                .filter(pool -> pool.getName().equals("direct"))
                                .findFirst()
                                .orElseThrow());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException("can't look into process " + pid, e);
        }
    }

    double directMegabytes() {
        return direct.getMemoryUsed() / MEGABYTE;
    }

    /** What is left of the heap when all garbage is gone; collects it. */
    double heapAfterCollectionMegabytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed() / MEGABYTE;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
