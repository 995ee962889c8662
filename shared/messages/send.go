package messages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/wneessen/go-mail"
)

// poster reaches targets by HTTP and SMTP.
type poster struct {
	Config
	client *http.Client
}

func (p poster) send(ctx context.Context, t Target, text Text) error {
	if t.form == byMail {
		return p.mail(ctx, t.to, text)
	}
	return p.post(ctx, t, text)
}

// post sends a message to a webhook. Whoever sends it elsewhere is not followed: the
// address is a secret, and what is told is for nobody else.
func (p poster) post(ctx context.Context, t Target, text Text) error {
	body, err := json.Marshal(bodyOf(t.form, text))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.to, bytes.NewReader(body))
	if err != nil {
		return errors.New("the request could not be made")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", text.ID)
	client := *p.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the address
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %s", answer.Status)
	}
	return nil
}

// bodyOf is a message in the form that a webhook takes.
func bodyOf(f form, t Text) any {
	lines := strings.Join(t.Lines(), "\n")
	switch f {
	case slack:
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
		return map[string]string{"text": "*" + t.Headline + "*\n" + escape(lines) + "\n<" + t.Link + "|Open the page>"}
	case googleChat:
		return map[string]string{"text": "*" + t.Headline + "*\n" + lines + "\n" + t.Link}
	case teams:
		block := func(text, weight string) map[string]any {
			return map[string]any{"type": "TextBlock", "text": text, "wrap": true, "weight": weight}
		}
		blocks := []any{block(t.Headline, "bolder")}
		for _, line := range t.Lines() {
			blocks = append(blocks, block(line, "default"))
		}
		return map[string]any{"type": "message", "attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive",
			"content": map[string]any{
				"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks,
				"actions": []any{map[string]string{"type": "Action.OpenUrl", "title": "Open the page", "url": t.Link}},
			},
		}}}
	}
	return map[string]any{
		"id": t.ID, "kind": t.Kind, "at": t.At, "execution_id": t.ExecutionID, "headline": t.Headline, "instruction": t.Instruction,
		"effect": t.Effect, "by": t.By, "note": t.Note, "code": t.Code, "link": t.Link,
	}
}

// mail sends a message to one address.
func (p poster) mail(ctx context.Context, to string, text Text) error {
	host, named, err := net.SplitHostPort(p.SMTPAddress)
	if err != nil {
		return err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", named)
	if err != nil {
		return err
	}
	options := []mail.Option{
		mail.WithPort(port), mail.WithTimeout(sendTimeout),
		mail.WithHELO(domainOf(p.From)), // many servers take no sender that says localhost
	}
	switch {
	case port == mail.DefaultPortSSL:
		options = append(options, mail.WithSSL())
	case isLoopback(host):
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if p.SMTPUser != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthPlain), mail.WithUsername(p.SMTPUser), mail.WithPassword(p.SMTPPassword.Reveal()))
	}
	client, err := mail.NewClient(strings.TrimSuffix(p.SMTPAddress, ":"+named), options...) // an IPv6 address in its brackets
	if err != nil {
		return err
	}
	message, err := mailOf(p.From, to, text)
	if err != nil {
		return err
	}
	if err := client.DialAndSendWithContext(ctx, message); !message.IsDelivered() {
		return err
	}
	return nil // it was taken, whatever was said afterwards
}

// mailOf is a message as mail.
func mailOf(from, to string, t Text) (*mail.Msg, error) {
	subject := t.Headline
	if t.Instruction != "" {
		subject += " " + oneLine(t.Instruction)
	}
	m := mail.NewMsg(mail.WithEncoding(mail.EncodingB64), mail.WithNoDefaultUserAgent())
	m.Subject(shortened(subject))
	m.SetDateWithValue(t.At)
	m.SetMessageIDWithValue(t.ID + "@" + domainOf(from))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, t.Headline+"\r\n\r\n"+strings.Join(t.Lines(), "\r\n")+"\r\n\r\n"+t.Link+"\r\n")
	return m, errors.Join(m.From(from), m.To(to))
}

// domainOf is what stands behind the @ of an address.
func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// oneLine is a text without its ends of lines.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shortened is a subject that a mail program shows whole.
func shortened(text string) string {
	const longest = 120
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return string(runes[:longest-3]) + "..."
}
