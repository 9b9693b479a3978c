#!/bin/sh
# The command of the Debian package: with the service's settings, and never as root, whose files the service could not read.
set -a
UNWRITE_CONFIG="${UNWRITE_CONFIG:-/etc/unwrite/unwrite.config.yaml}"
UNWRITE_DATA_DIR="${UNWRITE_DATA_DIR:-/var/lib/unwrite}"
if [ -r /etc/unwrite/environment ]; then . /etc/unwrite/environment; fi
set +a
if [ "$(id -u)" = 0 ]; then
  exec runuser -u unwrite -- /usr/lib/unwrite/node /usr/lib/unwrite/package/bin/unwrite.js "$@"
fi
exec /usr/lib/unwrite/node /usr/lib/unwrite/package/bin/unwrite.js "$@"
