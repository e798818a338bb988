/* A GPIO chip and an I2C bus that are not there. Loaded before the C library (LD_PRELOAD) it
 * answers for the chips in BEISITZER_CHIPS, such as "0=pinctrl-bcm2835 ", and lists them in /dev,
 * as the kernel's character device does: lines, pulls, open drain, edges with their states, of
 * those that drive a header; and for /dev/i2c-1 with one OLED at 0x3C, SMBus and I2C_RDWR. What the
 * OLED takes is appended to the file BEISITZER_I2C: two bytes of length, the control byte, the rest.
 * What fingers do comes as words in datagrams on the socket named by
 * BEISITZER_GPIO: "low N", "free N" for one line, "join A B", "part A B" for a key of a matrix,
 * "deaf 1" and "deaf 0" for the OLED's wire, "look N" for nothing else. Each is
 * answered with the number of ioctls so far and the level of the line named first.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LINES 54
#define FDS 1024
#define PAIRS 64

struct request {
    int used, tell, count;
    unsigned offsets[GPIO_V2_LINES_MAX];
    unsigned long long flags, values;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[FDS];
static int is_chip[FDS];              /* 1 and the number of the chip, 0 for none */
static int owner[LINES];              /* file descriptor that holds a line, 0: none */
static int low[LINES];                /* a finger pulls it to ground */
static int last[LINES];               /* the level that was told last */
static unsigned sequence;
static int pairs[PAIRS][2], n_pairs;
static unsigned long calls;

#define OLED 0x3C
static int is_bus[FDS], address[FDS]; /* the bus, and whom SMBus calls on it are for */
static int deaf, oled_on;

static struct request *of(int line) {
    return owner[line] ? &requests[owner[line]] : NULL;
}

static int bit(const struct request *r, int line) {
    for (int i = 0; i < r->count; i++)
        if (r->offsets[i] == (unsigned)line) return (r->values >> i) & 1;
    return 1;
}

static int driven_low(int line) {
    struct request *r = of(line);
    return low[line] || (r && r->flags & GPIO_V2_LINE_FLAG_OUTPUT && !bit(r, line));
}

