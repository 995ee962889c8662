package inbox

import "golang.org/x/sys/unix"

// bornAt returns when what lies under a path was made, in nanoseconds since
// 1970; 0 where the file system does not say.
func bornAt(path string) int64 {
	var status unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_BTIME, &status); err != nil ||
		status.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return status.Btime.Sec*1e9 + int64(status.Btime.Nsec)
}
