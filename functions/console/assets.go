package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// asset is a file that pages need, under a name that changes with what is in it.
type asset struct {
	plain, packed []byte
	contentType   string
}

// assets are the files of the folder static by those names, and the names by the files.
var assets = sync.OnceValues(func() (map[string]asset, map[string]string) {
	files, names := map[string]asset{}, map[string]string{}
	entries, err := fs.ReadDir(static, "static")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		content, err := static.ReadFile("static/" + entry.Name())
		if err != nil {
			panic(err)
		}
		sum, extension := sha256.Sum256(content), path.Ext(entry.Name())
		name := strings.TrimSuffix(entry.Name(), extension) + "." + hex.EncodeToString(sum[:6]) + extension
		files[name] = asset{content, packed(content), mime.TypeByExtension(extension)}
		names[entry.Name()] = "/static/" + name
	}
	return files, names
})

// assetPath is where a file of the folder static is found.
func assetPath(file string) string {
	_, names := assets()
	return names[file]
}

// serveAsset answers with such a file, which never changes under its name.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	files, _ := assets()
	file, known := files[r.PathValue("file")]
	if !known {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", file.contentType)
	content := file.plain
	if takesGzip(r) {
		content = file.packed
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Vary", "Accept-Encoding")
	_, _ = w.Write(content) // a reader that is gone cannot be told
}

// favicon answers with the icon where a browser looks for it by itself.
func favicon(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, assetPath("icon.svg"), http.StatusFound)
	return nil
}

// takesGzip reports whether the reader's browser unpacks what is packed by gzip.
func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// packed is content packed by gzip.
func packed(content []byte) []byte {
	var into bytes.Buffer
	to := gzip.NewWriter(&into)
	_, _ = to.Write(content) // into memory
	_ = to.Close()
	return into.Bytes()
}

// send answers with a page, or a part of one, packed where the browser takes that.
func send(w http.ResponseWriter, r *http.Request, status int, page []byte) {
	var small []byte
	if takesGzip(r) {
		small = packed(page)
	}
	sendPacked(w, r, status, page, small)
}

// sendPacked is send for a page of which there is a packed copy.
func sendPacked(w http.ResponseWriter, r *http.Request, status int, page, packed []byte) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Vary", "Accept-Encoding")
	if takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		page = packed
	}
	w.WriteHeader(status)
	_, _ = w.Write(page) // a reader that is gone cannot be told
}
