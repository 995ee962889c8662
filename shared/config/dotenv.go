package config

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/joho/godotenv"

	"github.com/planwright/planwright/shared/errs"
)

// LoadFile sets the variables of a file such as .env in the environment of the process.
// Variables that are set already stay as they are. A file that is missing sets none.
// Invalid: a line of the file is not NAME=value; then none is set.
func LoadFile(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errs.Wrap(
			errs.Invalid,
			err,
			"%s cannot be read. Make it a file that you can read, or remove it.",
			path,
		)
	}
	values, err := godotenv.UnmarshalBytes(text)
	if _, nameless := values[""]; err != nil || nameless {
		// The library's own text repeats what stands there, which may be a secret.
		return errs.New(
			errs.Invalid,
			"%s, line %d, is not a variable. Write each as NAME=value on a line of its own, as .env.example does.",
			path,
			badLine(string(text)),
		)
	}
	for name, value := range values {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if err := os.Setenv(name, value); err != nil {
			return errs.New(
				errs.Invalid,
				"%s: the variable %s cannot be set to what stands there.",
				path,
				name,
			)
		}
	}
	return nil
}

// badLine is the number of the first line that is no variable by itself.
func badLine(text string) int {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		values, err := godotenv.Unmarshal(line)
		if _, nameless := values[""]; err != nil || nameless {
			return i + 1
		}
	}
	return len(lines)
}
