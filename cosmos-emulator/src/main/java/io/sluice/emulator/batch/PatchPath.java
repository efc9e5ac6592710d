package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON pointer such as {@code /address/lines/0}; {@code -} means behind an array's end, {@code ~1} and {@code ~0}
 * stand for slash and tilde.
 *
 * @param names along it
 */
record PatchPath(List<String> names) {
    private static final String END = "-";

    PatchPath {
        names = List.copyOf(names);
    }

    /**
     * Reads a path.
     *
     * @throws StatusException 400 when it does not begin with a slash, or a name is empty
     */
    static PatchPath parse(String text) {
        if (!text.startsWith("/") || text.length() < 2) {
            throw StatusException.badRequest(
                    "The patch path '" + text + "' is invalid: it must begin with / and a name");
        }
        var names = new ArrayList<String>();
        for (var name : text.substring(1).split("/", -1)) {
            if (name.isEmpty()) {
                throw StatusException.badRequest("The patch path '" + text + "' is invalid: it has an empty name");
            }
            names.add(name.replace("~1", "/").replace("~0", "~"));
        }
        return new PatchPath(names);
    }

    String root() {
        return names.get(0);
    }

    boolean isRoot(String name) {
        return names.size() == 1 && root().equals(name);
    }

    boolean isBelow(PatchPath other) {
        return names.size() > other.names.size()
                && names.subList(0, other.names.size()).equals(other.names);
    }

    /**
     * The place in a document.
     *
     * @throws StatusException 400 when its parent is not there, or it is no index of an array
     */
    Place in(ObjectNode document) {
        JsonNode parent = document;
        for (var name : names.subList(0, names.size() - 1)) {
            var next = parent instanceof ArrayNode array ? array.get(index(array, name)) : parent.get(name);
            if (next == null) {
                throw StatusException.badRequest("The patch path " + this + " does not exist: no " + name);
            }
            parent = next;
        }
        var last = names.get(names.size() - 1);
        if (parent instanceof ObjectNode object) {
            return new Property(this, object, last);
        }
        if (parent instanceof ArrayNode array) {
            return new Element(this, array, index(array, last));
        }
        throw StatusException.badRequest(
                "The patch path " + this + " does not exist: its parent is no object or array");
    }

    private int index(ArrayNode array, String name) {
        if (name.equals(END)) {
            return array.size();
        }
        boolean digits = !name.isEmpty() && name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
        int index = digits ? Integer.parseInt(name) : -1;
        if (index < 0 || index > array.size()) {
            throw StatusException.badRequest("The patch path " + this + " has no index of the array: " + name);
        }
        return index;
    }

    @Override
    public String toString() {
        return "/" + String.join("/", names);
    }

    /** A place a value is at, or may be put. */
    sealed interface Place {
        @Nullable
        JsonNode value();

        PatchPath path();

        /** Puts a value there; in an array, before the present element. */
        void insert(JsonNode value);

        /** Replaces the value there. */
        void set(JsonNode value);

        void remove();

        /**
         * The value there.
         *
         * @throws StatusException 400 when there is none
         */
        default JsonNode required() {
            var value = value();
            if (value == null) {
                throw StatusException.badRequest("The patch path " + path() + " does not exist");
            }
            return value;
        }
    }

    private record Property(PatchPath path, ObjectNode object, String name) implements Place {
        @Override
        public @Nullable JsonNode value() {
            return object.get(name);
        }

        @Override
        public void insert(JsonNode value) {
            object.set(name, value);
        }

        @Override
        public void set(JsonNode value) {
            object.set(name, value);
        }

        @Override
        public void remove() {
            object.remove(name);
        }
    }

    private record Element(PatchPath path, ArrayNode array, int index) implements Place {
        @Override
        public @Nullable JsonNode value() {
            return array.get(index);
        }

        @Override
        public void insert(JsonNode value) {
            array.insert(index, value);
        }

        @Override
        public void set(JsonNode value) {
            if (index == array.size()) {
                array.add(value);
            } else {
                array.set(index, value);
            }
        }

        @Override
        public void remove() {
            array.remove(index);
        }
    }
}
