package messages

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/plannerapi"
)

// Config is where the webhook is, and for whom a notice is. The zero value posts nothing.
type Config struct {
	// PublicURL (PUBLIC_URL) is the address of the pages, without a slash at its end:
	// where links lead.
	PublicURL string
	// URL (NOTIFY_URL) is the webhook. Its host says which form it takes: those of
	// Slack, Google Chat and Microsoft Teams have their own, any other gets JSON. The
	// URL is a secret, for whoever knows it can post there.
	URL  config.Secret
	form form
	// Key (NOTIFY_SECRET) signs what is posted.
	Key config.Secret
	// Names (VIEWERS, PLANNERS, APPROVERS, OPERATORS) are who has a role by name.
	Names map[plannerapi.Role][]string
}

// form is what a webhook takes.
type form string

const (
	slack      = form("slack")
	googleChat = form("googlechat")
	teams      = form("teams")
	plain      = form("json")
)

// hosts are those whose webhooks take a form of their own.
var hosts = []struct {
	suffix string
	form   form
}{
	{"hooks.slack.com", slack}, {"chat.googleapis.com", googleChat},
	{".webhook.office.com", teams}, {".logic.azure.com", teams}, {".api.powerplatform.com", teams},
}

// minKey is the length of the shortest key that signs.
const minKey = 16

// Gone are the settings of e-mail and of addresses by role, which there are no more: who
// sets one is told so.
var Gone = []string{
	"NOTIFY_VIEWERS", "NOTIFY_PLANNERS", "NOTIFY_APPROVERS", "NOTIFY_OPERATORS", "NOTIFY_SMTP",
	"SMTP_ADDRESS", "SMTP_USER", "SMTP_PASSWORD", "MAIL_FROM",
}

// ReadConfig reads where the webhook is.
func ReadConfig(r *config.Reader) Config {
	c := Config{
		PublicURL: ReadPublicURL(r), URL: r.Secret("NOTIFY_URL"), Key: r.Secret("NOTIFY_SECRET"),
		Names: map[plannerapi.Role][]string{
			plannerapi.RoleViewer: r.List("VIEWERS"), plannerapi.RolePlanner: r.List("PLANNERS"),
			plannerapi.RoleApprover: r.List("APPROVERS"), plannerapi.RoleOperator: r.List("OPERATORS"),
		},
	}
	refuseGone(r)
	if c.Key != "" && len(c.Key) < minKey {
		r.Problem("NOTIFY_SECRET is too short: it must have at least %d characters, such as openssl rand -hex 32 makes", minKey)
	}
	if c.URL == "" {
		return c
	}
	var wrong string
	if c.form, wrong = formOf(c.URL.Reveal()); wrong != "" {
		r.Problem("NOTIFY_URL %s", wrong)
	}
	if c.PublicURL == "" {
		r.Problem("PUBLIC_URL is not set, and a notice has a link: set it to the address of the pages")
	}
	if c.form == plain && c.Key == "" {
		r.Problem("NOTIFY_SECRET is not set: the receiver at NOTIFY_URL could not tell our notices from others'")
	}
	return c
}

// refuseGone reports settings that somebody may believe to be at work.
func refuseGone(r *config.Reader) {
	set := slices.DeleteFunc(slices.Clone(Gone), func(name string) bool { return r.String(name, "") == "" })
	if len(set) > 0 {
		r.Problem("%s: Planwright sends no e-mail and has no addresses by role any more; remove this and set NOTIFY_URL, one webhook that is told for all roles (shared/messages/README.md)", strings.Join(set, ", "))
	}
}

// ReadPublicURL reads the address of the pages; "" where it is not set.
func ReadPublicURL(r *config.Reader) string {
	text := strings.TrimRight(r.String("PUBLIC_URL", ""), "/")
	if text == "" {
		return ""
	}
	parsed, err := url.Parse(text)
	if err != nil || !slices.Contains([]string{"http", "https"},
		parsed.Scheme) || parsed.Host == "" || parsed.Path != "" ||
		parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
		r.Problem("PUBLIC_URL is %q; it must be an address without a path, such as https://planwright.example.com", text)
	}
	return text
}

// formOf returns the form that the host of a webhook takes, or says what is wrong with
// its URL without showing it.
func formOf(text string) (f form, wrong string) {
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Host == "" || parsed.User != nil:
		return "", "is no URL of a webhook"
	case parsed.Scheme != "https" && (parsed.Scheme != "http" || !isLoopback(parsed.Hostname())):
		return "", "must begin with https://, or with http:// for a receiver on this machine: nobody else is to read a notice"
	}
	for _, known := range hosts {
		host := strings.ToLower(parsed.Hostname())
		if host == known.suffix ||
			strings.HasPrefix(known.suffix, ".") && strings.HasSuffix(host, known.suffix) {
			return known.form, ""
		}
	}
	return plain, ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
