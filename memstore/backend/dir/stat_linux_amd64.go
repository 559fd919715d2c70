package dir

import "syscall"

const sysFstatat = syscall.SYS_NEWFSTATAT

const sysStatx = 332
