package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Functions on dates as ISO 8601 text, as milliseconds and as ticks of 100 ns since 1970. */
final class DateTimeFunctions {
    private static final int MOST_PARTS = 7;

    static final List<BuiltIn> ALL = List.of(
            BuiltIn.of("AGO", 2, arguments -> sinceNow(arguments, -1)),
            BuiltIn.of("DATETIMEADD", 3, DateTimeFunctions::add),
            new BuiltIn("DATETIMEBIN", 2, 4, DateTimeFunctions::bin),
            BuiltIn.of("DATETIMEDIFF", 3, DateTimeFunctions::difference),
            BuiltIn.of("DATETIMEFORMAT", 2, DateTimeFunctions::format),
            new BuiltIn("DATETIMEFROMPARTS", 3, MOST_PARTS, DateTimeFunctions::fromParts),
            BuiltIn.of("DATETIMEPART", 2, DateTimeFunctions::part),
            parsing("DATETIMETOTICKS", DateTimes::ticks),
            parsing("DATETIMETOTIMESTAMP", at -> at.toInstant(ZoneOffset.UTC).toEpochMilli()),
            partOf("DAY", DateTimePart.DAY),
            now("GETCURRENTDATETIME", DateTimeFunctions::text),
            now("GETCURRENTDATETIMESTATIC", DateTimeFunctions::text),
            now("GETCURRENTTICKS", DateTimeFunctions::ticks),
            now("GETCURRENTTICKSSTATIC", DateTimeFunctions::ticks),
            now("GETCURRENTTIMESTAMP", instant -> JsonValues.of(instant.toEpochMilli())),
            now("GETCURRENTTIMESTAMPSTATIC", instant -> JsonValues.of(instant.toEpochMilli())),
            partOf("MONTH", DateTimePart.MONTH),
            new BuiltIn(
                    "NOW", 0, 2, arguments -> arguments.isGiven(0) ? sinceNow(arguments, 1) : text(arguments.now())),
            BuiltIn.of("TICKSTODATETIME", 1, arguments -> fromWhole(arguments, DateTimes::ofTicks)),
            BuiltIn.of("TIMESTAMPTODATETIME", 1, arguments -> fromWhole(arguments, DateTimes::ofMillis)),
            partOf("YEAR", DateTimePart.YEAR));

    private DateTimeFunctions() {}

    private static BuiltIn now(String name, Function<Instant, JsonNode> format) {
        return BuiltIn.of(name, 0, arguments -> format.apply(arguments.now()));
    }

    private static JsonNode text(Instant instant) {
        return JsonValues.of(DateTimes.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)));
    }

    private static JsonNode ticks(Instant instant) {
        return JsonValues.of(DateTimes.ticks(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)));
    }

    private static BuiltIn partOf(String name, DateTimePart part) {
        return parsing(name, part::of);
    }

    private static BuiltIn parsing(String name, ToLongFunction<LocalDateTime> measure) {
        return BuiltIn.of(name, 1, arguments -> {
            LocalDateTime at = dateTime(arguments, 0);
            return at == null ? JsonValues.UNDEFINED : JsonValues.of(measure.applyAsLong(at));
        });
    }

    private static @Nullable LocalDateTime dateTime(Arguments arguments, int place) {
        return arguments.isText(place) ? DateTimes.parse(arguments.text(place)) : null;
    }

    private static @Nullable DateTimePart partOf(Arguments arguments, int place) {
        return arguments.isText(place) ? DateTimePart.named(arguments.text(place)) : null;
    }

    /** The text of the date that is made; undefined when there is no such date. */
    private static JsonNode made(java.util.function.Supplier<LocalDateTime> maker) {
        try {
            LocalDateTime at = maker.get();
            return DateTimes.isInRange(at) ? JsonValues.of(DateTimes.format(at)) : JsonValues.UNDEFINED;
        } catch (DateTimeException | ArithmeticException noSuchDate) {
            return JsonValues.UNDEFINED;
        }
    }

    private static JsonNode fromWhole(Arguments arguments, Function<Long, LocalDateTime> maker) {
        return arguments.isWhole(0) ? made(() -> maker.apply(arguments.whole(0))) : JsonValues.UNDEFINED;
    }

    private static JsonNode add(Arguments arguments) {
        DateTimePart part = partOf(arguments, 0);
        LocalDateTime at = dateTime(arguments, 2);
        if (part == null || at == null || !arguments.isWhole(1)) {
            return JsonValues.UNDEFINED;
        }
        return made(() -> part.add(at, arguments.whole(1)));
    }

    /** This moment and so many parts more ({@code sign} 1) or less (-1). */
    private static JsonNode sinceNow(Arguments arguments, int sign) {
        DateTimePart part = partOf(arguments, 0);
        if (part == null || !arguments.isWhole(1)) {
            return JsonValues.UNDEFINED;
        }
        LocalDateTime now = LocalDateTime.ofInstant(arguments.now(), ZoneOffset.UTC);
        return made(() -> part.add(now, Math.multiplyExact(sign, arguments.whole(1))));
    }

    private static JsonNode format(Arguments arguments) {
        LocalDateTime at = dateTime(arguments, 0);
        return at == null || !arguments.isText(1)
                ? JsonValues.UNDEFINED
                : JsonValues.of(DateTimePattern.format(at, arguments.text(1)));
    }

    private static JsonNode part(Arguments arguments) {
        DateTimePart part = partOf(arguments, 0);
        LocalDateTime at = dateTime(arguments, 1);
        return part == null || at == null ? JsonValues.UNDEFINED : JsonValues.of(part.of(at));
    }

    /** How many borders of the part lie between the two, not how long the time between them is. */
    private static JsonNode difference(Arguments arguments) {
        DateTimePart part = partOf(arguments, 0);
        LocalDateTime from = dateTime(arguments, 1);
        LocalDateTime until = dateTime(arguments, 2);
        if (part == null || from == null || until == null) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(part.borders(until) - part.borders(from));
    }

    /** The start of the bin a date falls into; years and months have no fixed length and thus no bins. */
    private static JsonNode bin(Arguments arguments) {
        LocalDateTime at = dateTime(arguments, 0);
        DateTimePart part = partOf(arguments, 1);
        LocalDateTime origin = arguments.isGiven(3) ? dateTime(arguments, 3) : DateTimes.ofTicks(0);
        boolean isSized = !arguments.isGiven(2) || (arguments.isWhole(2) && arguments.whole(2) > 0);
        if (at == null || part == null || origin == null || !isSized || part.ticks() == 0) {
            return JsonValues.UNDEFINED;
        }
        return made(() -> {
            long size = Math.multiplyExact(part.ticks(), arguments.isGiven(2) ? arguments.whole(2) : 1);
            long start = DateTimes.ticks(origin);
            return DateTimes.ofTicks(start + Math.floorDiv(DateTimes.ticks(at) - start, size) * size);
        });
    }

    private static JsonNode fromParts(Arguments arguments) {
        if (!IntStream.range(0, arguments.size()).allMatch(arguments::isWhole)) {
            return JsonValues.UNDEFINED;
        }
        int[] parts = new int[MOST_PARTS];
        for (int i = 0; i < arguments.size(); i++) {
            long part = arguments.whole(i);
            if (part < 0 || part >= DateTimes.TICKS_PER_SECOND) {
                return JsonValues.UNDEFINED;
            }
            parts[i] = (int) part;
        }
        return made(() -> LocalDateTime.of(
                parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6] * DateTimes.NANOS_PER_TICK));
    }
}
