#!/bin/sh
# In the image: packs a first file system that loads the disk's drivers and goes over to the disk.
# A Pi's kernel has them built in; the distribution's own one starts a udev of its own for it.
set -e
folder=$(mktemp -d)
cd "$folder"
mkdir bin drivers dev disk
cp /bin/busybox bin/
ln -s busybox bin/sh
number=100
for driver in crc32c_generic ext4 virtio_pci virtio_blk; do
  modprobe --set-version "$(ls /lib/modules)" --show-depends "$driver"
done | sed -n 's/^insmod //p' | awk '!known[$0]++' | while read -r file; do
  cp $file "drivers/$number-${file##*/}"
  number=$((number + 1))
done
cat > init << 'END'
#!/bin/sh
busybox mount -t devtmpfs dev /dev
for driver in /drivers/*; do busybox insmod $driver; done
while [ ! -b /dev/vda ]; do busybox sleep 0.1; done
busybox mount -t ext4 /dev/vda /disk
busybox umount /dev
exec busybox switch_root /disk /sbin/init
END
chmod 755 init
find . | cpio --quiet -o -H newc > /boot/initrd.plain
cd /
rm -r "$folder"
