#!/usr/bin/env bash
# Checks the files in deploy/ with shellcheck, systemd-analyze and a YAML parser. Missing tools are
# installed if apt-get exists; otherwise their checks are skipped with a message. The tests in
# cluster/tests/all/deploy.rs run the commands in these files.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools.sh
install_if_missing() {
    install_missing "$1:$2" && command -v "$1" >/dev/null && return
    echo "not checked, since there is no $1" >&2
    return 1
}

for script in deploy/slurm.sh scripts/cluster.sh scripts/kill_cluster.sh scripts/test_deploy.sh; do bash -n "$script"; done
if install_if_missing shellcheck shellcheck; then
    shellcheck -x deploy/slurm.sh scripts/cluster.sh scripts/kill_cluster.sh scripts/test_deploy.sh
fi
if install_if_missing systemd-analyze systemd; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    # systemd-analyze checks that the program exists, and it is not installed here.
    sed "s|/usr/local/bin/grundy|$(command -v true)|" deploy/grundy@.service >"$folder/grundy@.service"
    systemd-analyze verify "$folder/grundy@.service"
fi
python3 -c 'import yaml' 2>/dev/null || install_missing /var/lib/dpkg/info/python3-yaml.list:python3-yaml || true
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - <<'PY'
import yaml

with open("deploy/kubernetes.yaml") as file:
    service, config, job = yaml.safe_load_all(file)
known = [(one["apiVersion"], one["kind"]) for one in (service, config, job)]
assert known == [("v1", "Service"), ("v1", "ConfigMap"), ("batch/v1", "Job")], known
name, spec = service["metadata"]["name"], job["spec"]
pod = spec["template"]["spec"]
# The service is headless, so that each pod has a DNS name. These are the names in `hosts`.
assert service["spec"]["clusterIP"] == "None" and pod["subdomain"] == name
assert service["spec"]["selector"] == {"job-name": job["metadata"]["name"]}
hosts = config["data"]["hosts"].split()
count = spec["completions"]
assert spec["completionMode"] == "Indexed" and spec["parallelism"] == count == len(hosts)
assert hosts == [f"{job['metadata']['name']}-{i}.{name}:7070" for i in range(count)]
(container,) = pod["containers"]
mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
volumes = {volume["name"]: volume for volume in pod["volumes"]}
assert mounts.keys() == volumes.keys()
assert volumes["hosts"]["configMap"]["name"] == config["metadata"]["name"]
(line,) = container["args"]
for place in ("hosts", "secret", "work"):
    assert mounts[place] + "/" in line, place
assert "\n" not in line.strip()
PY
else
    echo "not checked, since there is no reader of YAML: deploy/kubernetes.yaml" >&2
fi
echo "deploy/ is sound"
