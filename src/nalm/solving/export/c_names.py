"""Names that mean something in C."""

from __future__ import annotations

_KEYWORDS = """
alignas alignof auto bool break case char complex const constexpr continue default do double else enum
extern false float for goto if imaginary inline int long main noreturn nullptr register restrict return
short signed sizeof static static_assert struct switch thread_local true typedef typeof typeof_unqual
union unsigned void volatile while asm linux unix i386 NULL I
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""Words of the language up to C23, and names that compilers define themselves."""

_MACROS = """
M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 NAN
INFINITY HUGE HUGE_VAL HUGE_VALF HUGE_VALL DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS X_TLOSS MAXFLOAT
FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN FP_FAST_FMA MATH_ERRNO
MATH_ERREXCEPT math_errhandling fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal
isless islessequal islessgreater isunordered issignaling issubnormal iszero iscanonical iseqsig float_t
double_t
"""
MACROS = frozenset(_MACROS.split())
"""What math.h defines besides functions."""

_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim
floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint
lround modf nan nearbyint nextafter nexttoward pow pown powr remainder remquo rint rootn round roundeven
rsqrt scalbln scalbn scalb sin sinh sqrt tan tanh tgamma trunc gamma drem finite significand j0 j1 jn y0
y1 yn sincos compoundn fmaximum fminimum fromfp ufromfp llogb nextup nextdown canonicalize getpayload
setpayload totalorder acospi asinpi atanpi atan2pi cospi sinpi tanpi fadd fsub fmul fdiv fsqrt ffma daddl
dsubl dmull ddivl dsqrtl dfmal exp10m1 exp2m1 log10p1 log2p1 logp1 signgam
"""
MATH = frozenset(name + suffix for name in _MATH.split() for suffix in ("", "f", "l"))
"""Functions of math.h, in three precisions each."""

_LIBRARY = """
abort abs accept access acct aligned_alloc alarm asctime asprintf assert atexit atof atoi atol atoll
basename bcmp bcopy bind brk bsearch bzero cabs calloc carg chdir chmod chown chroot cimag clearerr clock
close connect conj cproj creal creat crypt ctime daemon difftime dirname div dprintf dup dup2 environ
errno err execl execv execve exit faccessat fchdir fchmod fclose fcntl fdopen feof ferror fflush ffs fgetc
fgetpos fgets fgetwc fileno flock fopen fork fprintf fputc fputs fread free freopen fscanf fseek fsetpos
fstat fsync ftell ftime ftok ftruncate fwrite getc getchar getcwd getenv getgid getline getopt getpid
getppid getrandom getrusage gets getuid gmtime htonl htons index initstate ioctl isalnum isalpha isascii
isatty isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit kill killpg labs
ldiv link listen llabs lldiv localeconv localtime lockf longjmp lseek lstat malloc mblen memccpy memchr
memcmp memcpy memmove memset mkdir mkfifo mknod mktime mlock mmap mount mprotect munmap nanosleep nice
ntohl ntohs onexit open optarg optind opterr optopt pause perror pipe poll popen pread printf psignal putc
putchar putenv puts pwrite qsort quick_exit raise rand random read readdir readlink readv realloc realpath
reboot recv regcomp regexec remove rename rewind rindex rmdir sbrk scanf seed48 select send setbuf setenv
setgid setjmp setlocale setstate setuid setvbuf shutdown sigaction signal sigqueue sleep snprintf socket
splice sprintf srand srandom sscanf stat stderr stdin stdout stime stpcpy strcat strchr strcmp strcpy
strcspn strdup strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod
strtok strtol strtoul strxfrm swab symlink sync sysconf syscall syslog system tee tempnam tie time timegm
timer_create times tmpfile tmpnam toascii tolower toupper truncate tsearch ttyname tzset ulimit umask
uname ungetc unlink unsetenv usleep vfork vfprintf vprintf vscanf vsprintf wait waitpid warn wcslen write
writev
"""
LIBRARY = frozenset(_LIBRARY.split())
"""Functions of the C library and of POSIX: a program's own function of that name would replace them."""
