#!/usr/bin/env bash
# Installs Sluice into an empty local repository, as the README says, and builds and runs projects that depend on it:
#   - each jar comes with sources, javadoc and licence;
#   - each resolves exactly the libraries that docs/dependencies.md lists for its module, with one Netty and one Jackson;
#   - one with Spring Boot's parent embeds a provider whose work is announced by Kafka, and is told so where Boot's version of Kafka's client is left in place;
#   - one embeds a provider and stores a turn, one a provider whose work is announced by Kafka, one embeds a relay that brings the turn's events to Kafka, one a host for DurableTask SDKs; servers come from the testkit.
# Gradle is asked too where there is a gradle command. Needs JDK 17, Maven and Maven Central; what the caller's local repository has is not downloaded again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../docs/dependencies.md
version=0.1.0-SNAPSHOT
modules="provider provider-kafka client outbox-relay durabletask-host cosmos-emulator testkit"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
repository=$work/repository
cache=file://${MAVEN_REPOSITORY:-$HOME/.m2/repository}
cat > "$work/settings.xml" <<XML
<settings>
  <localRepository>$repository</localRepository>
  <profiles>
    <profile>
      <id>cache</id>
      <repositories><repository><id>cache</id><url>$cache</url></repository></repositories>
      <pluginRepositories><pluginRepository><id>cache</id><url>$cache</url></pluginRepository></pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>cache</activeProfile></activeProfiles>
</settings>
XML
maven() { mvn -B -ntp -q -s "$work/settings.xml" "$@"; }

fail() { echo "consumers: $*" >&2; exit 1; }

# "<group>:<artifact> <version>" of each library that a file of dependency:list has, without Sluice's own.
listed() {
  sed 's/ -- module.*//' "$1" | awk '/:(compile|runtime)/ && !/io\.sluice:/ { n = split($1, part, ":"); print part[1] ":" part[2] " " part[n - 1] }' | sort -u
}

# The same of the page's rows for a module.
documented() {
  awk -F'|' -v module="$1" '/^\| `/ { gsub(/[ `]/, "", $2); gsub(/ /, "", $3); n = split($5, with, ",")
    for (i = 1; i <= n; i++) { gsub(/ /, "", with[i]); if (with[i] == module) print $2 " " $3 } }' "$page" | sort -u
}

# Fails unless all libraries of a family in a list, named by a pattern, have one version; Netty's tcnative is numbered apart.
one_version() {
  local versions
  versions=$(awk -v family="$2" '$1 ~ family && !/tcnative/ { print $2 }' "$1" | sort -u)
  [ "$(wc -w <<< "$versions")" -le 1 ] || fail "$1 has several versions of $2:" $versions
}

same_as_documented() {
  documented "$2" > "$work/$2.documented"
  [ -s "$work/$2.documented" ] || fail "$page lists nothing for $2"
  diff "$work/$2.documented" "$1" || fail "what resolves for sluice-$2 ($1, right) is not what docs/dependencies.md lists (left)"
}

one_of_each() {
  one_version "$1" '^io[.]netty:'
  one_version "$1" '^com[.]fasterxml[.]jackson[.](dataformat|datatype|core:jackson-core|core:jackson-databind)'
  one_version "$1" '^io[.]projectreactor[.]netty:'
}

# What a repository of releases asks for: each jar with its sources, its javadoc and its licence.
complete() {
  local jar=$repository/io/sluice/sluice-$1/$version/sluice-$1-$version
  [ -f "$jar-sources.jar" ] && [ -f "$jar-javadoc.jar" ] || fail "sluice-$1 comes without sources or javadoc"
  jar tf "$jar.jar" > "$work/entries"
  grep -qx META-INF/LICENSE "$work/entries" && grep -qx META-INF/NOTICE "$work/entries" || fail "sluice-$1 comes without its licence"
}

echo "consumers: installing into an empty local repository"
maven -f "$here/../pom.xml" install -pl '!connect-config,!examples,!account-kit,!benchmarks,!deploy' -Dmaven.test.skip -Dspotless.check.skip -Derrorprone.main=-Xdiags:compact -Prelease
for module in $modules; do complete "$module"; done
echo "consumers: building projects that depend on what was installed"
maven -f "$here/pom.xml" process-classes -Dsluice.version=$version

for module in $modules with-bom; do
  listed "$here/$module/target/dependencies.txt" > "$work/$module"
  one_of_each "$work/$module"
  [ "$module" = with-bom ] || same_as_documented "$work/$module" "$module"
done
echo "consumers: Maven resolves the documented libraries for each module"

if command -v gradle > /dev/null; then
  gradle -q --no-daemon -p "$here/gradle" --project-cache-dir "$work/gradle-project" -g "$work/gradle-home" \
    -Pinstalled="file://$repository" -Pcache="$cache" -PsluiceVersion=$version resolved > "$work/gradle"
  for module in $modules; do
    sed -n "s/^$module //p" "$work/gradle" | sort -u > "$work/$module.gradle"
    one_of_each "$work/$module.gradle"
    same_as_documented "$work/$module.gradle" "$module"
  done
  echo "consumers: Gradle resolves the same"
else
  echo "consumers: no gradle command here, so Gradle's resolution was not looked at"
fi

java_of() { echo "java -Xmx512m -cp $here/$1/target/classes:$(cat "$here/$1/target/classpath.txt")"; }

# Spring Boot's parent chooses the version of Kafka's client; nothing but a property of the project changes that.
with_boot() { maven -f "$here/spring-boot/pom.xml" process-classes -Dsluice.version=$version "$@"; }
boot=true
has_boot() { maven -f "$here/spring-boot/pom.xml" dependency:resolve -Dsluice.version=$version "$@" >> "$work/boot.log" 2>&1; }
if has_boot && has_boot -Dkafka.version=3.9.1; then
  with_boot -Dkafka.version=3.9.1
  if KAFKA_BOOTSTRAP_SERVERS=localhost:9092 $(java_of spring-boot) com.example.BootApplication > "$work/boot.log" 2>&1; then
    fail "an application with kafka-clients 3.9.1 has built a feed"
  fi
  grep -q 'needs kafka-clients .* the class path has version 3.9.1' "$work/boot.log" || { cat "$work/boot.log" >&2; fail "an old kafka-clients is not named"; }
  with_boot
  boot="$(java_of spring-boot) com.example.BootApplication"
else
  echo "consumers: Spring Boot's parent can't be downloaded here, so the project with it was not built"
fi

$(java_of testkit) com.example.Servers bash -euc "
  $(java_of outbox-relay) io.sluice.relay.cli.Main provision
  $(java_of provider) com.example.EmbedProvider
  $(java_of provider-kafka) com.example.EmbedFeed
  $boot
  $(java_of outbox-relay) com.example.EmbedRelay
  $(java_of durabletask-host) com.example.EmbedHost" > "$work/run.log" 2>&1 || { cat "$work/run.log" >&2; fail "a program failed"; }
grep -E '^(provider|feed|boot|relay|host): ' "$work/run.log"
