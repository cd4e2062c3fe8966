#!/usr/bin/env bash
# Checks the templates in cdk.out/ (npm run synth), and those of a deployment with every option, against the CloudFormation resource schemas.
# Needs Python 3 and, the first time, a network.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=1.58.0
venv=node_modules/.cache/cfn-lint-$version
if [ ! -x "$venv/bin/cfn-lint" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "cfn-lint==$version"
fi

"$venv/bin/cfn-lint" --version
options=$(mktemp -d)
trap 'rm -rf "$options"' EXIT
node_modules/.bin/node test/template/support/write-templates.ts "$options"

# W3005: CDK writes explicit dependencies that references already imply; they have no effect.
"$venv/bin/cfn-lint" --regions us-east-1 --ignore-checks W3005 -- cdk.out/*.template.json "$options"/*.template.json
echo "no findings in $(ls cdk.out/*.template.json "$options"/*.template.json | wc -l) templates"
