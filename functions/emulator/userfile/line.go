package userfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// AppendLine adds a line to the end of a log, which it creates where there is
// none. A line that the log has already is not added again: a run that was
// interrupted after it had written its line is finished by the next. Without
// text it only proves that the log can be written.
func AppendLine(path string, text []byte, noSync bool) error {
	if err := makeFolder(filepath.Dir(path), noSync); err != nil {
		return Error(err, path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return Error(err, path)
	}
	defer file.Close()
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		return Error(err, path)
	}
	has, torn, err := search(file, text)
	if err != nil || len(text) == 0 {
		return Error(err, path)
	}
	if has {
		text = nil // by a run that may have died before the line was durable
	} else if torn { // a power cut in the middle of a line: end it, to keep ours whole
		text = append([]byte("\n"), text...)
	}
	if err := appendWhole(file, text); err != nil {
		return Error(err, path)
	}
	if noSync {
		return nil
	}
	return Error(errors.Join(Sync(file), syncPath(filepath.Dir(path), noSync)), path)
}

// appendWhole takes back the half line that a full disk has left.
func appendWhole(file *os.File, text []byte) error {
	before, err := file.Stat()
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(before.Size()))
	}
	return nil
}

// HasLine reports whether a log has a line.
func HasLine(path string, line []byte) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	has, _, err := search(file, line)
	return has, err
}

// search reports whether the log has the line, and whether it ends without a
// newline.
func search(file *os.File, text []byte) (has, torn bool, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	for {
		found, err := reader.ReadBytes('\n')
		if bytes.Equal(found, text) {
			return true, false, nil
		}
		if len(found) > 0 {
			torn = found[len(found)-1] != '\n'
		}
		if err == io.EOF {
			return false, torn, nil
		} else if err != nil {
			return false, torn, err
		}
	}
}
