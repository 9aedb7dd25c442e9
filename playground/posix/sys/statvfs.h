/* Disks: their room is not known. */
#ifndef CRM_POSIX_SYS_STATVFS_H
#define CRM_POSIX_SYS_STATVFS_H

struct statvfs {
    unsigned long f_bavail, f_frsize;
};

#define statvfs(path, disk) ((void)(path), (disk)->f_bavail = (disk)->f_frsize = 0, -1)

#endif
