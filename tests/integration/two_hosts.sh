#!/usr/bin/env bash
# Runs a command line of mpirun's on two "hosts": network namespaces joined by a bridge, inside namespaces of their own, so
# that nothing is left behind. Usage: two_hosts.sh MPIEXEC RANKS_PER_HOST COMMAND...
# With CUT_LINK_AFTER=FILE in the environment, the link of the second host goes down once FILE exists.
# Exit status 77, with the reason on standard error, when namespaces are not allowed here or the program ip is missing.
set -euo pipefail

if [ -z "${INSIDE_TWO_HOSTS:-}" ]; then
    command -v ip >/dev/null || { echo "no program ip (package iproute2)" >&2 && exit 77; }
    unshare --net --mount true 2>/dev/null || { echo "no network namespaces here" >&2 && exit 77; }
    INSIDE_TWO_HOSTS=1 exec unshare --net --mount --propagation private "$0" "$@"
fi

mpiexec=$1 slots=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p /run/netns
mount -t tmpfs none /run/netns || { echo "no mounts in namespaces here" >&2 && exit 77; }
printf '127.0.0.1 localhost\n10.77.0.254 %s\n10.77.0.1 host1\n10.77.0.2 host2\n' "$(hostname)" >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
ip link set lo up
ip link add bridge0 type bridge || { echo "no bridges here" >&2 && exit 77; }
ip address add 10.77.0.254/24 dev bridge0
ip link set bridge0 up
for i in 1 2; do
    ip netns add "host$i" || { echo "no named namespaces here" >&2 && exit 77; }
    ip link add "port$i" type veth peer name eth0 netns "host$i"
    ip link set "port$i" master bridge0 up
    ip -n "host$i" address add "10.77.0.$i/24" dev eth0
    ip -n "host$i" link set eth0 up
    ip -n "host$i" link set lo up
done
cat >"$folder/agent" <<'AGENT'
#!/usr/bin/env bash
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
AGENT
chmod +x "$folder/agent"
if [ -n "${CUT_LINK_AFTER:-}" ]; then
    (while [ ! -e "$CUT_LINK_AFTER" ]; do kill -0 $$ 2>/dev/null || exit 0; sleep 0.2; done; sleep 1; ip link set port2 down) >/dev/null 2>&1 &  # who reads the output waits for no link
fi
"$mpiexec" --host "host1:$slots,host2:$slots" -n $((2 * slots)) --mca plm_rsh_agent "$folder/agent" --mca btl tcp,self \
    --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 "$@"
