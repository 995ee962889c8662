package execution

import (
	"strings"
	"testing"
)

func TestRoute(t *testing.T) {
	long := strings.Repeat("a", MaxFileBytes-len(".csv")) + ".csv"
	tests := []struct {
		name     string
		object   string
		metadata map[string]string
		kind     kind
		id, file string
		refused  bool
	}{
		{name: "table in its folder", object: "plan_fitness_v1/p.csv", kind: table, id: "plan_fitness_v1", file: "p.csv"},
		{name: "extension in any case, kept", object: "plan_fitness_v1/P.CsV", kind: table, id: "plan_fitness_v1", file: "P.CsV"},
		{name: "metadata names the execution", object: "p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: table, id: "plan_yoga_v1", file: "p.csv"},
		{name: "metadata wins over the folder", object: "plan_fitness_v1/p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: table, id: "plan_yoga_v1", file: "p.csv"},
		{name: "metadata reaches any depth", object: "a/b/p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: table, id: "plan_yoga_v1", file: "p.csv"},
		{name: "invalid metadata claims nothing", object: "plan_fitness_v1/p.csv", metadata: map[string]string{ExecutionIDKey: "../../x"}, kind: unclaimed, file: "p.csv"},
		{name: "at the top", object: "p.csv", kind: unclaimed, file: "p.csv"},
		{name: "two levels deep", object: "plan_fitness_v1/b/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "folder that is no id", object: "fit ness/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "folder that is too short", object: "short/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "path tricks", object: "../../x/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "hand-written plan", object: "plan_fitness_v1/plan.json", kind: planFile, id: "plan_fitness_v1", file: "plan.json"},
		{name: "plan outside an id", object: "short/plan.json", kind: ignored, file: "plan.json"},
		{name: "plan too deep", object: "plan_fitness_v1/x/plan.json", kind: ignored, file: "plan.json"},
		{name: "other file", object: "plan_fitness_v1/readme.txt", kind: ignored, file: "readme.txt"},
		{name: "nothing before the extension", object: "plan_fitness_v1/.csv", kind: ignored, file: ".csv"},
		{name: "folder placeholder", object: "plan_fitness_v1/", kind: ignored},
		{name: "empty", object: "", kind: ignored},
		{name: "longest name", object: "plan_fitness_v1/" + long, kind: table, id: "plan_fitness_v1", file: long},
		{name: "name too long", object: "plan_fitness_v1/a" + long, kind: table, id: "plan_fitness_v1", file: "a" + long, refused: true},
		{name: "line break in the name", object: "plan_fitness_v1/a\nb.csv", kind: table, id: "plan_fitness_v1", file: "a\nb.csv", refused: true},
		{name: "backslash in the name", object: `plan_fitness_v1/a\b.csv`, kind: table, id: "plan_fitness_v1", file: `a\b.csv`, refused: true},
		{name: "invalid UTF-8 in the name", object: "plan_fitness_v1/\xff.csv", kind: table, id: "plan_fitness_v1", file: "\xff.csv", refused: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := route(test.object, test.metadata)
			if got.kind != test.kind || got.executionID != test.id || got.file != test.file || (got.refused != nil) != test.refused {
				t.Errorf("route(%q) = %+v", test.object, got)
			}
		})
	}
}

// A notice's name must be one that every bucket takes, whatever the file's is.
func FuzzNoticeStem(f *testing.F) {
	for _, seed := range []string{"p.csv", "a\nb.csv", "\xff", strings.Repeat("ä", 300), `a\b`, "\x00", "�.csv"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		stem := noticeStem(file)
		if len(stem) > MaxFileBytes {
			t.Errorf("%q has %d bytes", stem, len(stem))
		}
		if noticeStem(stem) != stem {
			t.Errorf("%q changes again to %q", stem, noticeStem(stem))
		}
	})
}
