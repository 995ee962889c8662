package execution

import (
	"path"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/plan"
)

func TestRoute(t *testing.T) {
	long := strings.Repeat("a", maxFileBytes-len(".csv")) + ".csv"
	tests := []struct {
		name     string
		object   string
		metadata map[string]string
		kind     kind
		id, file string
		refused  bool
	}{
		{name: "table in its folder", object: "plan_fitness_v1/p.csv", kind: tableFile, id: "plan_fitness_v1", file: "p.csv"},
		{name: "extension in any case, kept", object: "plan_fitness_v1/P.CsV", kind: tableFile, id: "plan_fitness_v1", file: "P.CsV"},
		{name: "metadata names the execution", object: "p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: tableFile, id: "plan_yoga_v1", file: "p.csv"},
		{name: "metadata wins over the folder", object: "plan_fitness_v1/p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: tableFile, id: "plan_yoga_v1", file: "p.csv"},
		{name: "metadata reaches any depth", object: "a/b/p.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: tableFile, id: "plan_yoga_v1", file: "p.csv"},
		{name: "invalid metadata claims nothing", object: "plan_fitness_v1/p.csv", metadata: map[string]string{ExecutionIDKey: "../../x"}, kind: unclaimed, file: "p.csv"},
		{name: "at the top", object: "p.csv", kind: unclaimed, file: "p.csv"},
		{name: "of another kind at the top, named as an id", object: "plan_fitness_v1", kind: wrongKind, file: "plan_fitness_v1"},
		{name: "two levels deep", object: "plan_fitness_v1/b/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "folder that is no id", object: "fit ness/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "folder that is too short", object: "short/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "path tricks", object: "../../x/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "hand-written plan", object: "plan_fitness_v1/plan.json", kind: planFile, id: "plan_fitness_v1", file: "plan.json"},
		{name: "tabs", object: "plan_fitness_v1/p.TSV", kind: tableFile, id: "plan_fitness_v1", file: "p.TSV"},
		{name: "tabs by another name", object: "plan_fitness_v1/p.tab", kind: tableFile, id: "plan_fitness_v1", file: "p.tab"},
		{name: "text", object: "plan_fitness_v1/Listings Report.txt", kind: tableFile, id: "plan_fitness_v1", file: "Listings Report.txt"},
		{name: "text outside an id", object: "p.txt", kind: unclaimed, file: "p.txt"},
		{name: "plan outside an id", object: "short/plan.json", kind: unclaimed, file: "plan.json"},
		{name: "plan too deep", object: "plan_fitness_v1/x/plan.json", kind: unclaimed, file: "plan.json"},
		{name: "workbook", object: "plan_fitness_v1/p.xlsx", kind: wrongKind, id: "plan_fitness_v1", file: "p.xlsx"},
		{name: "workbook outside an id", object: "p.xlsx", kind: wrongKind, file: "p.xlsx"},
		{name: "workbook with metadata", object: "a/b/p.xlsx", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: wrongKind, id: "plan_yoga_v1", file: "p.xlsx"},
		{name: "plan by another name", object: "plan_fitness_v1/plan (1).json", kind: wrongKind, id: "plan_fitness_v1", file: "plan (1).json"},
		{name: "no ending", object: "plan_fitness_v1/products", kind: wrongKind, id: "plan_fitness_v1", file: "products"},
		{name: "hidden", object: "plan_fitness_v1/.DS_Store", kind: ignored, file: ".DS_Store"},
		{name: "still being written", object: "plan_fitness_v1/p.csv.PART", kind: ignored, file: "p.csv.PART"},
		{name: "nothing before the extension", object: "plan_fitness_v1/.csv", kind: ignored, file: ".csv"},
		{name: "folder placeholder", object: "plan_fitness_v1/", kind: ignored},
		{name: "empty", object: "", kind: ignored},
		{name: "part by gcloud", object: "gcloud/tmp/parallel_composite_uploads/see_gcloud_storage_cp_help_for_details/1f0c_products.csv_0", kind: ignored, file: "1f0c_products.csv_0"},
		{name: "part by gsutil with metadata", object: "/gsutil/tmp/parallel_composite_uploads/for_details_see/gsutil_help_cp/1f0c.csv", metadata: map[string]string{ExecutionIDKey: "plan_yoga_v1"}, kind: ignored, file: "1f0c.csv"},
		{name: "like a part", object: "gcloud/tmp/p.csv", kind: unclaimed, file: "p.csv"},
		{name: "longest name", object: "plan_fitness_v1/" + long, kind: tableFile, id: "plan_fitness_v1", file: long},
		{name: "name too long", object: "plan_fitness_v1/a" + long, kind: tableFile, id: "plan_fitness_v1", file: "a" + long, refused: true},
		{name: "line break in the name", object: "plan_fitness_v1/a\nb.csv", kind: tableFile, id: "plan_fitness_v1", file: "a\nb.csv", refused: true},
		{name: "backslash in the name", object: `plan_fitness_v1/a\b.csv`, kind: tableFile, id: "plan_fitness_v1", file: `a\b.csv`, refused: true},
		{name: "invalid UTF-8 in the name", object: "plan_fitness_v1/\xff.csv", kind: tableFile, id: "plan_fitness_v1", file: "\xff.csv", refused: true},
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

// FuzzRoute sends any object anywhere. Whatever it is called, what is written
// about it has a name that a bucket takes, or its event would never end.
func FuzzRoute(f *testing.F) {
	for _, object := range []string{"plan_fitness_v1/p.csv", "p.csv", "a\nb.csv", "\xff.csv", strings.Repeat("ä", 300) + ".csv", `plan_fitness_v1/a\b.csv`, "\x00.csv", "�.csv", "../x.csv", "plan_fitness_v1/plan.json", "plan_fitness_v1/a\\b.xlsx", "p.xlsx"} {
		f.Add(object, "", false)
		f.Add(object, "plan_yoga_v1", true)
	}
	f.Fuzz(func(t *testing.T, object, id string, named bool) {
		metadata := map[string]string{}
		if named {
			metadata[ExecutionIDKey] = id
		}
		to := route(object, metadata)
		claimed := to.kind == tableFile || to.kind == planFile
		if claimed && to.executionID == "" || to.executionID != "" && !plan.ValidExecutionID(to.executionID) {
			t.Fatalf("%q goes to %+v", object, to)
		}
		stem := noticeStem(to.file)
		if noticeStem(stem) != stem {
			t.Errorf("%q changes again to %q", stem, noticeStem(stem))
		}
		var written []string
		switch {
		case to.kind == tableFile && to.refused == nil:
			written = []string{OutputName(to.executionID, to.file), to.executionID + "/" + stem + ".completed-9223372036854775807.txt"}
		case to.kind == tableFile:
			written = []string{to.executionID + "/" + stem + ".failed-9223372036854775807.txt"}
		case to.kind == wrongKind && to.executionID != "":
			written = []string{to.executionID + "/" + stem + ".failed-9223372036854775807.txt"}
		case to.kind == unclaimed || to.kind == wrongKind:
			written = []string{"_unclaimed/" + stem + "-9223372036854775807.txt"}
		}
		for _, name := range written {
			if err := bucket.ValidateName(name); err != nil || len(path.Base(name)) > 255 {
				t.Errorf("%q is to be told of in %q, %v", object, name, err)
			}
		}
	})
}
