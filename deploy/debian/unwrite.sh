#!/bin/sh
# The command of the Debian package: with the service's settings, and never as root, whose files the service could not read.
UNWRITE_CONFIG="${UNWRITE_CONFIG:-/etc/unwrite/unwrite.config.yaml}"
UNWRITE_DATA_DIR="${UNWRITE_DATA_DIR:-/var/lib/unwrite}"
export UNWRITE_CONFIG UNWRITE_DATA_DIR

# As systemd reads it for the service: a shell would take the & and $ of addresses and passwords for its own.
read_environment() {
  while IFS= read -r line || [ -n "$line" ]; do
    line=$(printf '%s' "$line" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//')
    case $line in
      '#'* | ';'* | [!A-Za-z_]*) continue ;;
      *=*) ;;
      *) continue ;;
    esac
    case ${line%%=*} in *[!A-Za-z0-9_]*) continue ;; esac
    value=$(printf '%s' "${line#*=}" | sed 's/^[[:space:]]*//')
    case $value in
      \'*\') value=${value#?} && value=${value%?} ;;
      \"*\") value=${value#?} && value=$(printf '%s' "${value%?}" | sed 's/\\\(["\\`$]\)/\1/g') ;;
      *) value=$(printf '%s' "$value" | sed 's/\\\(.\)/\1/g') ;;
    esac
    export "${line%%=*}=$value"
  done
}
if [ -r /etc/unwrite/environment ]; then read_environment < /etc/unwrite/environment; fi

if [ "$(id -u)" = 0 ]; then
  exec runuser -u unwrite -- /usr/lib/unwrite/node /usr/lib/unwrite/package/bin/unwrite.js "$@"
fi
exec /usr/lib/unwrite/node /usr/lib/unwrite/package/bin/unwrite.js "$@"
