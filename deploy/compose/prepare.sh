#!/bin/sh
# What this machine needs and nobody should write into a file of the project: a certificate for the emulators, a trust store that knows it beside the public
# authorities, and a token for operators. Made once; `docker compose down -v` forgets it.
set -eu
folder=${1:-/sluice/local}
umask 077

if [ ! -s "$folder/trust.jks" ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=sluice emulators" \
        -addext "subjectAltName=DNS:cosmos,DNS:cosmos-vnext,DNS:localhost,IP:127.0.0.1" \
        -keyout "$folder/cosmos-key.pem" -out "$folder/cosmos.pem" 2>/dev/null
    openssl pkcs12 -export -inkey "$folder/cosmos-key.pem" -in "$folder/cosmos.pem" -passout pass:emulator -out "$folder/cosmos.pfx"
    java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
    keytool -importkeystore -noprompt -srckeystore "$java_home/lib/security/cacerts" -srcstorepass changeit \
        -destkeystore "$folder/trust.new" -deststoretype JKS -deststorepass changeit >/dev/null 2>&1
    keytool -importcert -noprompt -alias sluice-emulators -file "$folder/cosmos.pem" \
        -keystore "$folder/trust.new" -storepass changeit >/dev/null 2>&1
    # Others only read these, under users of their own.
    chmod 644 "$folder/cosmos.pem" "$folder/cosmos.pfx" "$folder/trust.new"
    mv "$folder/trust.new" "$folder/trust.jks"
fi

[ -s "$folder/ops-token" ] || openssl rand -hex 32 > "$folder/ops-token"
chmod 755 "$folder"
echo "prepared $folder"
