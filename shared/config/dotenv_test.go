package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

func writeEnv(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// unset has a variable not set during a test.
func unset(t *testing.T, names ...string) {
	for _, name := range names {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
}

func TestLoadFile(t *testing.T) {
	unset(t, "DOTENV_NEW", "DOTENV_QUOTED", "DOTENV_SPACES", "DOTENV_BLANK")
	t.Setenv("DOTENV_SET", "by hand")
	t.Setenv("DOTENV_SET_TO_NOTHING", "")
	path := writeEnv(t, "# a comment\nDOTENV_NEW=new # told\n\nDOTENV_QUOTED='a$b # c'\r\nexport DOTENV_SPACES=sku=Variant SKU,price=Cost\nDOTENV_BLANK=\nDOTENV_SET=by file\nDOTENV_SET_TO_NOTHING=by file\n")
	if err := config.LoadFile(path); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"DOTENV_NEW": "new", "DOTENV_QUOTED": "a$b # c", "DOTENV_SPACES": "sku=Variant SKU,price=Cost", "DOTENV_BLANK": "",
		"DOTENV_SET": "by hand", "DOTENV_SET_TO_NOTHING": "",
	} {
		if got := os.Getenv(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if err := config.LoadFile(filepath.Join(t.TempDir(), ".env")); err != nil {
		t.Errorf("without a file: %v", err)
	}
}

// A bad file is one clear error that shows nothing of it, for it may hold secrets.
func TestLoadFileThatIsBad(t *testing.T) {
	unset(t, "DOTENV_FIRST")
	for text, want := range map[string]string{
		"DOTENV_FIRST=1\nGOOGLE_API_KEY s3cret\n":                  "line 2",
		"DOTENV_FIRST=1\n\n# told\nGOOGLE_API_KEY=\"s3cret\nB=1\n": "line 4",
		"DOTENV_FIRST=1\n=s3cret\n":                                "line 2",
		"s3cret":                                                   "line 1",
		"\x00s3cret=1":                                             "line 1",
	} {
		err := config.LoadFile(writeEnv(t, text))
		if errs.KindOf(err) != errs.Invalid || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, set := os.LookupEnv("DOTENV_FIRST"); set {
			t.Fatalf("%q: variables of a bad file are set", text)
		}
	}
	if err := config.LoadFile(t.TempDir()); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a folder: %v", err)
	}
}
