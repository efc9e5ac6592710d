package io.sluice.relay.cli;

import io.sluice.program.FailureReason;
import io.sluice.program.http.Answer;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.rejected.RejectedCommandAdmin;
import io.sluice.relay.rejected.RejectedCommandAdmin.Outcome;
import io.sluice.relay.rejected.RejectedId;
import io.sluice.relay.topic.Topics;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rejected commands on the command line. Needs no running relay; a command that is sent again waits for one. */
@Command(
        name = "commands",
        description = "Lists commands that were rejected, and sends them again.",
        synopsisSubcommandLabel = "rejected|resend")
public final class CommandsCommand extends CommandGroup {
    /** Reads the configuration only when a subcommand needs it. */
    public CommandsCommand(Supplier<RelayConfig> config) {
        super(config);
    }

    @Command(
            name = "rejected",
            description =
                    "Lists the rejected commands that were not sent again, the newest first, of the latest 10 000 records of each "
                            + "partition of the dead letter topic.")
    int rejected(
            @Option(names = "--limit", description = "At most so many (100).") @Nullable Integer limit,
            @Option(names = "--json", description = "As a JSON array.") boolean json)
            throws InterruptedException {
        int most = limit(limit);
        var seen = with(admin -> admin.list(most));
        var all = seen.commands();
        if (seen.notRead() > 0) {
            printError(seen.caveat());
        }
        if (json) {
            print(Answer.json(200, all).body());
            return DONE;
        }
        all.forEach(one -> print("%s  %s  command %s  key %s  %d-%d of the commands topic, sent at %s%s%n    %s"
                .formatted(
                        one.rejectedAt(),
                        one.id(),
                        one.commandId(),
                        one.key() == null ? "none" : one.key(),
                        one.partition(),
                        one.offset(),
                        one.sentAt(),
                        one.whole() ? "" : "  (cut, can't be sent again)",
                        one.reason())));
        print(all.size() + (all.size() == most ? " rejected commands, or more" : " rejected commands"));
        return DONE;
    }

    @Command(
            name = "resend",
            description =
                    "Sends them again unchanged, once each, but for those whose reply topic the relay would refuse. Exits with 1 if one could not be sent.")
    int resend(
            @Parameters(paramLabel = "ID", arity = "0..*", description = "as commands rejected lists them")
                    List<String> ids,
            @Option(names = "--all", description = "All that commands rejected would list without a limit.")
                    boolean all)
            throws InterruptedException {
        if (all == (ids != null && !ids.isEmpty())) {
            throw wrongUsage("resend takes either ids or --all");
        }
        var chosen = all ? List.<RejectedId>of() : ids.stream().map(this::id).toList();
        var outcomes = with(admin -> all ? admin.resendAll() : admin.resend(chosen));
        if (outcomes.isEmpty()) {
            print("0 rejected commands");
        }
        int code = DONE;
        for (var ended : outcomes.entrySet()) {
            if (ended.getValue().outcome() == Outcome.SENT) {
                print(ended.getKey() + " " + Outcome.SENT.words());
            } else {
                printError(ended.getKey() + " not sent: " + ended.getValue().words());
                code = NOT_DONE;
            }
        }
        return code;
    }

    private RejectedId id(String text) {
        try {
            return RejectedId.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    /** An operation on rejected commands. */
    private interface Task<T> {
        T of(RejectedCommandAdmin admin) throws InterruptedException;
    }

    private <T> T with(Task<T> task) throws InterruptedException {
        var kafka = config().kafka();
        var access = kafka.access();
        try {
            return task.of(new RejectedCommandAdmin(access, new Topics(kafka.prefix()), kafka.allowedReplyTopics()));
        } catch (UnknownTopicOrPartitionException e) {
            throw RelayStartException.of(e);
        } catch (KafkaException e) {
            throw new RelayStartException(
                    "Kafka does not answer as it should (" + FailureReason.ofLast(e)
                            + "); check KAFKA_BOOTSTRAP_SERVERS",
                    e);
        }
    }
}
