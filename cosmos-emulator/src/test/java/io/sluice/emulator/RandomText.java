package io.sluice.emulator;

import java.util.SplittableRandom;

/** Draws texts, and damages them. */
final class RandomText {
    private RandomText() {}

    static String pick(SplittableRandom random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /**
     * The text with some of its characters left out, doubled, swapped or replaced; never with a line's end, which would
     * be another header.
     */
    static String mutated(SplittableRandom random, String text) {
        var changed = new StringBuilder(text);
        var odd = "\"'{}[](),:;.*-+/\\%#@!?<>=|&^~ 019aZ_\t\u00e9\u4e2d";
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            int at = random.nextInt(changed.length() + 1);
            boolean isInside = at < changed.length();
            switch (random.nextInt(5)) {
                case 0 -> changed.insert(at, odd.charAt(random.nextInt(odd.length())));
                case 1 -> {
                    if (isInside) {
                        changed.deleteCharAt(at);
                    }
                }
                case 2 ->
                    changed.insert(at, changed.substring(at, Math.min(changed.length(), at + random.nextInt(1, 12))));
                case 3 -> changed.delete(at, Math.min(changed.length(), at + random.nextInt(1, 12)));
                default -> {
                    if (isInside) {
                        changed.setCharAt(at, odd.charAt(random.nextInt(odd.length())));
                    }
                }
            }
        }
        return changed.toString();
    }

    static byte[] flipped(SplittableRandom random, byte[] bytes, byte to) {
        var changed = bytes.clone();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            changed[random.nextInt(changed.length)] = to;
        }
        return changed;
    }
}
