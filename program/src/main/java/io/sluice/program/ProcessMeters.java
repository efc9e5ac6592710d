package io.sluice.program;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/** The JVM, the process and the build as meters of a registry, until closed. Thread-safe. */
public final class ProcessMeters implements AutoCloseable {
    /** Listens to the collector, so it has to be told when to stop. */
    private final JvmGcMetrics collector = new JvmGcMetrics();

    /** Registers them; nothing else in a registry may measure the process. */
    public ProcessMeters(MeterRegistry registry) {
        List.of(
                        new JvmInfoMetrics(),
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        collector,
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
        Build build = Build.THIS;
        Tags revision = build.revision().isEmpty() ? Tags.empty() : Tags.of("revision", build.revision());
        Gauge.builder("sluice.build.info", () -> 1)
                .description("1, with what the program was built from as tags")
                .tag("version", build.version())
                .tags(revision)
                .register(registry);
    }

    @Override
    public void close() {
        collector.close();
    }
}
