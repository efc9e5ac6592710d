package io.sluice.durabletask.wire;

import com.google.protobuf.StringValue;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Failures that the host reports itself, and what remains of one that has no room. */
public final class Failures {
    /** Type of the failure of what carries more than the store holds. */
    public static final String TOO_LARGE = "PayloadTooLarge";

    /** Most levels of a failure that are stored: its own and those of its inner failures. */
    private static final int MOST_LEVELS = 32;

    /** How deep the properties of one level nest at most: what is around them has its place in a hundred levels. */
    private static final int MOST_NESTED = 50;

    private static final int SHORT_STACK_TRACE = 4_000;
    private static final int LONG_MESSAGE = 16_000;
    private static final int SHORT_MESSAGE = 1_000;
    private static final int SHORT_TYPE = 200;

    private static final List<UnaryOperator<TaskFailureDetails>> CUTS = List.of(
            UnaryOperator.identity(),
            failure -> withStackTraces(failure, SHORT_STACK_TRACE),
            failure -> withStackTraces(failure, 0),
            failure -> alone(failure, LONG_MESSAGE),
            failure -> alone(failure, SHORT_MESSAGE));

    private Failures() {}

    /**
     * The failure of something that carries more than the store holds; trying it again is of no use.
     *
     * @param message names what is too large, its size and the limit
     */
    public static TaskFailureDetails tooLarge(String message) {
        return TaskFailureDetails.newBuilder()
                .setErrorType(TOO_LARGE)
                .setErrorMessage(message)
                .setIsNonRetriable(true)
                .build();
    }

    /**
     * The failure as far as SDKs can read it: at most {@value #MOST_LEVELS} levels, each without its properties where
     * they nest too deep. The message of a level that has lost something says so.
     */
    public static TaskFailureDetails readable(TaskFailureDetails failure) {
        return readable(failure, levels(failure), 1);
    }

    private static int levels(TaskFailureDetails failure) {
        int levels = 1;
        for (TaskFailureDetails at = failure; at.hasInnerFailure(); at = at.getInnerFailure()) {
            levels++;
        }
        return levels;
    }

    private static TaskFailureDetails readable(TaskFailureDetails failure, int all, int level) {
        TaskFailureDetails.Builder readable =
                readableAlone(failure.toBuilder().clearInnerFailure().build()).toBuilder();
        if (failure.hasInnerFailure() && level < MOST_LEVELS) {
            readable.setInnerFailure(readable(failure.getInnerFailure(), all, level + 1));
        } else if (failure.hasInnerFailure()) {
            readable.setErrorMessage(readable.getErrorMessage() + "… (cut: had " + all + " levels of inner failures)");
        }
        return readable.build();
    }

    private static TaskFailureDetails readableAlone(TaskFailureDetails failure) {
        if (Wire.isNestedWithin(MOST_NESTED, failure)) {
            return failure;
        }
        TaskFailureDetails.Builder readable = TaskFailureDetails.newBuilder()
                .setErrorType(failure.getErrorType())
                .setErrorMessage(
                        failure.getErrorMessage() + "… (cut: had properties of more than " + MOST_NESTED + " levels)")
                .setIsNonRetriable(failure.getIsNonRetriable());
        if (failure.hasStackTrace()) {
            readable.setStackTrace(Wire.text(failure.getStackTrace().getValue()));
        }
        return readable.build();
    }

    /**
     * The failure, then ever shorter versions of it, of which the first that has room is to be taken: stack traces go
     * first, then inner failures and properties, then the end of the message. The last one takes less than 10 KB.
     */
    public static Stream<TaskFailureDetails> shortened(TaskFailureDetails failure) {
        return CUTS.stream().map(cut -> cut.apply(failure));
    }

    private static TaskFailureDetails withStackTraces(TaskFailureDetails failure, int characters) {
        TaskFailureDetails.Builder shorter = failure.toBuilder();
        if (characters == 0) {
            shorter.clearStackTrace();
        } else if (failure.hasStackTrace()) {
            shorter.setStackTrace(StringValue.of(cut(failure.getStackTrace().getValue(), characters)));
        }
        if (failure.hasInnerFailure()) {
            shorter.setInnerFailure(withStackTraces(failure.getInnerFailure(), characters));
        }
        return shorter.build();
    }

    private static TaskFailureDetails alone(TaskFailureDetails failure, int characters) {
        return TaskFailureDetails.newBuilder()
                .setErrorType(cut(failure.getErrorType(), SHORT_TYPE))
                .setErrorMessage(cut(failure.getErrorMessage(), characters))
                .setIsNonRetriable(failure.getIsNonRetriable())
                .build();
    }

    private static String cut(String text, int characters) {
        if (text.length() <= characters) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(characters - 1)) ? characters - 1 : characters;
        return text.substring(0, end) + "… (cut: had " + text.length() + " characters)";
    }
}
