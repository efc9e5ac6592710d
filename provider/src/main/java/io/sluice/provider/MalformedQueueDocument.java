package io.sluice.provider;

/**
 * A document of a queue that nobody can take, since another program wrote it badly. It is skipped and stays until
 * somebody repairs or deletes it.
 *
 * @param queue {@code orch_queue} or {@code worker_queue}
 * @param partition the value of its partition key as JSON, such as {@code "order-7"} in quotes, or {@code 5}; empty
 *     where it has none
 * @param id of the document
 * @param field that is wrong
 * @param reason the fault, without the document's content
 */
public record MalformedQueueDocument(String queue, String partition, String id, String field, String reason) {}
