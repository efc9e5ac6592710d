package io.sluice.program.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port for operators.
 *
 * @param host a name or address of this machine; a token is required if it is not loopback and calls can change
 *     something
 * @param port 0 for any free port, -1 for none
 * @param token for calls that change something; null refuses all of them; never shown
 * @param names further host names in requests; addresses, the host itself and names outside of the public DNS are
 *     always allowed; a name that begins with a dot stands for all names below it
 * @param variables what the names of its settings begin with, such as {@code SLUICE_OPS_}
 */
public record OpsPort(String host, int port, @Nullable String token, List<String> names, String variables) {
    /** What the relay's settings begin with. */
    public static final String RELAY_VARIABLES = "SLUICE_OPS_";

    public OpsPort {
        names = List.copyOf(names);
    }

    /** A relay's, without further host names. */
    public OpsPort(String host, int port, @Nullable String token) {
        this(host, port, token, List.of(), RELAY_VARIABLES);
    }

    /** The variable that sets a part of it. */
    String variable(String part) {
        return variables + part;
    }

    /** How a token is given. */
    String tokenVariables() {
        return "set " + variable("TOKEN") + " or " + variable("TOKEN_FILE");
    }

    /** Without the token itself. */
    @Override
    public String toString() {
        return "OpsPort[" + host + ":" + port + ", " + (token == null ? "no token" : "token (hidden)") + "]";
    }
}
