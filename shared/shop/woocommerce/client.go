// Package woocommerce is a WooCommerce shop by its REST API: six requests by net/http,
// and no client library. What it rests on was measured on WooCommerce 10.0.2; the
// stand-in woocommercetest behaves as that did.
//
// Keys are sent as HTTP Basic over https alone, never in an address. No redirect is
// followed, no page of the shop is ever quoted, and what the shop says of a row is
// quoted without the keys.
package woocommerce

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/shop"
)

// Kind is the SHOP_KIND of such shops.
const Kind = "woocommerce"

// Config says which shop it is.
type Config struct {
	URL    string // SHOP_URL, as people give it
	Key    config.Secret
	Secret config.Secret
}

// Client is a shop.Shop. One is used by any number of goroutines.
type Client struct {
	base        string
	key, secret config.Secret
	http        *http.Client
	limits      shop.Limits
}

var _ shop.Shop = (*Client)(nil)

// New returns the shop. Invalid: the address is none that keys may be sent to.
func New(c Config) (*Client, error) {
	base, err := checkURL(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Key == "" || c.Secret == "" {
		return nil, errs.New(errs.Invalid, "SHOP_KEY or SHOP_SECRET is not set. Make both in the shop under WooCommerce, Settings, Advanced, REST API, with the permission Read/Write.")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyFromEnvironment
	return &Client{
		base: base, key: c.Key, secret: c.Secret, limits: shop.WooLimits,
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// checkURL returns an address without a slash at its end. Keys go over https alone, but
// to this very machine.
func checkURL(text string) (string, error) {
	address, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || address.Host == "" || address.User != nil || address.RawQuery != "" ||
		address.Fragment != "" {
		return "", errs.New(errs.Invalid, "SHOP_URL must be the shop's address, such as https://shop.example, without a name, a password or a question mark in it.")
	}
	switch {
	case address.Scheme == "https", address.Scheme == "http" && isLoopback(address.Hostname()):
		return address.Scheme + "://" + strings.ToLower(address.Host) + address.Path, nil
	case address.Scheme == "http":
		return "", errs.New(errs.Invalid,
			"SHOP_URL is http://%s: the keys of the shop are sent over https alone. Write https://%s.",
			address.Host, address.Host)
	}
	return "", errs.New(errs.Invalid, "SHOP_URL must begin with https://.")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c *Client) Kind() string { return Kind }

func (c *Client) URL() string { return c.base }

func (c *Client) Limits() shop.Limits { return c.limits }

const (
	maxAnswer = 32 << 20
	maxWait   = time.Hour // that a shop can ask for
)

// call makes one request and decodes the answer. It returns the answer's header.
func (c *Client) call(
	ctx context.Context, method, path string, query url.Values, body, into any,
) (http.Header, error) {
	address := c.base + "/wp-json/" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, errs.Wrap(errs.Internal, err, "The request cannot be written as JSON.")
		}
		send = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, send)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The request to the shop cannot be made.")
	}
	request.SetBasicAuth(c.key.Reveal(), c.secret.Reveal())
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Planwright")
	if send != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, unanswered(ctx, err)
	}
	defer answer.Body.Close()
	if err := c.refusal(answer); err != nil {
		return answer.Header, err
	}
	return answer.Header, decode(ctx, answer, into)
}

// unanswered is for a request without an answer. Its address has no secret in it.
func unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errs.Wrap(errs.Deadline, ctx.Err(), "The shop did not answer in time.")
	}
	if _, is := errors.AsType[*net.DNSError](err); is {
		return errs.Wrap(errs.Unavailable, err, "The shop's address is not known. Check SHOP_URL.")
	}
	return errs.Wrap(errs.Unavailable, err, "The shop cannot be reached, or broke the connection off.")
}

// refusal says what an answer means that is not a success.
func (c *Client) refusal(answer *http.Response) error {
	status := answer.StatusCode
	switch {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		return errs.New(errs.Denied, "The shop sends its visitors on to %s (%d): nothing is sent there. Set SHOP_URL to the address at which the shop itself answers; a shop that asks for a login first has to let /wp-json/ through.", redirectedTo(answer), status)
	case status == http.StatusUnauthorized:
		return errs.New(errs.Denied, "The shop does not accept the keys (401). Check SHOP_KEY and SHOP_SECRET, and that they may read and write.")
	case status == http.StatusForbidden:
		return errs.New(errs.Denied, "The shop forbids it (403): the keys may not do this, or a firewall before the shop stops it. Give the keys Read/Write of an administrator or shop manager.")
	case status == http.StatusRequestEntityTooLarge:
		return errs.New(errs.Exhausted, "The shop does not take that many rows at once (413).")
	case status == http.StatusTooManyRequests:
		return errs.Wrap(errs.Exhausted, &shop.BusyError{After: retryAfter(answer.Header)},
			"The shop asks to be left alone for a while (429).")
	case status == http.StatusServiceUnavailable:
		return errs.Wrap(errs.Unavailable, &shop.BusyError{After: retryAfter(answer.Header)},
			"The shop is being maintained or too busy (503).")
	case status >= 500:
		return errs.New(errs.Unavailable, "The shop failed (%d). Its own log says why.", status)
	case status == http.StatusNotFound:
		return errs.New(errs.NotFound, "The shop has no such page (404): WooCommerce's REST API is not at SHOP_URL, or permalinks are set to plain.")
	}
	return errs.New(errs.Unusable, "The shop refused the request (%d).", status)
}

// redirectedTo is where an answer sends, without a path or a query: they may hold anything.
func redirectedTo(answer *http.Response) string {
	to, err := answer.Location()
	if err != nil || to.Host == "" {
		return "another address"
	}
	return to.Scheme + "://" + to.Host
}

// retryAfter reads a header, in seconds or as a date.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	seconds, err := strconv.Atoi(text)
	wait := time.Duration(seconds) * time.Second
	if at, wrong := http.ParseTime(text); err != nil && wrong == nil {
		wait = time.Until(at)
	}
	return max(0, min(wait, maxWait))
}

// decode reads an answer. A page in place of data, and data that is cut off, are no answer.
func decode(ctx context.Context, answer *http.Response, into any) error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind == "text/html" {
		return errs.New(errs.Unusable, "The shop answered with a page in place of data: a login, a maintenance page or a plugin stands before its API.")
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return errs.Wrap(errs.Deadline, ctx.Err(), "The shop did not answer in time.")
	case err != nil:
		return errs.Wrap(errs.Unusable, err, "The shop's answer broke off.")
	case len(text) > maxAnswer:
		return errs.New(errs.Unusable, "The shop's answer is larger than %d MiB.", maxAnswer>>20)
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), into); err != nil {
		return errs.New(errs.Unusable,
			"The shop's answer is cut off, or no data: a plugin may write into it.")
	}
	return nil
}

// message is what the shop says of a row, shortened and without the keys.
func (c *Client) message(message string) string {
	for _, secret := range []config.Secret{c.key, c.secret} {
		message = strings.ReplaceAll(message, secret.Reveal(), "[redacted]")
	}
	message = strings.Join(strings.Fields(message), " ")
	if runes := []rune(message); len(runes) > 200 {
		message = string(runes[:199]) + "…"
	}
	return message
}

// LogValue keeps everything but the address out of logs.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.base) }
