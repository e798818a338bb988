# In the emulated machine: brings NetworkManager and its neighbourhood. $look is how often the table
# looks around, in seconds.
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -q --no-install-recommends network-manager polkitd wpasupplicant \
    dnsmasq-base iw wireless-regdb nftables hostapd iproute2 > /run/apt.log 2>&1 || { tail -20 /run/apt.log; exit 1; }
modprobe mac80211_hwsim radios=4
for n in 1 2 3; do ip netns add n$n; iw phy phy$n set netns name n$n; ip -n n$n link set lo up; done
install -d /etc/systemd/system/beisitzer-wifi.service.d
cat > /etc/systemd/system/beisitzer-wifi.service.d/look.conf << END
[Service]
ExecStart=
ExecStart=/usr/bin/beisitzer wifi --look $look
END
systemctl daemon-reload
systemctl restart NetworkManager
cat > /usr/local/bin/air << 'END'
#!/bin/sh
# air RADIO NAME PASSWORD CHANNEL [mute]: open a network in namespace n$RADIO; mute gives no address
mkdir -p /run/air; air-off $1
cat > /run/air/$1.conf << E
interface=wlan$1
ssid=$2
hw_mode=g
channel=$4
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=$3
E
ip netns exec n$1 hostapd -B -P /run/air/$1.pid /run/air/$1.conf
ip -n n$1 addr add 192.168.5$1.1/24 dev wlan$1
[ "$5" = mute ] || ip netns exec n$1 dnsmasq --conf-file=/dev/null --port=0 \
    --interface=wlan$1 --bind-interfaces --dhcp-range=192.168.5$1.10,192.168.5$1.50,1h \
    --pid-file=/run/air/$1.dhcp --dhcp-leasefile=/run/air/$1.leases
END
cat > /usr/local/bin/air-off << 'END'
#!/bin/sh
for each in /run/air/$1.pid /run/air/$1.dhcp; do
  [ ! -e $each ] || { kill $(cat $each); rm -f $each; }
done
ip -n n$1 addr flush dev wlan$1
END
cat > /usr/local/bin/ask << 'END'
#!/usr/bin/python3 -IS
# ask REQUEST: print the answer. ask REQUEST SECONDS SIGN ...: ask until all signs are in it, and print
# how long that took; one process, as each start of Python takes the emulator a second
import socket, sys, time
request, begun = sys.argv[1], time.monotonic()
limit, signs = float((sys.argv[2:3] or ["0"])[0]), sys.argv[3:]
while True:
    asked = socket.socket(socket.AF_UNIX)
    asked.connect("/run/beisitzer-wifi.sock")
    asked.sendall(request.encode() + b"\n")
    answer = asked.makefile().readline().strip()
    took = time.monotonic() - begun
    if all(sign in answer for sign in signs):
        sys.exit(print(f"{took:.1f}" if signs else answer))
    if took > limit:
        sys.exit(f"{signs} never came: {answer}")
    time.sleep(1)
END
chmod 755 /usr/local/bin/air /usr/local/bin/air-off /usr/local/bin/ask
