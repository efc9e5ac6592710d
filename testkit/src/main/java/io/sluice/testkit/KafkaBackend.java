package io.sluice.testkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A Kafka in use by the tests of this JVM. */
record KafkaBackend(String bootstrapServers, Runnable stop) implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 60;

    /**
     * Deletes every topic whose name begins with {@code prefix}; returns when the broker lists none of them any more.
     */
    void deleteTopics(String prefix) {
        Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        try {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
            // The controller answers before the broker's own metadata has followed, so a deleted topic may be listed a
            // little longer.
            for (List<String> topics = listed(admin, prefix); !topics.isEmpty(); topics = listed(admin, prefix)) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new TimeoutException("still listed: " + topics);
                }
                for (var deletion : admin.deleteTopics(topics).topicNameValues().values()) {
                    awaitDeletion(deletion::get);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw leftBehind(prefix, e);
        } catch (ExecutionException | TimeoutException e) {
            throw leftBehind(prefix, e);
        } finally {
            admin.close(KafkaTopics.CLOSE_LIMIT);
        }
    }

    private static List<String> listed(Admin admin, String prefix)
            throws InterruptedException, ExecutionException, TimeoutException {
        return admin.listTopics().names().get(TIMEOUT_SECONDS, TimeUnit.SECONDS).stream()
                .filter(topic -> topic.startsWith(prefix))
                .toList();
    }

    private static void awaitDeletion(Deletion deletion)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            deletion.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause()
                    instanceof UnknownTopicOrPartitionException)) { // gone already: the test deleted it itself
                throw e;
            }
        }
    }

    private IllegalStateException leftBehind(String prefix, Exception cause) {
        return new IllegalStateException(
                "topics of a test may stay behind on " + bootstrapServers + ", prefix " + prefix, cause);
    }

    @Override
    public void close() {
        stop.run();
    }

    @FunctionalInterface
    private interface Deletion {
        void await(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException;
    }
}
