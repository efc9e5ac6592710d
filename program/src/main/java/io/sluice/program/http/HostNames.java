package io.sluice.program.http;

import io.netty.util.NetUtil;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The host names by which the port may be called. A foreign web page can let its own name resolve to this machine (DNS
 * rebinding), and then read this port as its own origin; its name is in the header {@code Host}. Addresses, names
 * without a dot and names in domains that the public DNS does not have can't be foreign.
 *
 * @param own further names; a name that begins with a dot stands for all names below it
 */
record HostNames(List<String> own) {
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final List<String> OF_NO_STRANGER =
            List.of(".localhost", ".local", ".internal", ".svc", ".test", ".home.arpa");

    HostNames {
        own = own.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether a request with this header {@code Host} may be answered; every browser sends it. */
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
