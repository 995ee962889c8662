package web

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

// LocalOnly is for a server that a browser uses by its address. It keeps pages of
// other sites, which that browser may show, from next: they may change nothing
// and, under a name of their own that leads here, read nothing, for the server
// answers to IP addresses, to localhost and to the name in its public address alone.
// A page from this server's own address may ask it everything, by the rules of CORS
// where its browser follows them.
//
// A server behind a proxy has a public address, whose pages are its own; "": it has none.
func LocalOnly(public string, next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	name := ""
	if public != "" {
		parsed, err := url.Parse(public)
		if err = cmp.Or(err, protection.AddTrustedOrigin(public)); err != nil {
			panic("web: the public address was not checked: " + err.Error())
		}
		name = parsed.Hostname()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if err := checkLocal(r, name, public, protection); err != nil {
			Refuse(w, r, err)
			return
		}
		header := w.Header()
		header.Add("Vary", "Origin")
		if own(origin, public, r) {
			header.Set("Access-Control-Allow-Origin", origin)
		}
		if r.Method == http.MethodOptions {
			header.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE, OPTIONS")
			header.Set("Access-Control-Allow-Headers", "Content-Type")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func checkLocal(r *http.Request, name, public string, protection *http.CrossOriginProtection) error {
	switch {
	case !isOwnHost(r.Host, name):
		return errs.New(
			errs.Denied,
			"This server answers to an IP address, to localhost and to the name in its public address (--public-url, PUBLIC_URL), not to %s.",
			clip(r.Host),
		)
	case protection.Check(r) != nil,
		r.Method == http.MethodOptions && !own(r.Header.Get("Origin"), public, r):
		return errs.New(errs.Denied, "Pages of other sites cannot use this server.")
	}
	return nil
}

// own reports whether an origin is that of the request's own address, or the public one.
func own(origin, public string, r *http.Request) bool {
	return origin == "http://"+r.Host || public != "" && origin == public
}

// isOwnHost reports whether a request was sent to an address, to localhost or to
// the public name of this server. Under another name a page of that name's owner, who
// points it here, would be of this server's origin.
func isOwnHost(host, public string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		public != "" && strings.EqualFold(public, host)
}
