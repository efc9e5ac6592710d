package io.sluice.durabletask.history;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Events of every kind with random contents: fields absent, empty and full, and fields that nobody knows. */
final class RandomEvents {
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "null",
            "\"quoted\"",
            "back\\slash",
            "tab\tline\nend\u0000",
            "grüß 日本語 🙂",
            "{\"a\":[1,2,{\"b\":null}]}",
            "x".repeat(3_000));
    private static final int DEEPEST = 4;
    private static final int UNKNOWN_FIELD = 4_711;

    private final SplittableRandom random;

    RandomEvents(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The kinds that a history holds. */
    static List<EventTypeCase> storedKinds() {
        return Arrays.stream(EventTypeCase.values())
                .filter(kind -> switch (kind) {
                    case ORCHESTRATORSTARTED, ORCHESTRATORCOMPLETED, GENERICEVENT, HISTORYSTATE, EVENTTYPE_NOT_SET ->
                        false;
                    default -> true;
                })
                .toList();
    }

    Protocol.HistoryEvent any() {
        List<EventTypeCase> kinds = storedKinds();
        return of(kinds.get(random.nextInt(kinds.size())));
    }

    Protocol.HistoryEvent of(EventTypeCase kind) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(random.nextInt());
        FieldDescriptor field = Protocol.HistoryEvent.getDescriptor().findFieldByNumber(kind.getNumber());
        event.setField(field, message(event.newBuilderForField(field), 0));
        if (random.nextInt(10) > 0) {
            event.getTimestampBuilder().setSeconds(random.nextLong(1L << 33)).setNanos(random.nextInt(1_000_000_000));
        }
        addUnknown(event);
        return event.build();
    }

    private Message message(Message.Builder message, int depth) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (random.nextInt(3) == 0 || depth > DEEPEST) {
                continue;
            }
            if (field.isRepeated()) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    message.addRepeatedField(field, value(message, field, depth));
                }
            } else {
                message.setField(field, value(message, field, depth));
            }
        }
        addUnknown(message);
        return message.build();
    }

    private Object value(Message.Builder message, FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case INT -> random.nextInt();
            case LONG -> random.nextLong(1L << 33);
            case BOOLEAN -> random.nextBoolean();
            case DOUBLE -> random.nextDouble();
            case FLOAT -> (float) random.nextDouble();
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
            case BYTE_STRING -> ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
            case MESSAGE -> message(message.newBuilderForField(field), depth + 1);
        };
    }

    private void addUnknown(Message.Builder message) {
        boolean isMapEntry = message.getDescriptorForType().getOptions().getMapEntry();
        if (!isMapEntry && random.nextInt(8) == 0) {
            message.setUnknownFields(UnknownFieldSet.newBuilder()
                    .addField(
                            UNKNOWN_FIELD,
                            UnknownFieldSet.Field.newBuilder()
                                    .addVarint(random.nextLong())
                                    .build())
                    .build());
        }
    }
}
