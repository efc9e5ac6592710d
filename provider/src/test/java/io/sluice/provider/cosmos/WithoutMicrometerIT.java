package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.CosmosAccount;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Micrometer is optional: a provider works where its classes are missing. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WithoutMicrometerIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @Test
    void a_provider_works_without_it() throws Exception {
        try (WithoutMicrometer loader = new WithoutMicrometer()) {
            assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
                    .isInstanceOf(ClassNotFoundException.class);
            Class<?> type = loader.loadClass(UseOfAProvider.class.getName());
            assertThat(type.getClassLoader()).isSameAs(loader);
            Object use = type.getConstructor(String.class, String.class, String.class, String.class)
                    .newInstance(account.endpoint(), account.key(), account.database(), account.container());

            assertThat(call(use)).isEqualTo("order-1");
        }
    }

    private static Object call(Object use) throws Exception {
        try {
            return ((Callable<?>) use).call();
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** The class path of this test, loaded anew, without Micrometer; the SDK and the JDK are shared. */
    private static final class WithoutMicrometer extends URLClassLoader {
        WithoutMicrometer() throws MalformedURLException {
            super(urls(), WithoutMicrometerIT.class.getClassLoader());
        }

        private static URL[] urls() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.micrometer.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.sluice.provider.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
