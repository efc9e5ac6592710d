package io.sluice.client;

import java.util.concurrent.CompletableFuture;

/**
 * A command on its way whose reply is awaited.
 *
 * @param commandId given or new: what to repeat it by
 * @param sent when all replicas of Kafka have it; fails with {@link CommandException}
 * @param reply how it ended; fails with {@link CommandException}, when sending fails too
 */
public record AskedCommand(String commandId, CompletableFuture<SentCommand> sent, CompletableFuture<Reply> reply) {}
