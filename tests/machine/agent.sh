#!/bin/sh
# In the emulated machine: runs each line that comes over the port, a script in base64, and answers
# with its status and its words, in base64 too. Nothing of it lies on a disk that a test fills.
while [ ! -e /dev/virtio-ports/agent ]; do sleep 0.1; done
exec 3<> /dev/virtio-ports/agent
echo "hello $(cut -d ' ' -f 1 /proc/uptime)" >&3
while read -r script <&3; do
  status=0
  echo "$script" | base64 -d > /run/agent.script
  sh /run/agent.script > /run/agent.words 2>&1 < /dev/null || status=$?
  echo "$status $(base64 -w 0 /run/agent.words)" >&3
done
