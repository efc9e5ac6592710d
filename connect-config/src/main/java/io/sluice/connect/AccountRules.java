package io.sluice.connect;

/**
 * What the way of signing in demands, for the account of the container and, where throughput is controlled from another
 * one, for that account as well.
 */
final class AccountRules {
    private static final String SERVICE_PRINCIPAL = "ServicePrincipal";

    private final Examination examination;
    private final String prefix;

    private AccountRules(Examination examination, String prefix) {
        this.examination = examination;
        this.prefix = prefix;
    }

    /** Checks the account of the container. */
    static void check(Examination examination) {
        examination.require(ConnectorKeys.PREFIX + "account.endpoint");
        new AccountRules(examination, ConnectorKeys.PREFIX).checkSigningIn();
    }

    /** Checks the account whose container holds the control groups, if it is another one. */
    static void checkOfThroughputControl(Examination examination) {
        boolean hasOwnAccount = examination.isGiven(ConnectorKeys.THROUGHPUT + "account.endpoint");
        var rules = new AccountRules(examination, ConnectorKeys.THROUGHPUT);
        if (hasOwnAccount) {
            rules.checkSigningIn();
        } else {
            examination.onlyReadWith(
                    false,
                    ConnectorKeys.THROUGHPUT + "account.endpoint",
                    rules.keys(
                            "account.environment",
                            "account.tenantId",
                            "auth.type",
                            "account.key",
                            "auth.aad.clientId",
                            "auth.aad.clientSecret",
                            "preferredRegionList",
                            "mode.gateway"));
        }
    }

    /** Whether the account of the container is opened by a service principal. */
    static boolean isByServicePrincipal(Examination examination) {
        return examination.value(ConnectorKeys.PREFIX + "auth.type").equals(SERVICE_PRINCIPAL);
    }

    private void checkSigningIn() {
        boolean byPrincipal = examination.value(prefix + "auth.type").equals(SERVICE_PRINCIPAL);
        if (byPrincipal) {
            examination.require(prefix + "account.tenantId");
            examination.require(prefix + "auth.aad.clientId");
            examination.require(prefix + "auth.aad.clientSecret");
            examination.onlyReadWith(false, "auth.type=MasterKey", prefix + "account.key");
        } else {
            examination.require(prefix + "account.key");
            examination.onlyReadWith(
                    false,
                    "auth.type=ServicePrincipal",
                    keys(
                            "account.tenantId",
                            "auth.aad.clientId",
                            "auth.aad.clientSecret",
                            "auth.aad.authEndpointOverride"));
        }
    }

    private String[] keys(String... names) {
        var keys = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            keys[i] = prefix + names[i];
        }
        return keys;
    }
}
