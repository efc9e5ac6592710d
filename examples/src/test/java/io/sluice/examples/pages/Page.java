package io.sluice.examples.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page's blocks, in order.
 *
 * @param name of the file
 * @param blocks with commands, listings and whatever else is fenced
 */
record Page(String name, List<Block> blocks) {
    private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*)");
    private static final Pattern COMMENT = Pattern.compile("\\s*<!-- (.*) -->");

    Page {
        blocks = List.copyOf(blocks);
    }

    /** Reads a file of the repository. */
    static Page read(Path root, String name) throws IOException {
        return of(name, Files.readAllLines(root.resolve(name)));
    }

    static Page of(String name, List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                int end = i + 1;
                while (!lines.get(end).strip().equals("```")) {
                    end++;
                }
                String text = String.join("\n", lines.subList(i + 1, end));
                blocks.add(new Block(i + 1, fence.group(1), text, markAbove(lines, i)));
                i = end;
            }
        }
        return new Page(name, blocks);
    }

    private static Mark markAbove(List<String> lines, int fence) {
        Matcher comment = COMMENT.matcher(fence == 0 ? "" : lines.get(fence - 1));
        return Mark.of(comment.matches() ? comment.group(1) : "");
    }

    /** The same page with another port wherever it names this one. */
    Page withPort(int named, int taken) {
        Pattern port = Pattern.compile("\\b" + named + "\\b");
        return new Page(
                name,
                blocks.stream()
                        .map(block -> block.withText(port.matcher(block.text()).replaceAll(String.valueOf(taken))))
                        .toList());
    }
}
