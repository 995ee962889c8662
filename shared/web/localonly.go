package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

// LocalOnly is for a server that a browser uses by its address. It keeps pages of
// other sites, which that browser may show, from next: they may change nothing
// and, under a name of their own that leads here, read nothing, for the server
// answers to addresses, to localhost and to these names alone. A page from this
// server's own address may ask it everything, by the rules of CORS where its
// browser follows them.
//
// Behind a proxy that speaks TLS the server has a public address too, "" where it has
// none, whose pages are its own.
func LocalOnly(names []string, public string, next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if public != "" {
		if err := protection.AddTrustedOrigin(public); err != nil {
			panic("web: the public address was not checked: " + err.Error())
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if err := checkLocal(r, names, public, protection); err != nil {
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

func checkLocal(r *http.Request, names []string, public string, protection *http.CrossOriginProtection) error {
	switch {
	case !isOwnHost(r.Host, names):
		return errs.New(errs.Denied, "This server answers to an IP address, to localhost and to the names that it was given (planwright serve --allowed-hosts; PUBLIC_URL), not to %s.", clip(r.Host))
	case protection.Check(r) != nil, r.Method == http.MethodOptions && !own(r.Header.Get("Origin"), public, r):
		return errs.New(errs.Denied, "Pages of other sites cannot use this server.")
	}
	return nil
}

// own reports whether an origin is that of the request's own address, or the public one.
func own(origin, public string, r *http.Request) bool {
	return origin == "http://"+r.Host || public != "" && origin == public
}

// isOwnHost reports whether a request was sent to an address, to localhost or to
// a name of this server. Under another name a page of that name's owner, who
// points it here, would be of this server's origin.
func isOwnHost(host string, names []string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, host) })
}
