package io.sluice.provider.request;

import com.azure.cosmos.CosmosException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.NewerDocumentException;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one place where a store's answer becomes a {@link ProviderException}. Retryable is whatever may
 * pass, by itself or because somebody gives a new key or grants a role; permanent is only what is wrong with this very
 * request, for a permanent error makes a runtime give up a healthy orchestration.
 */
public final class Failures {
    /** Statuses beside which a substatus of the client library's own says that it heard nothing. */
    private static final Set<Integer> SILENT = Set.of(10_001, 10_002, 10_006, 20_001, 20_002, 20_008, 20_911);

    private Failures() {}

    /** Whether what the client library threw means that the store gave no answer: the status is the library's own. */
    public static boolean isSilence(CosmosException failure) {
        return failure.getStatusCode() == StatusCodes.NONE || SILENT.contains(failure.getSubStatusCode());
    }

    /** The failure that an unfavourable answer amounts to, for a caller with nothing better to make of it. */
    public static ProviderException of(Call call, WriteOutcome outcome) {
        return outcome.match(
                committed -> retryable(call, "somebody else was faster", null),
                refused -> refused.isNotFound()
                        ? ProviderException.permanent(call.operation(), about(call) + ": the document is gone")
                        : retryable(call, "somebody else was faster", null),
                ambiguous -> retryable(call, "the outcome is unknown, " + ambiguous.message(), ambiguous.cause()),
                failed -> ofFailed(call, failed));
    }

    private static ProviderException ofFailed(Call call, WriteOutcome.Failed failed) {
        if (failed instanceof WriteOutcome.Rejected rejected) {
            String text = rejected.message() + remedy(rejected);
            return rejected.isAboutTheStore()
                    ? retryable(call, text, rejected.cause())
                    : ProviderException.permanent(call.operation(), about(call) + ": " + text, rejected.cause());
        }
        boolean throttled = failed instanceof WriteOutcome.Throttled;
        return retryable(
                call, failed.message() + (throttled ? "; raise its throughput or slow down" : ""), failed.cause());
    }

    /** Throws the failure that an answer amounts to, where a result is expected. */
    public static <T> Function<WriteOutcome, T> throwing(Call call) {
        return outcome -> {
            throw of(call, outcome);
        };
    }

    /** A call whose thread was interrupted; sets the flag again. */
    public static ProviderException interrupted(Call call, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return retryable(call, "interrupted; the outcome of a request under way is unknown", cause);
    }

    /** A request that was not sent, since too many of this process are under way. */
    static ProviderException tooManyAtOnce(Call call, int most) {
        return retryable(
                call, "this process has " + most + " requests under way, its limit, and none of them ended", null);
    }

    /** A write whose answers are lost, however often it is tried. */
    public static ProviderException unknown(Call call) {
        return retryable(call, "writes get no answer; the outcome is unknown", null);
    }

    /** A lock that is not, or no longer, the caller's. */
    public static ProviderException lockLost(String operation, String subject, String why) {
        OperationCost.lockWasLost();
        return ProviderException.permanent(
                operation, "Invalid lock token: the lock on " + subject + " is lost (" + why + ")");
    }

    /** A stored document that can't be read. */
    public static ProviderException corrupt(Call call, RuntimeException cause) {
        if (cause instanceof NewerDocumentException newer) {
            OperationCost.newerMet(String.valueOf(newer.getMessage()));
        }
        return ProviderException.permanent(call.operation(), about(call) + ": " + cause.getMessage(), cause);
    }

    /** The same, with what to do. */
    public static ProviderException corrupt(Call call, MalformedDocumentException cause, String remedy) {
        return ProviderException.permanent(
                call.operation(), about(call) + ": " + cause.getMessage() + "; " + remedy, cause);
    }

    private static ProviderException retryable(Call call, String text, @Nullable Throwable cause) {
        return ProviderException.retryable(call.operation(), about(call) + ": " + text, cause);
    }

    private static String about(Call call) {
        return call.operation() + " on " + call.subject() + " failed";
    }

    private static String remedy(WriteOutcome.Rejected rejected) {
        return switch (rejected.statusCode()) {
            case StatusCodes.UNAUTHORIZED -> "; check the account key (COSMOS_KEY) and this machine's clock";
            case StatusCodes.FORBIDDEN ->
                rejected.isPartitionFull()
                        ? "; the instance's partition is full, a logical partition may have 20 GB: prune its executions or"
                                + " delete the instance"
                        : "; check the firewall and the role of this identity (docs/least-role.md)";
            case StatusCodes.TOO_LARGE -> "; a document may have 2 MB";
            case StatusCodes.NOT_FOUND -> "; provision the container";
            default -> "";
        };
    }
}
