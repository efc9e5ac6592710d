package io.sluice.relay.http;

import io.netty.util.NetUtil;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names by which the port may be called. A page of a stranger can have its own name resolve to this machine (DNS
 * rebinding), and then read what is here as its own; it brings its name as {@code Host}. Addresses, names without a dot
 * and names of domains that the public DNS does not have can't be a stranger's.
 *
 * @param own further names; one that begins with a dot stands for all below it
 */
record HostNames(List<String> own) {
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final List<String> OF_NO_STRANGER =
            List.of(".localhost", ".local", ".internal", ".svc", ".test", ".home.arpa");

    HostNames {
        own = own.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether a request that names this host may be answered; no browser leaves it out. */
    boolean isKnown(String header) {
        var host = PORT.matcher(header.strip().toLowerCase(Locale.ROOT)).replaceFirst("");
        host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return host.isEmpty() || isAddress(host) || host.indexOf('.') < 0 || isOwn(host);
    }

    private static boolean isAddress(String host) {
        return NetUtil.isValidIpV4Address(host)
                || (host.startsWith("[") && host.endsWith("]") && NetUtil.isValidIpV6Address(host));
    }

    private boolean isOwn(String host) {
        return OF_NO_STRANGER.stream().anyMatch(host::endsWith)
                || own.stream().anyMatch(name -> name.startsWith(".") ? host.endsWith(name) : host.equals(name));
    }
}