/* A line is low if something it is joined to, maybe by way of others, is pulled low. */
static int level(int line) {
    int seen[LINES] = {0}, todo[LINES], n = 0;
    struct request *r = of(line);
    if (r && r->flags & GPIO_V2_LINE_FLAG_OUTPUT && !(r->flags & GPIO_V2_LINE_FLAG_OPEN_DRAIN))
        return bit(r, line);
    todo[n++] = line;
    seen[line] = 1;
    while (n) {
        int at = todo[--n];
        if (driven_low(at)) return 0;
        for (int i = 0; i < n_pairs; i++)
            for (int end = 0; end < 2; end++)
                if (pairs[i][end] == at && !seen[pairs[i][!end]]) {
                    seen[pairs[i][!end]] = 1;
                    todo[n++] = pairs[i][!end];
                }
    }
    return !(r && r->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
}

static void tell_edges(void) {
    for (int line = 0; line < LINES; line++) {
        struct request *r = of(line);
        if (!r || r->flags & GPIO_V2_LINE_FLAG_OUTPUT) continue;
        int now = level(line);
        if (now == last[line]) continue;
        last[line] = now;
        unsigned long long wanted =
            now ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING;
        if (!(r->flags & wanted)) continue;
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        struct gpio_v2_line_event event = {
            .timestamp_ns = time.tv_sec * 1000000000ull + time.tv_nsec,
            .id = now ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
            .offset = line,
            .seqno = ++sequence,
            .line_seqno = sequence,
        };
        if (write(r->tell, &event, sizeof event) < 0) continue; /* full: an edge is lost */
    }
}

/* What the driver of a chip calls it; NULL if there is none of this number. */
static const char *label_of(int number) {
    static __thread char label[32];
    const char *entry = getenv("BEISITZER_CHIPS");
    for (int at, length; entry && sscanf(entry, "%d=%31s %n", &at, label, &length) == 2; entry += length)
        if (at == number) return label;
    return NULL;
}

static int get_line(struct gpio_v2_line_request *asked) {
    int ends[2];
    for (unsigned i = 0; i < asked->num_lines; i++) {
        if (asked->offsets[i] >= LINES) return errno = EINVAL, -1;
        if (owner[asked->offsets[i]]) return errno = EBUSY, -1;
    }
    /* a pipe keeps more edges than the 1,024 of a kernel, a socket a quarter of that */
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return -1;
    struct request *r = &requests[ends[0]];
    *r = (struct request){1, ends[1], asked->num_lines, {0}, asked->config.flags, 0};
    memcpy(r->offsets, asked->offsets, sizeof r->offsets);
    for (unsigned i = 0; i < asked->config.num_attrs; i++)
        if (asked->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
            r->values = asked->config.attrs[i].attr.values & asked->config.attrs[i].mask;
    for (int i = 0; i < r->count; i++) {
        owner[r->offsets[i]] = ends[0];
        last[r->offsets[i]] = level(r->offsets[i]);
    }
    asked->fd = ends[0];
    tell_edges();
    return 0;
}

static int line_info(struct gpio_v2_line_info *info) {
    unsigned line = info->offset;
    if (line >= LINES) return errno = EINVAL, -1;
    memset(info, 0, sizeof *info);
    info->offset = line;
    struct request *r = of(line);
    if (r) {
        info->flags = r->flags | GPIO_V2_LINE_FLAG_USED;
        strcpy(info->consumer, "somebody");
    } else {
        info->flags = GPIO_V2_LINE_FLAG_INPUT;
    }
    return 0;
}

static int answer(int fd, unsigned long what, void *with) {
    struct request *r = &requests[fd];
    struct gpio_v2_line_values *values = with;
    calls++;
    if (is_chip[fd]) {
        const char *label = label_of(is_chip[fd] - 1);
        if (what != GPIO_GET_CHIPINFO_IOCTL && strncmp(label, "pinctrl-", 8))
            return errno = EINVAL, -1;
        if (what == GPIO_V2_GET_LINE_IOCTL) return get_line(with);
        if (what == GPIO_V2_GET_LINEINFO_IOCTL) return line_info(with);
        if (what == GPIO_GET_CHIPINFO_IOCTL) {
            struct gpiochip_info info = {.lines = LINES};
            snprintf(info.name, sizeof info.name, "gpiochip%d", is_chip[fd] - 1);
            strcpy(info.label, label);
            memcpy(with, &info, sizeof info);
            return 0;
        }
    } else if (what == GPIO_V2_LINE_GET_VALUES_IOCTL) {
        values->bits = 0;
        for (int i = 0; i < r->count; i++)
            if (values->mask >> i & 1 && level(r->offsets[i])) values->bits |= 1ull << i;
        return 0;
    } else if (what == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        r->values = (r->values & ~values->mask) | (values->bits & values->mask);
        tell_edges();
        return 0;
    }
    return errno = ENOTTY, -1;
}

/* One write to the OLED; the control byte says whether commands or a picture follow. */
static int oled_takes(int to, const unsigned char *data, unsigned length) {
    unsigned char size[2] = {length & 255, length >> 8};
    if (deaf || to != OLED) return errno = EREMOTEIO, -1;
    /* the commands 0xAE and 0xAF switch the display off and on */
    if (length == 2 && data[0] == 0 && (data[1] | 1) == 0xAF) oled_on = data[1] & 1;
    int file = open(getenv("BEISITZER_I2C"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    int whole = write(file, size, 2) == 2 && write(file, data, length) == (ssize_t)length;
    close(file);
    return whole ? 0 : -1;
}

static int oled_says(int to, unsigned char *byte) {
    if (deaf || to != OLED) return errno = EREMOTEIO, -1;
    *byte = oled_on ? 0x03 : 0x43; /* its status: bit 6 says that the display is off */
    return 0;
}

static int smbus(int to, struct i2c_smbus_ioctl_data *call) {
    unsigned char data[I2C_SMBUS_BLOCK_MAX + 1] = {call->command};
    if (call->read_write == I2C_SMBUS_READ && call->size == I2C_SMBUS_BYTE)
        return oled_says(to, &call->data->byte);
    if (call->read_write != I2C_SMBUS_WRITE || call->size != I2C_SMBUS_I2C_BLOCK_DATA ||
        call->data->block[0] > I2C_SMBUS_BLOCK_MAX)
        return errno = EOPNOTSUPP, -1;
    memcpy(data + 1, call->data->block + 1, call->data->block[0]);
    return oled_takes(to, data, call->data->block[0] + 1);
}

static int transfer(struct i2c_rdwr_ioctl_data *all) {
    for (unsigned i = 0; i < all->nmsgs; i++) {
        struct i2c_msg *message = &all->msgs[i];
        int failed = message->flags & I2C_M_RD ? oled_says(message->addr, message->buf)
                                               : oled_takes(message->addr, message->buf, message->len);
        if (failed) return -1;
    }
    return all->nmsgs;
}

static int bus(int fd, unsigned long what, void *with) {
    if (what == I2C_SLAVE || what == I2C_SLAVE_FORCE) return address[fd] = (int)(long)with, 0;
    if (what == I2C_FUNCS) {
        *(unsigned long *)with = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
        return 0;
    }
    if (what == I2C_SMBUS) return smbus(address[fd], with);
    if (what == I2C_RDWR) return transfer(with);
    return errno = ENOTTY, -1;
}

int ioctl(int fd, unsigned long what, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list more;
    va_start(more, what);
    void *with = va_arg(more, void *);
    va_end(more);
    /* 0xB4 marks the calls of GPIO chips */
    if (fd >= 0 && fd < FDS && _IOC_TYPE(what) == 0xB4 && (is_chip[fd] || requests[fd].used)) {
        pthread_mutex_lock(&lock);
        int result = answer(fd, what, with);
        pthread_mutex_unlock(&lock);
        return result;
    }
    if (fd >= 0 && fd < FDS && is_bus[fd]) return bus(fd, what, with);
    if (!real) real = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, what, with);
}

/* The chip, and the file by which gpiozero knows a Pi: a Zero 2 W; -2 for any other path. */
static int opened(const char *path) {
    static const unsigned char revision[4] = {0x00, 0x90, 0x21, 0x20};
    int number;
    if (sscanf(path, "/dev/gpiochip%d", &number) == 1 && label_of(number)) {
        int fd = memfd_create("gpiochip", MFD_CLOEXEC);
        if (fd >= 0 && fd < FDS) is_chip[fd] = number + 1;
        return fd;
    }
    if (!strcmp(path, "/dev/i2c-1") && getenv("BEISITZER_I2C")) {
        int fd = memfd_create("i2c-1", MFD_CLOEXEC);
        if (fd >= 0 && fd < FDS) is_bus[fd] = 1;
        return fd;
    }
    if (!strcmp(path, "/proc/device-tree/system/linux,revision")) {
        int fd = memfd_create("revision", MFD_CLOEXEC);
        if (write(fd, revision, sizeof revision) < 0) return -1;
        lseek(fd, 0, SEEK_SET);
        return fd;
    }
    return -2;
}

#define OPEN(NAME)                                                   \
    int NAME(const char *path, int flags, ...) {                     \
        static int (*real)(const char *, int, ...);                  \
        va_list more;                                                \
        va_start(more, flags);                                       \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                \
        int fd = opened(path);                                       \
        if (fd != -2) return fd;                                     \
        if (!real) real = dlsym(RTLD_NEXT, #NAME);                   \
        return real(path, flags, mode);                              \
    }
OPEN(open)
OPEN(open64)

/* The list of /dev is that of the folder BEISITZER_DEV. */
DIR *opendir(const char *path) {
    static DIR *(*real)(const char *);
    if (!real) real = dlsym(RTLD_NEXT, "opendir");
    return real(!strcmp(path, "/dev") && getenv("BEISITZER_DEV") ? getenv("BEISITZER_DEV") : path);
}

int close(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "close");
    if (fd >= 0 && fd < FDS) {
        pthread_mutex_lock(&lock);
        is_chip[fd] = is_bus[fd] = 0;
        if (requests[fd].used) {
            real(requests[fd].tell);
            for (int i = 0; i < requests[fd].count; i++) owner[requests[fd].offsets[i]] = 0;
            requests[fd].used = 0;
            tell_edges();
        }
        pthread_mutex_unlock(&lock);
    }
    return real(fd);
}

static void obey(const char *word, int a, int b) {
    if (!strcmp(word, "deaf")) deaf = a;
    if (!strcmp(word, "low")) low[a] = 1;
    if (!strcmp(word, "free")) low[a] = 0;
    if (!strcmp(word, "join") && n_pairs < PAIRS) {
        pairs[n_pairs][0] = a;
        pairs[n_pairs++][1] = b;
    }
    if (!strcmp(word, "part"))
        for (int i = 0; i < n_pairs; i++)
            if (pairs[i][0] == a && pairs[i][1] == b) {
                n_pairs--;
                pairs[i][0] = pairs[n_pairs][0];
                pairs[i--][1] = pairs[n_pairs][1];
            }
    tell_edges();
}

static void *listen_to_fingers(void *unused) {
    const char *path = getenv("BEISITZER_GPIO");
    struct sockaddr_un here = {.sun_family = AF_UNIX}, there;
    strncpy(here.sun_path, path, sizeof here.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&here, sizeof here)) return unused;
    for (;;) {
        char data[64] = {0}, word[16] = {0};
        socklen_t size = sizeof there;
        int a = 0, b = 0;
        if (recvfrom(fd, data, sizeof data - 1, 0, (struct sockaddr *)&there, &size) < 0) continue;
        if (sscanf(data, "%15s %d %d", word, &a, &b) < 1 || a < 0 || a >= LINES || b < 0 ||
            b >= LINES)
            continue;
        pthread_mutex_lock(&lock);
        obey(word, a, b);
        int length = snprintf(data, sizeof data, "%lu %d", calls, level(a));
        pthread_mutex_unlock(&lock);
        sendto(fd, data, length, 0, (struct sockaddr *)&there, size);
    }
}

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    if (getenv("BEISITZER_GPIO")) pthread_create(&thread, NULL, listen_to_fingers, NULL);
}
