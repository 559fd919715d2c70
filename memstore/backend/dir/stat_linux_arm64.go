package dir

import "syscall"

const sysFstatat = syscall.SYS_FSTATAT

const sysStatx = 291
