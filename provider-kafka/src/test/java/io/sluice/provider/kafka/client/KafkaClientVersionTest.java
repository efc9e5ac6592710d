package io.sluice.provider.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.kafka.KafkaWorkFeed;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("closing its class loader closes jars that other tests of this JVM read")
class KafkaClientVersionTest {
    @TempDir
    Path first;

    /** Builds a feed where Kafka's client says it is of this version. */
    private Object buildWithClient(String version) throws ReflectiveOperationException, IOException {
        Path properties = first.resolve("kafka/kafka-version.properties");
        Files.createDirectories(properties.getParent());
        Files.writeString(properties, "version=" + version);
        try (var loader = new URLClassLoader(classPath().toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Object builder = Class.forName(KafkaWorkFeed.class.getName(), true, loader)
                    .getMethod("builder")
                    .invoke(null);
            builder.getClass()
                    .getMethod("clientProperties", Map.class)
                    .invoke(builder, Map.of("bootstrap.servers", "broker-1:9092"));
            return builder.getClass().getMethod("build").invoke(builder);
        }
    }

    private List<URL> classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(first.toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.9.1", "4.1.1"})
    void no_feed_is_built_where_spring_boot_brings_an_older_client(String version) {
        assertThatThrownBy(() -> buildWithClient(version))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .as("its threads would die later on, and the store be queried for ever")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs kafka-clients 4.2 or newer, the class path has version " + version)
                .hasMessageContaining("<kafka.version>")
                .hasMessageContaining("sluice-bom");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.2.0", "4.3.1", "4.4.0", "5.0.0-rc1", "unknown"})
    void other_clients_will_do(String version) throws Exception {
        assertThat(buildWithClient(version)).isNotNull();
    }

    @Test
    void a_version_that_says_nothing_is_judged_by_what_is_there() {
        assertThatCode(() -> KafkaClientVersion.requireUsable("unknown", () -> true))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> KafkaClientVersion.requireUsable("unknown", () -> false))
                .hasMessageContaining("has version unknown");
    }
}
