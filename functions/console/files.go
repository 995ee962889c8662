package console

import (
	"cmp"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/web"
)

// maxNameWords is how much of what a change is called stands in the name of a file.
const maxNameWords = 40

// notInNames are what a file's name does not have from what a change is called.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// fileNameOf names a file of a change after the table, what was changed, and when:
// "it_listino_20-off-all-samsung_2026-12-04_changes". Kind is what the file is.
func fileNameOf(of plannerapi.Record, kind string) string {
	file := path.Base(of.Upload.Object)
	stem := strings.TrimSuffix(file, path.Ext(file))
	words := strings.Trim(
		notInNames.ReplaceAllString(strings.ToLower(notices.Title(of.SourceInstruction)), "-"), "-",
	)
	if len(words) > maxNameWords {
		words = words[:maxNameWords]
		words = strings.Trim(words[:max(strings.LastIndexByte(words, '-'), maxNameWords/2)], "-")
	}
	at := of.CreatedAt
	if of.ExecutedAt != nil {
		at = *of.ExecutedAt
	}
	name := stem + "_" + cmp.Or(words, of.ExecutionID) + "_" + at.Local().Format("2006-01-02_1504")
	if kind != "" {
		name += "_" + kind
	}
	return name
}

// download answers with one of the files that a change has written.
func (c *Console) download(w http.ResponseWriter, r *http.Request) error {
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(r.PathValue("id"), ""), &found); err != nil {
		return err
	}
	if r.PathValue("file") == "import" {
		return c.changesToImport(w, r, found)
	}
	at := map[string]int{"output": 0, "changes": 1}
	i, known := at[r.PathValue("file")]
	if !known || i >= len(found.Outputs) {
		return errs.New(errs.NotFound, "This change has no such file.")
	}
	file := found.Outputs[i]
	from := c.Files(file.Bucket)
	if from == nil {
		return errs.New(errs.NotFound, "The bucket %s is not known here.", file.Bucket)
	}
	// which has the checksum of a file that somebody has by name
	stat, err := from.Stat(r.Context(), file.Object)
	if err != nil {
		return err
	}
	content, _, err := from.Open(r.Context(), file.Object, stat.Generation)
	if err != nil {
		return err
	}
	defer content.Close()
	if stat.CRC32C != file.CRC32C {
		return errs.New(errs.Conflict, "%s is not the file that was written: somebody replaced it.",
			path.Base(file.Object))
	}
	kind := map[string]string{"output": "", "changes": "record"}[r.PathValue("file")]
	web.SendFile(
		w,
		fileNameOf(found, kind)+path.Ext(file.Object),
		cmp.Or(stat.ContentType, "application/octet-stream"),
		content,
	)
	return nil
}

// changesToImport answers with what a change changed, as the platform's importer takes it.
func (c *Console) changesToImport(w http.ResponseWriter, r *http.Request, found plannerapi.Record) error {
	address := executionPath(found.ExecutionID, "/changes?format=import")
	in, err := c.Planner.Open(r.Context(), http.MethodGet, address, "", "", nil)
	if err != nil {
		return err
	}
	defer in.Close()
	contentType, _ := files.ContentType(found.Upload.Object)
	web.SendFile(w, fileNameOf(found, "import")+path.Ext(found.Upload.Object), contentType, in)
	return nil
}
