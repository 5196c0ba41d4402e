package httpapi

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"

	"plastic/memory"
)

// pageFiles is the page: HTML, a style sheet and scripts, with nothing from
// elsewhere. It holds no data; what it shows it asks this server for.
//
//go:embed page
var pageFiles embed.FS

// pagePolicy lets the page run its own files and talk to its own server only.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// page serves / and the files it is made of.
func page(c *call) error {
	name := c.r.PathValue("file")
	if name == "" {
		name = "index.html"
	}
	text, err := fs.ReadFile(pageFiles, path.Join("page", path.Clean("/"+name)))
	if err != nil {
		return withStatus(http.StatusNotFound, memory.ErrNotFound, "there is nothing at this address", "")
	}
	sum := sha256.Sum256(text)
	etag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h := c.w.Header()
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	if c.r.Header.Get("If-None-Match") == etag {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", pageTypes[path.Ext(name)])
	_, _ = c.w.Write(text)
	return nil
}

var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}
