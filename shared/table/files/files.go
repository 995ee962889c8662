// Package files tells which files are tables, by the endings of their names, and says what to
// do with one that is not. It opens no file: what the bytes of one are, package dialect says.
package files

import (
	"slices"
	"strings"
)

// extensions are the endings of the files that are taken for tables, in any
// case, and the media types of what they hold.
var extensions = []struct{ Ending, ContentType string }{
	{".csv", "text/csv"},
	{".tsv", "text/tab-separated-values"},
	{".tab", "text/tab-separated-values"},
	{".txt", "text/plain"},
}

// ContentType returns the media type of a table by its file's name, and false
// for a name that no table has: a bare ending is none.
func ContentType(file string) (contentType string, isTable bool) {
	for _, known := range extensions {
		if stem := len(file) - len(known.Ending); stem > 0 && strings.EqualFold(file[stem:], known.Ending) {
			return known.ContentType, true
		}
	}
	return "", false
}

// ContentTypes lists the media types of tables, each once.
func ContentTypes() []string { return []string{"text/csv", "text/tab-separated-values", "text/plain"} }

// workbooks are the endings of spreadsheets' files, which people take for tables.
var workbooks = []string{".xlsx", ".xlsm", ".xlsb", ".xltx", ".xls", ".ods", ".numbers", ".gsheet"}

// WhyNoTable says what is wrong with a file whose name no table has, and what to do about it.
func WhyNoTable(file string) string {
	ending := strings.ToLower(file[max(0, strings.LastIndexByte(file, '.')):])
	if slices.Contains(workbooks, ending) {
		return "is a workbook (" + ending + "), and no table of text: open it and save it as CSV (UTF-8)"
	}
	return "does not end in " + Endings + ": save the table as CSV, or rename the file if it is one"
}

// Endings names the endings for a person: ".csv, .tsv, .tab or .txt".
const Endings = ".csv, .tsv, .tab or .txt"
