package tokens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator/tokens"
	"github.com/planwright/planwright/shared/errs"
)

func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), tokens.FileName)
	server := tokens.New(path) // knows at once what others do to the file
	whose := func(token, want string) {
		t.Helper()
		name, err := server.Name(token)
		if name != want || want == "" && errs.KindOf(err) != errs.Unauthenticated {
			t.Errorf("the token is %q's, want %q: %v", name, want, err)
		}
	}
	mint := func(name string, serve bool) string {
		t.Helper()
		token, err := tokens.New(path).Mint(name, "owner", time.Now(), serve)
		if err != nil || len(token) < 26 {
			t.Fatalf("%q, %v", token, err)
		}
		return token
	}
	whose("anything", "")
	first, second, served := mint("ana", false), mint("ana", false), mint("ana", true)
	whose(first, "ana")
	whose(second, "ana")
	whose(served, "ana")
	again, ben := mint("ana", true), mint("ben", true)
	whose(served, "") // another start of the server took its place
	whose(again, "ana")
	whose(first, "ana")
	whose(ben, "ben")
	if err := tokens.New(path).Revoke("ana", "owner", time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{first, second, again, ""} {
		whose(token, "")
	}
	whose(ben, "ben")
	if err := tokens.New(path).Revoke("ana", "owner", time.Now()); errs.KindOf(err) != errs.NotFound {
		t.Errorf("revoked twice: %v", err)
	}

	text, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(text), first) || strings.Count(string(text), "\n") != 6 || strings.Count(string(text), `"by":"owner"`) != 6 {
		t.Errorf("mode %v, %v:\n%s", info.Mode(), err, text)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Name(ben); errs.KindOf(err) != errs.Internal {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestNamesOfTokens(t *testing.T) {
	for name, good := range map[string]bool{"ana": true, "ana@shop.example": true, "a-b_c.d+e9": true, "": false, "ana, ben": false, "-ana": false, "ana\n": false, strings.Repeat("a", 65): false} {
		if err := tokens.CheckName(name); (err == nil) != good || err != nil && errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}
