#!/usr/bin/env bash
# Compiles the phone client in Kotlin of docs/guides against Health Connect, and plays phones with it against the
# running service. Needs a JDK from 17 on, Maven and, the first time, a network. With --fetch it only fetches what it
# needs. That fails where Maven does not reach Health Connect, which Google publishes in a repository of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

sources=test/clients/phone-client
cache=node_modules/.cache/phone-client
if ! cmp -s "$sources/pom.xml" "$cache/pom.xml"; then
  rm -rf "$cache"
  mvn --quiet --batch-mode --file "$sources/pom.xml" dependency:copy-dependencies -DoutputDirectory="$PWD/$cache" ||
    { echo "no phone client in Kotlin: Maven does not reach all that $sources/pom.xml names"; exit 1; }
  (cd "$cache" && jar xf connect-client-*.aar classes.jar && mv classes.jar health-connect.jar)
  cp "$sources/pom.xml" "$cache/pom.xml"
fi
[ "${1:-}" != --fetch ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The classes of Android come last, because they contain a JSON library that only throws.
libraries=$(find "$cache" -name '*.jar' ! -name 'kotlin-compiler-*' ! -name 'android-*' | sort | paste -sd :)
classpath=$work/classes:$libraries:$(echo "$cache"/android-*.jar)
javac -nowarn -proc:none -cp "$classpath" -d "$work/classes" "$sources"/*.java
java -cp "$(echo "$cache"/kotlin-compiler-*.jar):$libraries" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -Werror \
  -no-stdlib -no-reflect -jvm-target 17 -cp "$classpath" -d "$work/classes" \
  docs/guides/phone-client/TributaryClient.kt "$sources"/*.kt

node_modules/.bin/node "$sources/play-phones.ts" -cp "$classpath" PlayPhonesKt
