package io.sluice.durabletask.history;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The strings of one kind of event that the provider's event holds, so that each payload is stored once. */
final class PayloadSlots {
    private final List<Slot> slots;

    private PayloadSlots(List<Slot> slots) {
        this.slots = slots;
    }

    /** Fields by name, of the message or, after a dot, of a message in it. */
    static PayloadSlots of(Descriptor event, String... paths) {
        return new PayloadSlots(
                Arrays.stream(paths).map(path -> Slot.of(event, path)).toList());
    }

    /** Moves the strings out of an event, in the order of the slots; names of absent ones go to {@code absent}. */
    List<String> takeFrom(Message.Builder event, List<String> absent) {
        List<String> strings = new ArrayList<>();
        for (Slot slot : slots) {
            strings.add(slot.takeFrom(event, absent));
        }
        return strings;
    }

    /** Puts strings back where {@link #takeFrom} has found them. */
    void putInto(Message.Builder event, List<String> strings, List<String> absent) {
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).putInto(event, strings.get(i), absent);
        }
    }

    /**
     * One string.
     *
     * @param within the fields that lead to it from the event
     * @param field a string, or a message around one, which may be absent
     */
    private record Slot(String path, List<FieldDescriptor> within, FieldDescriptor field) {
        static Slot of(Descriptor event, String path) {
            String[] names = path.split("\\.", -1);
            List<FieldDescriptor> within = new ArrayList<>();
            Descriptor at = event;
            for (int i = 0; i < names.length - 1; i++) {
                FieldDescriptor field = fieldOf(at, names[i]);
                within.add(field);
                at = field.getMessageType();
            }
            return new Slot(path, List.copyOf(within), fieldOf(at, names[names.length - 1]));
        }

        private static FieldDescriptor fieldOf(Descriptor type, String name) {
            FieldDescriptor field = type.findFieldByName(name);
            if (field == null) {
                throw new IllegalArgumentException(type.getName() + " has no field " + name);
            }
            return field;
        }

        String takeFrom(Message.Builder event, List<String> absent) {
            Message.Builder holder = event;
            for (FieldDescriptor next : within) {
                if (!holder.hasField(next)) {
                    return "";
                }
                holder = holder.getFieldBuilder(next);
            }
            if (isOptional() && !holder.hasField(field)) {
                absent.add(path);
                return "";
            }
            Object value = holder.getField(field);
            holder.clearField(field);
            if (!(value instanceof StringValue text)) {
                return (String) value;
            }
            StringValue rest = text.toBuilder().clearValue().build();
            if (rest.getSerializedSize() > 0) {
                holder.setField(field, rest);
            }
            return text.getValue();
        }

        void putInto(Message.Builder event, String text, List<String> absent) {
            Message.Builder holder = event;
            for (FieldDescriptor next : within) {
                if (!holder.hasField(next)) {
                    return;
                }
                holder = holder.getFieldBuilder(next);
            }
            if (!absent.contains(path)) {
                holder.setField(field, isOptional() ? filled((StringValue) holder.getField(field), text) : text);
            }
        }

        private static StringValue filled(StringValue rest, String text) {
            return rest.toBuilder().setValue(text).build();
        }

        private boolean isOptional() {
            return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        }
    }
}
