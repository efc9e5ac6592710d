package io.sluice.relay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A row of a table of ACLs.
 *
 * @param suffixes what follows the prefix of all names, for each resource
 */
public record DocumentedRight(
        ResourceType type, List<String> suffixes, PatternType pattern, List<AclOperation> operations) {
    private static final Path PAGE = Path.of("..", "docs", "security.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (topics|groups|transactional ids) (`<prefix>[^|]*)\\| ([^|]*)\\|$");
    private static final Pattern SUFFIX = Pattern.compile("`<prefix>([^`]*)`");
    private static final Pattern OPERATION = Pattern.compile("Read|Write|DescribeConfigs|Describe|Create|Delete");

    /** The rights of a relay. */
    static List<DocumentedRight> all() throws IOException {
        return all(PAGE);
    }

    static List<DocumentedRight> all(Path page) throws IOException {
        return ROW.matcher(Files.readString(page))
                .results()
                .map(DocumentedRight::of)
                .toList();
    }

    private static DocumentedRight of(MatchResult row) {
        var type = switch (row.group(1)) {
            case "topics" -> ResourceType.TOPIC;
            case "groups" -> ResourceType.GROUP;
            default -> ResourceType.TRANSACTIONAL_ID;
        };
        var operations = OPERATION
                .matcher(row.group(3))
                .results()
                .map(name -> operation(name.group()))
                .distinct()
                .toList();
        var suffixes = SUFFIX.matcher(row.group(2))
                .results()
                .map(name -> name.group(1))
                .toList();
        boolean prefixed = type != ResourceType.TOPIC || row.group(2).contains("prefixed");
        return new DocumentedRight(type, suffixes, prefixed ? PatternType.PREFIXED : PatternType.LITERAL, operations);
    }

    private static AclOperation operation(String name) {
        return AclOperation.valueOf(name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
    }

    private boolean isOfStreams() {
        return suffixes.stream().anyMatch(suffix -> suffix.startsWith("-streams"));
    }

    List<ResourcePattern> resources(String prefix) {
        return suffixes.stream()
                .map(suffix -> new ResourcePattern(type, prefix + suffix, pattern))
                .toList();
    }

    /**
     * Without which the row is not enough: Kafka lets Read, Write and Delete imply Describe, and what is there need not
     * be made, but for what streams make.
     */
    List<AclOperation> needed() {
        return operations.stream()
                .filter(operation -> operation != AclOperation.DESCRIBE)
                .filter(operation -> operation != AclOperation.CREATE || isOfStreams())
                .toList();
    }

    DocumentedRight without(AclOperation taken) {
        return new DocumentedRight(
                type,
                suffixes,
                pattern,
                operations.stream().filter(operation -> operation != taken).toList());
    }

    /** As the page writes it. */
    static String name(AclOperation operation) {
        return Stream.of(operation.name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
