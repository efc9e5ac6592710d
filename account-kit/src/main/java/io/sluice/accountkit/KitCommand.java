package io.sluice.accountkit;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Finding;
import io.sluice.accountkit.report.Report;
import io.sluice.accountkit.report.Secrecy;
import io.sluice.accountkit.report.Setup;
import io.sluice.accountkit.site.Account;
import io.sluice.accountkit.site.EndedException;
import io.sluice.accountkit.site.Site;
import io.sluice.program.Build;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.Version;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Credential;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "sluice-account-kit",
        description = "Tries on an Azure Cosmos DB account what Sluice assumes of the service, and prints a table.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the table is complete, whatever it says",
            "1:any other failure; standard error says whether the database is still there",
            "2:the settings or the command line are wrong",
            "3:the account can't be reached or refuses"
        })
final class KitCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--yes", description = "Begin without asking.")
    private boolean yes;

    @Option(
            names = "--split",
            description = "Provoke a split too, by throughput above 10000 RU/s; costs more, the plan says how much.")
    private boolean split;

    @Option(
            names = "--split-minutes",
            defaultValue = "360",
            description =
                    "How long to wait for the split (default: ${DEFAULT-VALUE}); the service takes hours at times.")
    private int splitMinutes;

    @Option(
            names = "--merge-minutes",
            defaultValue = "0",
            description = "How long to wait, after a split, for a merge that you start; by default not at all.")
    private int mergeMinutes;

    @Option(names = "--serverless", description = "The account is serverless: buy no throughput.")
    private boolean serverless;

    @Option(
            names = "--prepared",
            description = "Use the containers documents and store of COSMOS_DATABASE, and leave them: for identities,"
                    + " which can't create any.")
    private boolean prepared;

    @Option(
            names = "--only",
            description = "Try the assumptions alone whose names contain this; may be given several times.")
    private List<String> only = List.of();

    @Option(names = "--markdown", description = "Write the table as Markdown to this file.")
    private @Nullable Path markdown;

    @Option(names = "--json", description = "Write the table as JSON to this file.")
    private @Nullable Path json;

    private final Map<String, String> environment;
    private final InputStream in;

    KitCommand(Map<String, String> environment, InputStream in) {
        this.environment = environment;
        this.in = in;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        CosmosStoreConfig config = KitCatalog.read(environment);
        Plan plan = plan(config);
        try (Account account = prepared ? Account.connectPrepared(config) : Account.connect(config)) {
            Site site = prepared ? Site.prepared(account) : Site.own(account, plan.throughput());
            checkPrice(plan, account.regions());
            err().print(plan.text(site.name(), account.regions()));
            err().flush();
            if (!isWanted()) {
                err().println("Nothing was created.");
                err().flush();
                return ExitCode.DONE;
            }
            return run(account, site, chosen(Assumptions.all(plan)));
        }
    }

    private Plan plan(CosmosStoreConfig config) {
        if (!prepared && !(config.credential() instanceof Credential.Key)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "an identity can't create databases: use the account's key, or --prepared (docs/account-kit.md)");
        }
        if (splitMinutes < 1 || mergeMinutes < 0 || (mergeMinutes > 0 && !split) || (split && serverless)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--split-minutes is 1 or more, --merge-minutes goes with --split, "
                            + "and --split not with --serverless");
        }
        return new Plan(
                serverless || prepared ? 0 : Plan.BOUGHT,
                !prepared,
                split ? Duration.ofMinutes(splitMinutes) : Duration.ZERO,
                Duration.ofMinutes(mergeMinutes));
    }

    private List<Assumption> chosen(List<Assumption> all) {
        List<Assumption> chosen = all.stream()
                .filter(each -> only.isEmpty() || only.stream().anyMatch(each.name()::contains))
                .toList();
        if (chosen.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no assumption has a name that contains " + only);
        }
        return chosen;
    }

    private void checkPrice(Plan plan, int regions) {
        if (plan.dollars(regions) > Plan.MOST_DOLLARS) {
            throw new ParameterException(
                    spec.commandLine(),
                    String.format(
                            Locale.ROOT,
                            "it might cost %.2f $ in %d regions, more than %.0f: use fewer --split-minutes, or none",
                            plan.dollars(regions),
                            regions,
                            Plan.MOST_DOLLARS));
        }
    }

    /** Whether the person says so. */
    private boolean isWanted() throws IOException {
        if (yes) {
            return true;
        }
        err().print("Begin? [y/N] ");
        err().flush();
        String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }

    private int run(Account account, Site site, List<Assumption> assumptions) throws InterruptedException, IOException {
        boolean removed = false;
        try (Cleanup cleanup = new Cleanup(site, err())) {
            try {
                tryAll(account, site, assumptions);
            } catch (EndedException e) {
                return ExitCode.OTHER; // the one who ended it reports the rest
            } finally {
                removed = cleanup.remove();
            }
        }
        return removed ? ExitCode.DONE : ExitCode.OTHER;
    }

    private void tryAll(Account account, Site site, List<Assumption> assumptions)
            throws InterruptedException, IOException {
        site.begin();
        Setup setup = new Setup(
                Build.THIS.version(),
                account.way(),
                account.regions(),
                account.consistency(),
                site.feed().partitions());
        List<Finding> findings = new Kit(site, this::told).run(assumptions);
        tell(new Report(setup, findings, secrecy(account.config(), site)));
    }

    private static Secrecy secrecy(CosmosStoreConfig config, Site site) {
        return config.credential() instanceof Credential.Key
                ? Secrecy.of(config.endpoint(), config.key(), site.name())
                : Secrecy.of(config.endpoint(), site.name());
    }

    private void told(Finding finding, Duration took) {
        err().println(String.format(
                Locale.ROOT, "%s  %s (%.1f s)", finding.outcome().word(), finding.name(), took.toMillis() / 1e3));
        err().flush();
    }

    private void tell(Report report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        if (markdown != null) {
            Files.writeString(markdown, report.markdown());
        }
        if (json != null) {
            Files.writeString(json, report.json());
        }
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
