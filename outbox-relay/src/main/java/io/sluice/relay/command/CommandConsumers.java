package io.sluice.relay.command;

import io.sluice.relay.command.parked.ParkedLog;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.BoundedAdmin;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.reply.AllowedReplyTopics;
import io.sluice.relay.reply.ReplyRights;
import io.sluice.relay.reply.ReplyTopics;
import io.sluice.relay.topic.TopicIds;
import io.sluice.relay.topic.Topics;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/**
 * Creates consumers of the commands topic.
 *
 * @param replyTopics names of the topics that replies may go to; a {@code *} at the end stands for any rest
 * @param memory limits the heap for the commands of one batch, and for parked commands
 */
public record CommandConsumers(
        KafkaAccess kafka, Topics topics, List<String> replyTopics, RelayMemory memory, InstantSource clock) {
    public CommandConsumers {
        replyTopics = List.copyOf(replyTopics);
    }

    BoundedAdmin admin() {
        return kafka.adminForReading();
    }

    /** A consumer that joins the group with its first step. */
    CommandConsumer consumer(Admin admin, CommandWorkers workers, PipelineControl control) {
        var consumer = kafka.groupMember(topics.commandsGroup(), "none");
        var parked = new ParkedCommands(new ParkedLog(kafka, admin, topics), memory.parkedBytes(), clock);
        var partitions = new CommandPartitions(consumer, new TopicIds(admin, topics.commands()), parked, clock);
        var allowed = new ReplyTopics(
                new ReplyRights(admin)::fault, topics::isOwn, new AllowedReplyTopics(replyTopics), clock);
        return new CommandConsumer(
                new CommandPoller(consumer, topics.commands(), partitions, control, memory),
                new BatchSettler(consumer, partitions, allowed, workers),
                new BatchCommitter(
                        consumer, partitions, new ReplySender(kafka, allowed), new CommandTransactions(kafka, topics)),
                partitions,
                new IntakeProblem(kafka, topics, clock));
    }
}
