package messages

import (
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/config"
)

// Role is who hears of something.
type Role string

// The roles, each with the variable that says where it hears of things.
const (
	Viewers   Role = "NOTIFY_VIEWERS"
	Planners  Role = "NOTIFY_PLANNERS"
	Approvers Role = "NOTIFY_APPROVERS"
	Operators Role = "NOTIFY_OPERATORS"
)

// Config is who is told of what, and how. The zero value tells nobody.
type Config struct {
	// PublicURL (PUBLIC_URL) is the address of the pages, without a slash at its end:
	// where links lead.
	PublicURL string
	// Targets (NOTIFY_VIEWERS, NOTIFY_PLANNERS, NOTIFY_APPROVERS, NOTIFY_OPERATORS) are,
	// separated by commas, e-mail addresses and the URLs of webhooks. The form that a
	// webhook takes is known by its host, or said before its scheme: slack+https://,
	// googlechat+https://, teams+https://, json+https://.
	Targets map[Role][]Target
	// SMTPAddress (SMTP_ADDRESS) is the mail server, host:port; SMTPUser and
	// SMTPPassword (SMTP_USER, SMTP_PASSWORD) sign in where it asks for it; From
	// (MAIL_FROM) is whom mail is from. Outside this machine TLS is asked for: at
	// once on port 465, else by STARTTLS.
	SMTPAddress  string
	SMTPUser     string
	SMTPPassword config.Secret
	From         string
}

// form is what a target takes.
type form string

const (
	byMail     = form("mail")
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

// ReadConfig reads who is told of what.
func ReadConfig(r *config.Reader) Config {
	c := Config{
		PublicURL: ReadPublicURL(r), Targets: map[Role][]Target{},
		SMTPAddress: r.String("SMTP_ADDRESS", ""), SMTPUser: r.String("SMTP_USER", ""), SMTPPassword: r.Secret("SMTP_PASSWORD"),
		From: r.String("MAIL_FROM", ""),
	}
	mails := false
	for _, role := range []Role{Viewers, Planners, Approvers, Operators} {
		for i, entry := range r.List(string(role)) {
			target, wrong := readTarget(entry)
			if wrong != "" {
				r.Problem("entry %d of %s %s", i+1, role, wrong) // and is not shown: it may be a secret
				continue
			}
			mails = mails || target.form == byMail
			c.Targets[role] = append(c.Targets[role], target)
		}
	}
	if len(c.Targets) > 0 && c.PublicURL == "" {
		r.Problem("PUBLIC_URL is not set, and who is told of something is given a link: set it to the address of the pages")
	}
	if mails && (c.SMTPAddress == "" || c.From == "") {
		r.Problem("SMTP_ADDRESS and MAIL_FROM must be set where somebody is told by e-mail")
	}
	c.check(r)
	return c
}

// check reports what is wrong with the mail server and the sender.
func (c Config) check(r *config.Reader) {
	if _, _, err := net.SplitHostPort(c.SMTPAddress); c.SMTPAddress != "" && err != nil {
		r.Problem("SMTP_ADDRESS is %q; it must be host:port, such as smtp.example.com:587", c.SMTPAddress)
	}
	if address, err := mail.ParseAddress(c.From); c.From != "" && (err != nil || address.Address != c.From) {
		r.Problem("MAIL_FROM is %q; it must be an address such as planwright@example.com", c.From)
	}
	if (c.SMTPUser == "") != (c.SMTPPassword == "") {
		r.Problem("SMTP_USER and SMTP_PASSWORD belong together: one of them is not set")
	}
}

// ReadPublicURL reads the address of the pages; "" where it is not set.
func ReadPublicURL(r *config.Reader) string {
	text := strings.TrimRight(r.String("PUBLIC_URL", ""), "/")
	if text == "" {
		return ""
	}
	if parsed, err := url.Parse(text); err != nil || !slices.Contains([]string{"http", "https"}, parsed.Scheme) || parsed.Host == "" || parsed.Path != "" || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
		r.Problem("PUBLIC_URL is %q; it must be an address without a path, such as https://planwright.example.com", text)
	}
	return text
}

// readTarget reads an entry, or says what is wrong with it without showing it.
func readTarget(entry string) (t Target, wrong string) {
	if !strings.Contains(entry, "://") {
		address, err := mail.ParseAddress(entry)
		if err != nil || address.Address != entry || strings.ContainsAny(entry, "\r\n") {
			return t, "is neither an e-mail address nor the URL of a webhook"
		}
		return Target{byMail, strings.ToLower(entry)}, ""
	}
	scheme, rest, _ := strings.Cut(entry, "://")
	said, scheme, given := strings.Cut(scheme, "+")
	if !given {
		said, scheme = "", said
	}
	parsed, err := url.Parse(scheme + "://" + rest)
	if err != nil || parsed.Host == "" || parsed.User != nil {
		return t, "is no URL of a webhook"
	}
	if parsed.Scheme != "https" && (parsed.Scheme != "http" || !isLoopback(parsed.Hostname())) {
		return t, "must begin with https://: what it is told is for nobody else to read"
	}
	t = Target{plain, parsed.String()}
	for _, known := range hosts {
		if host := parsed.Hostname(); host == known.suffix || strings.HasPrefix(known.suffix, ".") && strings.HasSuffix(host, known.suffix) {
			t.form = known.form
		}
	}
	if given {
		if t.form = form(said); !slices.Contains([]form{slack, googleChat, teams, plain}, t.form) {
			return t, "has a form that is none of slack, googlechat, teams and json"
		}
	}
	return t, ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// targets are where the roles hear of things, each once.
func (c Config) targets(roles []Role) (all []Target) {
	for _, role := range roles {
		for _, t := range c.Targets[role] {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}
